// The real programs that tests and demonstrations run against: found where the machine has them, else built once from their Go
// modules. Run as a program it does the same for those of a cluster and says what it does.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cached, cacheFolder } from '../../platform/programs/cache.ts'
import { buildGo, BuildFailed, goMissing } from './go.ts'
import type { GoProgram } from './go.ts'
import { run } from '../../platform/programs/run.ts'
import { atLeast, versionIn } from './versions.ts'

export type Component =
  'etcd' | 'kube-apiserver' | 'kubectl' | 'helm' | 'kube-scheduler' | 'kube-controller-manager' | 'kubelet' | 'kube-proxy' | 'cnitool'

interface Recipe {
  /** Older ones are passed over. Kubernetes 1.32: selectable fields and matchConditions are stable. */
  readonly floor: readonly number[]
  /** Newer majors are passed over. */
  readonly major: number
  /** These and newer ones are passed over. */
  readonly below?: readonly number[]
  readonly versionArgs: readonly string[]
  /** Whether setup-envtest's folder (KUBEBUILDER_ASSETS) holds it. */
  readonly envtest: boolean
  readonly program: GoProgram
}

const kubernetes = '1.34.4'
const kubernetesStamps = [
  `k8s.io/component-base/version.gitVersion=v${kubernetes}`,
  'k8s.io/component-base/version.gitMajor=1',
  'k8s.io/component-base/version.gitMinor=34',
  `k8s.io/client-go/pkg/version.gitVersion=v${kubernetes}`,
]
const kube = (name: string, versionArgs: readonly string[], { envtest = true, before = '' } = {}): Recipe => ({
  floor: [1, 32],
  ...(before !== '' && { below: before.split('.').map(Number) }),
  major: 1,
  versionArgs,
  envtest,
  program: { module: 'k8s.io/kubernetes', version: kubernetes, package: `k8s.io/kubernetes/cmd/${name}`, stamps: kubernetesStamps },
})

// In the order they are built: the quick one first.
const recipes: Readonly<Record<Component, Recipe>> = {
  etcd: {
    floor: [3, 5],
    major: 3,
    versionArgs: ['--version'],
    envtest: true,
    program: { module: 'go.etcd.io/etcd/server/v3', version: '3.6.16', package: 'go.etcd.io/etcd/server/v3', stamps: [] },
  },
  'kube-apiserver': kube('kube-apiserver', ['--version']),
  kubectl: kube('kubectl', ['version', '--client']),
  helm: {
    floor: [3, 8],
    major: 3,
    versionArgs: ['version', '--short'],
    envtest: false,
    program: {
      module: 'helm.sh/helm/v3',
      version: '3.19.0',
      package: 'helm.sh/helm/v3/cmd/helm',
      stamps: ['helm.sh/helm/v3/internal/version.version=v3.19.0'],
    },
  },
  'kube-scheduler': kube('kube-scheduler', ['--version'], { envtest: false }),
  'kube-controller-manager': kube('kube-controller-manager', ['--version'], { envtest: false }),
  // 1.35 and later have not been tried with the containerd 1.6 of Debian 12.
  kubelet: kube('kubelet', ['--version'], { envtest: false, before: '1.35' }),
  'kube-proxy': kube('kube-proxy', ['--version'], { envtest: false }),
  // It tells no version: always the one that is named here.
  cnitool: {
    floor: [1],
    major: 1,
    versionArgs: [],
    envtest: false,
    program: {
      module: 'github.com/containernetworking/cni',
      version: '1.3.0',
      package: 'github.com/containernetworking/cni/cnitool',
      stamps: [],
    },
  },
}

type ProgramLocation = { readonly path: string } | { readonly missing: string }
type ReportLine = (line: string) => void
interface Provision {
  readonly report?: ReportLine
  /** Whether what is not there is built. */
  readonly build?: boolean
}

