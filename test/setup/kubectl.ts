import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeUser } from './kubeconfig.ts'
import { run } from './run.ts'
import type { Outcome } from './run.ts'

/** Path of the kubeconfig of the API server that test/run.ts started. */
export const kubeconfigPath = process.env.MEGREZ_TEST_KUBE

/** For a suite's `skip`: false where there is an API server. */
export const kubeSkip: string | false =
  kubeconfigPath === undefined ? 'MEGREZ_TEST_KUBE names no kubeconfig: start it by npm run test:kube' : false

interface Options {
  readonly as?: KubeUser
  readonly input?: string
  /** Of another server than the one that test/run.ts started. */
  readonly kubeconfig?: string
}

/** Runs the real kubectl against the test API server, and gives back how it ended. */
export function tryKubectl(
  args: readonly string[],
  { as = 'admin', input, kubeconfig = String(kubeconfigPath) }: Options = {},
): Promise<Outcome> {
  const program = process.env.MEGREZ_TEST_KUBECTL ?? 'kubectl'
  const all = ['--kubeconfig', kubeconfig, '--context', as, ...args]
  return run(program, all, { ...(input === undefined ? {} : { input }) })
}

/** The same, for what must succeed: gives back what it printed, throws what it complained of. */
export async function kubectl(args: readonly string[], options: Options = {}): Promise<string> {
  const done = await tryKubectl(args, options)
  if (done.code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${done.stderr.trim()}`)
  return done.stdout
}

/** Makes a namespace that no other test and no earlier run has, and gives back its name. */
export async function newNamespace(prefix: string, labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString('hex')}`
  await kubectl(['create', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }) })
  return name
}

export const chartCrds = join(import.meta.dirname, '../../charts/megrez/files/crds')
let installing: Promise<void> | undefined

/** Puts the chart's CRDs in, by server-side apply, once for each process; the API server serves them when it resolves. */
export function installCrds(): Promise<void> {
  installing ??= applyCrds(chartCrds)
  return installing
}

/** The same for the CRD files (`*.yaml`) of any folder. */
export async function applyCrds(folder: string, on: Pick<Options, 'kubeconfig'> = {}): Promise<void> {
  const files = globSync(join(folder, '*.yaml')).sort()
  if (files.length === 0) throw new Error(`${folder} holds no CRDs: npm run gen writes them`)
  const each = files.flatMap((file) => ['-f', file])
  await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=megrez', ...each], on)
  await kubectl(['wait', '--for=condition=Established', '--timeout=60s', ...each], on)
}
