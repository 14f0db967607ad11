// What the chart's processes run as and may reach (docs/security.md, "Processes"): rendered by a real helm, judged by a real API server.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseAllDocuments, stringify } from 'yaml'
import { kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { run } from '../setup/run.ts'

const chart = join(import.meta.dirname, '../../charts/megrez')

interface Peer {
  readonly ipBlock: { readonly cidr: string; readonly except?: readonly string[] }
}
interface Rule {
  readonly from?: readonly Peer[]
  readonly to?: readonly Peer[]
  readonly ports?: readonly { readonly port: string | number }[]
}
interface PodSpec {
  readonly serviceAccountName: string
  readonly containers: readonly {
    readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean; readonly privileged?: boolean }
  }[]
}
interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: { readonly template: { readonly spec: PodSpec }; readonly ingress: readonly Rule[]; readonly egress: readonly Rule[] }
}

describe("the chart's processes", { skip: kubeSkip }, () => {
  let folder = ''
  let all: readonly Manifest[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-chart-'))
    const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }
    const values = {
      redis: { secretName: 'redis' },
      rest: { tokenIssuer: 'a', tokenAudience: 'b' },
      agents: { enabled: true },
      admission: { clientCaSecret: 'api-server' },
      cloudEvents: { enabled: true },
      networkPolicy: { apiServer: ['10.0.0.0/24'], redis: ['10.1.0.0/24'], clouds: ['10.2.0.0/24'] },
    }
    const { code, stdout, stderr } = await run(
      process.env.MEGREZ_TEST_HELM ?? 'helm',
      ['template', 'megrez', chart, '--namespace', 'megrez-system', '--kube-version', '1.34', '--values', '-'],
      { env, input: stringify(values) },
    )
    assert.equal(code, 0, stderr)
    all = parseAllDocuments(stdout)
      .map((document) => document.toJS() as Manifest | null)
      .filter((each) => each !== null)
  })
  after(() => rm(folder, { recursive: true }))
  const named = (kind: string, name: string): Manifest => all.find((each) => each.kind === kind && each.metadata.name === name)!

  test('webhooks and workers are pods that the strictest Pod Security Standard takes, on a root that they cannot write; an agent is privileged', async () => {
    const space = await newNamespace('doors', { 'pod-security.kubernetes.io/enforce': 'restricted' })
    const podOf = ({ metadata, spec: { template } }: Manifest): object => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: metadata.name, namespace: space },
      spec: template.spec,
    })
    const asked = [named('Deployment', 'megrez-webhooks'), named('Deployment', 'megrez-workers'), named('DaemonSet', 'megrez-agent')]
    for (const name of ['default', ...asked.map(({ spec }) => spec.template.spec.serviceAccountName)])
      await kubectl(['create', 'serviceaccount', name, '-n', space]).catch(() => undefined)
    const said = await Promise.all(
      asked.map((each) => tryKubectl(['create', '--dry-run=server', '-f', '-'], { input: JSON.stringify(podOf(each)) })),
    )
    assert.deepEqual(
      said.map(({ code }) => code === 0),
      [true, true, false],
      said.map(({ stderr }) => stderr).join('\n'),
    )
    assert.match(said[2]!.stderr, /violates PodSecurity "restricted:latest".*privileged/s)
    const roots = asked.map(({ spec }) =>
      spec.template.spec.containers.map(({ securityContext }) => securityContext?.readOnlyRootFilesystem === true),
    )
    assert.deepEqual(roots, [[true], [true], [false]])
  })

  test("admission is reached from the API server's blocks alone, and each process reaches what it needs and no private address besides", () => {
    const blocks = (peers: readonly Peer[] = []): readonly string[] =>
      peers.map(({ ipBlock: { cidr, except = [] } }) => [cidr, ...except.map((each) => `-${each}`)].join(' '))
    const told = ({ from, to, ports = [] }: Rule): string =>
      `${ports.map(({ port }) => port).join(',') || 'all'}: ${blocks(from ?? to).join(', ') || 'anybody'}`
    const [webhooks, workers] = [named('NetworkPolicy', 'megrez-webhooks').spec, named('NetworkPolicy', 'megrez-workers').spec]
    assert.deepEqual(webhooks.ingress.map(told), ['admission: 10.0.0.0/24', 'health,rest: anybody'])
    assert.deepEqual(webhooks.egress.map(told), ['53,53: anybody', 'all: 10.0.0.0/24', '443: anybody', 'all: 10.1.0.0/24'])
    assert.deepEqual(workers.ingress.map(told), ['health: anybody', 'cloud-events: 10.2.0.0/24'])
    const beyond = 'all: 0.0.0.0/0 -10.0.0.0/8 -100.64.0.0/10 -127.0.0.0/8 -169.254.0.0/16 -172.16.0.0/12 -192.168.0.0/16, 2000::/3'
    assert.deepEqual(workers.egress.map(told), ['53,53: anybody', 'all: 10.0.0.0/24', 'all: 10.1.0.0/24', 'all: 10.2.0.0/24', beyond])
  })
})
