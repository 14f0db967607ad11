// Groups of BGP, from objects to what each node is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressAnnotation, poolAnnotation, serviceClass } from '../../core/kinds/annotations.ts'
import { refOf, type SpecOf } from '../../core/kinds/index.ts'
import { leavingMs } from '../../core/plan/bgp/prefix-lock.ts'
import { makePod } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const inCluster = async (run: (cluster: TestCluster) => Promise<void>): Promise<void> => {
  const cluster = await openTestCluster({ config: { agents: false } })
  try {
    for (const [i, name] of ['n1', 'n2', 'n3'].entries()) await node(cluster, name, `192.0.2.${i + 1}`)
    await run(cluster)
  } finally {
    await cluster.close()
  }
}
async function node(cluster: TestCluster, name: string, address: string, labels: Record<string, string> = {}): Promise<void> {
  const made = await cluster.store.create({ kind: 'Node', metadata: { name, labels }, spec: {} })
  await cluster.store.replaceForeignStatus(refOf(made), made.metadata.uid, { addresses: [{ type: 'InternalIP', address }] })
}
const subnets = [{ namespace: 'a', name: 's' }]
interface Described {
  readonly groups: string[]
  readonly namespace: string
  readonly cidr: string
  readonly mode: 'l2' | 'l3'
}
async function network(
  cluster: TestCluster,
  { groups = ['edge'], namespace = 'a', cidr = '10.1.0.0/24', mode = 'l3' }: Partial<Described> = {},
) {
  await cluster.make('Vpc', `${namespace}/v`, { bgpSessionGroups: groups })
  await cluster.make('Subnet', `${namespace}/s`, { vpc: 'v', mode, ipv4: { cidr } })
}
const group = (more: Partial<SpecOf<'BGPSessionGroup'>> = {}): SpecOf<'BGPSessionGroup'> => ({ as: 64512, advertise: { subnets }, ...more })
async function prefixesSaid(cluster: TestCluster): Promise<Record<string, readonly string[]>> {
  const speakers = await cluster.all('BGPSpeaker')
  return Object.fromEntries(
    speakers.map(({ metadata, spec }) => [
      metadata.name,
      spec.groups.flatMap(({ advertise }) => advertise.map(({ cidr, hostRoutes }) => (hostRoutes ? `hosts of ${cidr}` : cidr))),
    ]),
  )
}
const locked = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.all('PrefixLock')).flatMap(({ metadata, spec }) =>
    spec.prefixes.map(({ cidr, subnet, leaving }) => `${metadata.name}: ${cidr} of ${subnet}${leaving === undefined ? '' : ', leaving'}`),
  )
const accepted = async (cluster: TestCluster, name: string): Promise<string | undefined> =>
  (await cluster.get('BGPSessionGroup', name))?.status?.conditions?.find(({ type }) => type === 'Accepted')?.message
const change = async <K extends 'Vpc' | 'BGPSessionGroup'>(cluster: TestCluster, kind: K, key: string, spec: Partial<SpecOf<K>>) => {
  const item = (await cluster.get(kind, key))!
  await cluster.store.update({ ...item, spec: { ...item.spec, ...spec } })
  await cluster.settle()
}

test('a node says what it has Ports in, once the owner agrees, under a lock; and no more when he takes that back', () =>
  inCluster(async (cluster) => {
    await network(cluster, { groups: [] })
    await cluster.make('Port', 'a/p', { subnet: 's', node: 'n1' })
    await cluster.make('BGPSessionGroup', 'edge', group())
    await cluster.advance(1_000)
    assert.deepEqual(await prefixesSaid(cluster), { n1: [], n2: [], n3: [] })
    assert.match(
      (await accepted(cluster, 'edge'))!,
      /^Subnet a\/s: Vpc a\/v does not agree: its owner names edge in spec.bgpSessionGroups$/,
    )
    assert.deepEqual(await locked(cluster), [])

    await change(cluster, 'Vpc', 'a/v', { bgpSessionGroups: ['edge'] })
    assert.deepEqual(await prefixesSaid(cluster), { n1: ['hosts of 10.1.0.0/24'], n2: [], n3: [] })
    assert.deepEqual(await locked(cluster), ['v4-10: 10.1.0.0/24 of a/s'])
    await cluster.advance(1_000)
    assert.equal(await accepted(cluster, 'edge'), 'all that is asked for is done')

    await change(cluster, 'Vpc', 'a/v', { bgpSessionGroups: [] })
    assert.deepEqual(await prefixesSaid(cluster), { n1: [], n2: [], n3: [] })
    assert.deepEqual(await locked(cluster), ['v4-10: 10.1.0.0/24 of a/s, leaving'])
    await cluster.advance(leavingMs + 1_000)
    assert.deepEqual(await locked(cluster), [])
    assert.deepEqual(await cluster.all('PrefixLock'), [])
  }))

