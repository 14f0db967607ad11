// Wrote what is beside it, within a tree of commit a70b292e (2026-11-27, the last one whose rules named no frames):
//   git worktree add OLD a70b292e, copy this file into its test/upgrade/2026-11-27, and there
//   node bootstrap.mjs test/upgrade/2026-11-27/record.ts OUT
// It names that commit's modules by its paths, so it runs in no other tree.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What of that commit is called. */
interface Cluster {
  readonly store: { create(draft: object): Promise<unknown>; close(): Promise<void> }
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  make(kind: string, key: string, spec: object, metadata?: object): Promise<object>
  all(kind: string): Promise<readonly { readonly spec: object; readonly status?: object }[]>
  close(): Promise<void>
}
interface TestNode {
  cni(command: string, call: object): Promise<{ readonly code: number }>
  close(): Promise<void>
}
const old = async <T>(path: string): Promise<T> => (await import(join(process.cwd(), path))) as T
const out = process.argv[2] ?? '.'

const { SqliteStore } = await old<{ SqliteStore: { open(path: string): Cluster['store'] } }>('platform/store/sqlite.ts')
const { openTestCluster } = await old<Record<'openTestCluster', (options: object) => Promise<Cluster>>>('test/workers/test-cluster.ts')
const { withNetwork, makePod } = await old<{
  withNetwork(cluster: Cluster): Promise<void>
  makePod(cluster: Cluster, key: string, options: object): Promise<object>
}>('test/workers/network.ts')
const { openNode } = await old<{ openNode(options: object): Promise<TestNode> }>('test/agent/node.ts')
const { kinds } = await old<{ kinds: Readonly<Record<string, { readonly spec: object; readonly status?: object }>> }>('core/kinds/index.ts')
const { verdictOn } = await old<{ verdictOn(sets: readonly object[], judged: object): { readonly isAllowed: boolean } }>(
  'core/policy/verdict.ts',
)

const store = SqliteStore.open(':memory:')
const cluster = await openTestCluster({ store })
for (const name of ['n1', 'n2']) await store.create({ kind: 'Node', metadata: { name }, spec: {} })
const node = await openNode({ store, name: 'n1', address: '192.0.2.1' })
await withNetwork(cluster)
const x = { podSelector: { matchLabels: { app: 'x' } } }
const y = { podSelector: { matchLabels: { app: 'y' } } }
await cluster.make('UnifiedNetworkPolicy', 'a/x', {
  ...x,
  defaults: { ingress: 'deny', egress: 'allow' },
  bandwidth: { max: { egress: '10M' } },
  dscp: 46,
  ingress: [
    { action: 'deny', peers: [y], ports: [{ l4Port: 22 }], log: true },
    {
      action: 'allow',
      peers: [y],
      ports: [
        { l4Port: 20, l4PortMax: 90 },
        { protocol: 'icmp', icmpType: 8 },
      ],
      bandwidth: { max: '1M' },
      dscp: 10,
    },
    { action: 'allow', peers: [{ cidr: '192.0.2.0/24', except: ['192.0.2.128/25'] }], final: true },
    { action: 'deny', peers: [{ cidr: '198.51.100.0/24' }], audit: true },
  ],
})
await cluster.make('NetworkPolicy', 'a/named', {
  podSelector: { matchLabels: { app: 'y' } },
  policyTypes: ['Ingress', 'Egress'],
  ingress: [{ from: [x], ports: [{ protocol: 'TCP', port: 80 }] }],
  egress: [{ to: [{ namespaceSelector: {} }] }],
})
await cluster.make('SecurityGroup', 'a/web', { rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80, l4PortMax: 81 }] })
await cluster.make('ClusterNetworkPolicy', 'fence', {
  tier: 'Admin',
  priority: 7,
  subject: { namespaces: {} },
  ingress: [
    { action: 'Deny', from: [{ networks: ['203.0.113.0/24'] }] },
    { action: 'Pass', from: [{ namespaces: {} }] },
  ],
})
const nics = [{ name: 'net1', securityGroups: ['web'] }]
const pod = await makePod(cluster, 'a/p1', { node: 'n1', nics, metadata: { labels: { app: 'x' } } })
await makePod(cluster, 'a/p2', { node: 'n2', metadata: { labels: { app: 'y' } } })
await cluster.advance(20_000)
const { code } = await node.cni('ADD', { pod })
if (code !== 0) throw new Error(`ADD: ${code}`)
await cluster.advance(20_000)

const between = ['PolicyRuleSet', 'PolicyIdentity', 'IPLock', 'Port'] as const
const objects = Object.fromEntries(await Promise.all(between.map(async (kind) => [kind, await cluster.all(kind)])))
const sets = (objects['PolicyRuleSet'] as { readonly spec: object }[]).map(({ spec }) => spec)
const identities = (objects['PolicyIdentity'] as { readonly spec: { readonly number: number } }[]).map(({ spec }) => spec.number)
const transports = [
  ...[20, 22, 80, 81, 90, 91].map((l4Port) => ({ protocol: 6, l4Port })),
  { protocol: 17, l4Port: 80 },
  { protocol: 1, icmpType: 8, icmpCode: 0 },
]
const peers = [
  ...identities.map((identity, i) => ({ identity, address: `10.0.0.${50 + i}` })),
  ...['192.0.2.1', '192.0.2.200', '198.51.100.1', '203.0.113.1'].map((address) => ({ identity: 0, address })),
  { identity: 0xffffff, address: '10.0.0.99' },
]
const verdicts = identities.flatMap((subject) =>
  (['ingress', 'egress'] as const).flatMap((direction) =>
    peers.flatMap((peer) =>
      transports.map((transport) => ({
        subject,
        direction,
        peer,
        transport,
        isAllowed: verdictOn(sets, { subject, direction, peer, transport }).isAllowed,
      })),
    ),
  ),
)
const schemas = Object.fromEntries(between.map((kind) => [kind, { spec: kinds[kind]!.spec, status: kinds[kind]!.status }]))
await writeFile(join(out, 'between.json'), `${JSON.stringify({ objects, verdicts })}\n`)
await writeFile(join(out, 'schemas.json'), `${JSON.stringify(schemas)}\n`)
await node.close()
await cluster.close()
await store.close()