/** Absolute paths of all that are named, or a sentence for each that is missing and how to provide it. Builds what it may (minutes). */
export async function components<const C extends Component>(
  names: readonly C[],
  provision: Provision = {},
): Promise<Readonly<Record<C, string>> | { readonly missing: readonly string[] }> {
  const found: (ProgramLocation & { readonly name: C })[] = []
  for (const name of names) found.push({ ...(await component(name, provision)), name })
  const missing = found.flatMap((each) => ('missing' in each ? [each.missing] : []))
  if (missing.length > 0) return { missing }
  return Object.fromEntries(found.flatMap((each) => ('path' in each ? [[each.name, each.path]] : []))) as Record<C, string>
}

/** What an API server needs, and what talks to it. */
export const serverComponents = ['etcd', 'kube-apiserver', 'kubectl', 'helm'] as const
/** And a whole cluster. */
export const clusterComponents = [...serverComponents, 'kube-scheduler', 'kube-controller-manager', 'kubelet'] as const

/** One of them: from KUBEBUILDER_ASSETS, else from PATH when new enough, else from the cache, else built into it. */
export async function component(name: Component, { report = toStderr, build: mayBuild = true }: Provision = {}): Promise<ProgramLocation> {
  const recipe = recipes[name]
  for (const path of candidates(name, recipe)) {
    if (await fits(path, recipe, report)) return { path }
  }
  const folder = `${name}-${recipe.program.version}`
  const built = join(cacheFolder(), folder, name)
  if (existsSync(built)) return { path: built }
  const hint = recipe.envtest ? 'or point KUBEBUILDER_ASSETS at a folder that holds it' : 'or put one on PATH'
  if (!mayBuild) return { missing: `${name}: not built, and building was declined` }
  const needsGo = await goMissing()
  if (needsGo !== undefined) return { missing: `${name}: ${needsGo}, ${hint}` }
  return build(name, folder, { hint, report })
}

async function build(name: Component, folder: string, { hint, report }: { hint: string; report: ReportLine }): Promise<ProgramLocation> {
  const { program } = recipes[name]
  const began = performance.now()
  report(`${name}: building ${program.module} v${program.version} into ${join(cacheFolder(), folder)}`)
  try {
    const path = join(await cached(folder, (half) => buildGo(name, program, half)), name)
    report(`${name}: built in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    return { path }
  } catch (error) {
    if (!(error instanceof BuildFailed)) throw error
    return { missing: `${name}: its Go module could not be built (is the module proxy reachable?), ${hint}: ${error.message}` }
  }
}

function candidates(name: Component, recipe: Recipe): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const assets = process.env.KUBEBUILDER_ASSETS
  if (recipe.envtest && assets !== undefined) folders.unshift(assets)
  return [...new Set(folders.filter((folder) => folder !== '').map((folder) => join(folder, name)))].filter((path) => existsSync(path))
}

async function fits(path: string, recipe: Recipe, report: ReportLine): Promise<boolean> {
  const answer = await run(path, recipe.versionArgs)
  const version = answer.code === 0 ? versionIn(answer.stdout) : undefined
  const young = version !== undefined && recipe.below !== undefined && atLeast(version, recipe.below)
  if (version !== undefined && version[0] === recipe.major && atLeast(version, recipe.floor) && !young) return true
  const have = version === undefined ? 'tells no version' : `is ${version.join('.')}`
  const needed =
    recipe.below === undefined
      ? `${recipe.floor.join('.')} or newer`
      : `${recipe.floor.join('.')} or newer, below ${recipe.below.join('.')},`
  report(`${path} ${have}: passed over, ${needed} is needed`)
  return false
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}

if (import.meta.main) {
  const found = await components(clusterComponents, { report: console.log })
  if ('missing' in found) {
    for (const line of found.missing) console.log(`missing: ${line}`)
    process.exitCode = 1
  } else {
    for (const [name, path] of Object.entries(found)) console.log(`${name}: ${path}`)
  }
}