test('what is behind Ports is said where the group names it and the owner allows it, under a lock, and is free a minute after', () =>
  inCluster(async (cluster) => {
    await cluster.make('Vpc', 'a/v', { bgpSessionGroups: ['edge'] })
    await cluster.make('Subnet', 'a/s', { vpc: 'v', ipv4: { cidr: '10.1.0.0/24' }, allowedRoutedBlocks: [{ cidr: '10.9.0.0/16' }] })
    await cluster.make('Port', 'a/p', { subnet: 's', node: 'n1', routedBlocks: ['10.9.1.0/24'] })
    const advertised = (...routedBlocks: string[]) => ({ advertise: { subnets: [{ ...subnets[0]!, routedBlocks }] } })
    await cluster.make('BGPSessionGroup', 'edge', group(advertised('10.9.0.0/20', '11.0.0.0/16')))
    await cluster.advance(1_000)
    assert.deepEqual(await prefixesSaid(cluster), { n1: ['10.1.0.0/24', 'hosts of 10.9.0.0/20'], n2: [], n3: [] })
    assert.deepEqual(await locked(cluster), ['v4-10: 10.1.0.0/24 of a/s', 'v4-10: 10.9.0.0/20 of a/s'].sort())
    assert.equal(await accepted(cluster, 'edge'), 'Subnet a/s: 11.0.0.0/16 is not in its spec.allowedRoutedBlocks: its owner says so there')

    await network(cluster, { namespace: 'b', cidr: '10.9.1.0/24', mode: 'l2' })
    await cluster.make('Port', 'b/p', { subnet: 's', node: 'n2' })
    const both = advertised('10.9.0.0/20').advertise.subnets
    await change(cluster, 'BGPSessionGroup', 'edge', { advertise: { subnets: [...both, { namespace: 'b', name: 's' }] } })
    await cluster.advance(1_000)
    assert.equal(await accepted(cluster, 'edge'), 'Subnet b/s: 10.9.1.0/24 overlaps 10.9.0.0/20 of Subnet a/s')

    await change(cluster, 'BGPSessionGroup', 'edge', advertised())
    assert.deepEqual((await prefixesSaid(cluster))['n1'], ['10.1.0.0/24'])
    await cluster.advance(leavingMs + 1_000)
    assert.deepEqual(await locked(cluster), ['v4-10: 10.1.0.0/24 of a/s'])
  }))

test('of two Vpcs that overlap one is advertised, and the other is told who has it, until that is free', () =>
  inCluster(async (cluster) => {
    await network(cluster, { mode: 'l2' })
    await network(cluster, { namespace: 'b', cidr: '10.1.0.0/16', mode: 'l2' })
    await cluster.make('Port', 'a/p', { subnet: 's', node: 'n1' })
    await cluster.make('Port', 'b/p', { subnet: 's', node: 'n2' })
    await cluster.make('BGPSessionGroup', 'edge', group())
    await cluster.settle()
    await change(cluster, 'BGPSessionGroup', 'edge', { advertise: { subnets: [...subnets, { namespace: 'b', name: 's' }] } })
    await cluster.advance(1_000)
    assert.deepEqual(await prefixesSaid(cluster), { n1: ['10.1.0.0/24'], n2: [], n3: [] })
    assert.equal(await accepted(cluster, 'edge'), 'Subnet b/s: 10.1.0.0/16 overlaps 10.1.0.0/24 of Subnet a/s')

    await change(cluster, 'BGPSessionGroup', 'edge', { advertise: { subnets: [{ namespace: 'b', name: 's' }] } })
    await cluster.advance(1_000)
    assert.deepEqual(await prefixesSaid(cluster), { n1: [], n2: [], n3: [] })
    assert.equal(await accepted(cluster, 'edge'), 'Subnet b/s: 10.1.0.0/16 overlaps 10.1.0.0/24 of Subnet a/s, which is leaving')
    await cluster.advance(leavingMs)
    assert.deepEqual(await prefixesSaid(cluster), { n1: [], n2: ['10.1.0.0/16'], n3: [] })
    assert.deepEqual(await locked(cluster), ['v4-10: 10.1.0.0/16 of b/s'])
  }))

test('routes come into a Vpc that asks for them, on nodes that have a Port in it', () =>
  inCluster(async (cluster) => {
    await network(cluster, { groups: ['edge'] })
    await network(cluster, { namespace: 'b', groups: [], cidr: '10.2.0.0/24' })
    await cluster.make('Port', 'a/p', { subnet: 's', node: 'n1' })
    await cluster.make('Port', 'b/p', { subnet: 's', node: 'n1' })
    await cluster.make('BGPSessionGroup', 'edge', group({ imports: [{ vpc: 'a/v', allow: [{ prefix: '0.0.0.0/0' }] }, { vpc: 'b/v' }] }))
    await cluster.settle()
    const vni = (await cluster.get('Vpc', 'a/v'))?.status?.vni
    const importsOf = async (name: string) => (await cluster.get('BGPSpeaker', name))?.spec.groups[0]?.imports
    assert.deepEqual(await importsOf('n1'), [{ vpc: 'a/v', vni, allow: [{ prefix: '0.0.0.0/0' }], gateways: ['10.1.0.1'] }])
    assert.deepEqual(await importsOf('n2'), [])
    assert.match((await accepted(cluster, 'edge'))!, /^Vpc b\/v: Vpc b\/v does not agree/)
    await change(cluster, 'Vpc', 'a/v', { bgpSessionGroups: [] })
    assert.deepEqual(await importsOf('n1'), [])
  }))

test('nodes come and go: each speaks with each, and nothing is left of one that is gone, or of a group', () =>
  inCluster(async (cluster) => {
    await network(cluster)
    await cluster.make('Port', 'a/p', { subnet: 's', node: 'n2' })
    await cluster.make('BGPSessionGroup', 'edge', group())
    await cluster.settle()
    const peersOf = async (name: string) =>
      (await cluster.get('BGPSpeaker', name))?.spec.groups[0]?.sessions.map((each) => `${each.name} ${each.address}`)
    assert.deepEqual(await peersOf('n1'), ['node-n2 192.0.2.2', 'node-n3 192.0.2.3'])
    await node(cluster, 'n4', '192.0.2.4')
    await cluster.store.delete({ kind: 'Node', name: 'n2' })
    await cluster.settle()
    assert.deepEqual(await peersOf('n1'), ['node-n3 192.0.2.3', 'node-n4 192.0.2.4'])
    assert.deepEqual(await peersOf('n4'), ['node-n1 192.0.2.1', 'node-n3 192.0.2.3'])
    assert.equal(await cluster.get('BGPSpeaker', 'n2'), undefined)

    await cluster.advance(1_000)
    const { configured, established, nodes } = (await cluster.get('BGPSessionGroup', 'edge'))!.status!
    assert.deepEqual([configured, established, nodes?.map((each) => each.node)], [6, 0, ['n1', 'n3', 'n4']])
    await cluster.store.patchStatus(
      { ref: { kind: 'BGPSpeaker', name: 'n1' }, uid: (await cluster.get('BGPSpeaker', 'n1'))!.metadata.uid },
      {
        node: {
          daemon: { program: 'bird', state: 'running' },
          sessions: [{ group: 'edge', session: 'node-n3', address: '192.0.2.3', state: 'established', imported: 2 }],
        },
      },
    )
    await cluster.advance(1_000)
    assert.equal((await cluster.get('BGPSessionGroup', 'edge'))!.status!.established, 1)

    await cluster.store.delete({ kind: 'BGPSessionGroup', name: 'edge' })
    await cluster.advance(1_000)
    assert.deepEqual(await cluster.all('BGPSpeaker'), [])
    assert.deepEqual(await cluster.all('BGPSessionGroup'), [])
    await cluster.advance(leavingMs)
    assert.deepEqual(await cluster.all('PrefixLock'), [])
  }))

test('a node says what a pod brings there, although its Port is made whole in one commit', () =>
  inCluster(async (cluster) => {
    await network(cluster)
    await cluster.make('BGPSessionGroup', 'edge', group())
    await cluster.settle()
    await makePod(cluster, 'a/web', { vpc: 'v', node: 'n2', nics: [{ name: 'eth0', subnet: 's' }] })
    await cluster.settle()
    assert.deepEqual(await prefixesSaid(cluster), { n1: [], n2: ['hosts of 10.1.0.0/24'], n3: [] })
  }))

test('every node knows which blocks are of the group, also where it has no Port in them', () =>
  inCluster(async (cluster) => {
    await network(cluster)
    await cluster.make('BGPSessionGroup', 'edge', group())
    await cluster.settle()
    const own = async () => (await cluster.all('BGPSpeaker')).map(({ spec }) => spec.groups[0]?.own)
    assert.deepEqual(await own(), [['10.1.0.0/24'], ['10.1.0.0/24'], ['10.1.0.0/24']])
    await change(cluster, 'Vpc', 'a/v', { bgpSessionGroups: [] })
    await cluster.advance(leavingMs + 1_000)
    assert.deepEqual(await own(), [undefined, undefined, undefined])
  }))

test('a pool of service addresses is known to each node of its Vpc; of an l2 one each address is a route of its own', () =>
  inCluster(async (cluster) => {
    await network(cluster, { mode: 'l2' })
    await cluster.make('Subnet', 'a/pool', { vpc: 'v', mode: 'l3', ipv4: { cidr: '10.2.0.0/24' } })
    await cluster.make('Subnet', 'a/flat', { vpc: 'v', ipv4: { cidr: '10.3.0.0/24' } })
    await cluster.make('Port', 'a/p', { subnet: 's', node: 'n1' })
    const names = ['s', 'pool', 'flat'].map((name) => ({ namespace: 'a', name }))
    await cluster.make('BGPSessionGroup', 'edge', group({ advertise: { subnets: names } }))
    await cluster.advance(1_000)
    assert.deepEqual(await prefixesSaid(cluster), { n1: ['10.1.0.0/24'], n2: [], n3: [] })
    for (const [pool, address] of [
      ['pool', '10.2.0.9'],
      ['flat', '10.3.0.9'],
    ] as const)
      await cluster.make(
        'Service',
        `a/of-${pool}`,
        { type: 'LoadBalancer', loadBalancerClass: serviceClass, selector: { app: pool }, ports: [{ port: 80 }] },
        { annotations: { [poolAnnotation]: pool, [addressAnnotation]: address } },
      )
    await cluster.settle()
    const said = await prefixesSaid(cluster)
    assert.deepEqual(said['n1']?.toSorted(), ['10.1.0.0/24', '10.3.0.0/24', 'hosts of 10.2.0.0/24', 'hosts of 10.3.0.9/32'])
    assert.deepEqual(said['n2'], [])
    for (const pool of ['pool', 'flat']) await cluster.store.delete({ kind: 'Service', namespace: 'a', name: `of-${pool}` })
    await cluster.settle()
    assert.deepEqual((await prefixesSaid(cluster))['n1'], ['10.1.0.0/24'])
  }))

test('a node that is cordoned, or about to go, says so of its service addresses; one that load balancers are not to have announces none', () =>
  inCluster(async (cluster) => {
    await network(cluster)
    await cluster.make('BGPSessionGroup', 'edge', group())
    await makePod(cluster, 'a/web', { vpc: 'v', nics: [{ name: 'net1', subnet: 's' }], node: 'n1', metadata: { labels: { app: 'web' } } })
    await cluster.settle()
    const pod = (await cluster.get('Pod', 'a/web'))!
    await cluster.store.replaceForeignStatus(refOf(pod), pod.metadata.uid, {
      ...pod.status,
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
    })
    await cluster.make(
      'Service',
      'a/web',
      { type: 'LoadBalancer', loadBalancerClass: serviceClass, selector: { app: 'web' }, ports: [{ port: 80 }] },
      { annotations: { [poolAnnotation]: 's' } },
    )
    await cluster.advance(1_000)
    const is = async (): Promise<readonly unknown[]> => [
      (await cluster.get('BGPSpeaker', 'n1'))?.spec.serviceAddresses,
      (await cluster.get('ServiceAddress', 'a/web'))?.status?.announcing,
    ]
    const after = async (spec: SpecOf<'Node'>, labels: Record<string, string> = {}): Promise<readonly unknown[]> => {
      const { metadata, ...n1 } = (await cluster.get('Node', 'n1'))!
      await cluster.store.update({ ...n1, metadata: { ...metadata, labels }, spec })
      await cluster.settle()
      await cluster.advance(1_000)
      return is()
    }
    const taint = (key: string, effect: string) => ({ taints: [{ key, effect }] })
    const [ever, leaving] = [
      [undefined, ['n1']],
      ['leaving', ['n1']],
    ]
    assert.deepEqual(await is(), ever)
    assert.deepEqual(await after({ unschedulable: true }), leaving)
    assert.deepEqual(await after({}), ever)
    assert.deepEqual(await after(taint('node.kubernetes.io/out-of-service', 'NoExecute')), leaving)
    assert.deepEqual(await after(taint('ToBeDeletedByClusterAutoscaler', 'NoSchedule')), leaving)
    assert.deepEqual(await after(taint('example.org/dedicated', 'NoExecute')), ever, 'who tolerates that is there to stay')
    const excluded = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' }
    assert.deepEqual(await after({ unschedulable: true }, excluded), ['withheld', []])
    assert.deepEqual(await after({}), ever)
  }))
