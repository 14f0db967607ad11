// Packets that leave VNIs by their node, from the node's own address or one of a pool, over the Linux data plane: the second node is the
// world outside.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RoutedBlock, RoutedEgress, Segment } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { routerName } from '../../core/net/router-name.ts'
import { everywhere } from '../../core/net/cidr.ts'
import { connectionsMost } from '../../core/routing/egress-ruleset.ts'
import { hostRoute } from '../../core/routing/host-routes.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import type { Running } from './conversations.ts'
import { ipOn, withL3Nodes, type L3Nodes } from './l3-nodes.ts'
import { addPod, hostIP, mend, reaches, want, wantSegment, type Node, type Pod } from './linux-nodes.ts'
import { answers, startFlow, startNamed } from './named-servers.ts'

/** Two tenants with the same addresses. */
const vnis = [5001, 5002] as const
const host6 = (n: number): string => `2001:db8:bb::${n}`
const outside = ['198.51.100.9', '2001:db8:ee::9'] as const
const sources = [hostIP(1), host6(1)] as const
const l4Port = 7070

const letOut: RoutedEgress = { to: everywhere, except: ['192.0.2.0/24', '2001:db8:bb::/64'], sources }
const subnets = [
  { cidr: '10.0.0.0/24', gateway: '10.0.0.1' },
  { cidr: '2001:db8:a0::/64', gateway: '2001:db8:a0::1' },
]
const segmentOf = (vni: number, egress: RoutedEgress | undefined, blocks: readonly RoutedBlock[] = []): Segment => ({
  vni,
  subnets,
  flood: false,
  hosts: [],
  numbers: [],
  router: { number: 55_000 + vni, blocks, ways: [], ...(egress && { egress }) },
})

const pools = ['203.0.113.0/24', '2001:db8:cc::/64'] as const
/** Of each tenant its own. */
const pooled = (vni: number): readonly [string, string] => [`203.0.113.${vni - 5000}`, `2001:db8:cc::${vni - 5000}`]
const table = 7_100
/** As of a group that advertises the pool. */
const fromPool = (vni: number): Segment =>
  segmentOf(vni, { ...letOut, sources: pooled(vni) }, [
    ...pooled(vni).map((address) => ({ cidr: hostRoute(address), table, hostRoutes: true })),
  ])

interface Lab extends L3Nodes {
  readonly one: Node
  readonly world: Node
  readonly pods: readonly [Pod, Pod]
}

async function withTenants(
  run: (lab: Lab) => Promise<void>,
  segment: (vni: number) => Segment = (vni) => segmentOf(vni, letOut),
): Promise<void> {
  await withL3Nodes(async (lab) => {
    const [one, world] = lab.nodes
    for (const node of lab.nodes) await ipOn(node, 'addr', 'add', `${host6(node.n)}/64`, 'dev', 'under', 'nodad')
    await ipOn(world, 'addr', 'add', `${outside[0]}/32`, 'dev', 'lo')
    await ipOn(world, 'addr', 'add', `${outside[1]}/128`, 'dev', 'lo')
    // From where it is asked: a server of all its addresses answers from the one that a route names.
    await ipOn(world, 'route', 'add', `${hostIP(1)}/32`, 'dev', 'under', 'src', outside[0])
    await ipOn(world, '-6', 'route', 'add', `${host6(1)}/128`, 'dev', 'under', 'src', outside[1])
    // As the gateway of a group has it from the node.
    await ipOn(world, 'route', 'add', pools[0], 'via', hostIP(1), 'src', outside[0])
    await ipOn(world, '-6', 'route', 'add', pools[1], 'via', host6(1), 'src', outside[1])
    await ipOn(one, 'route', 'add', 'default', 'via', hostIP(2))
    await ipOn(one, '-6', 'route', 'add', 'default', 'via', host6(2))
    const add = (vni: number, number: number): Promise<Pod> =>
      addPod(lab.spaces, one, { vni, host: 10, segment: segment(vni), more: { number } })
    const pods = [await add(vnis[0], 10), await add(vnis[1], 11)] as const
    const server = await startNamed(world.space.namespace, 'world', [l4Port])
    try {
      await run({ ...lab, one, world, pods })
    } finally {
      await server.close()
    }
  })
}

/** What ping says. */
const pinged = async ({ space }: Pod, ...args: readonly string[]): Promise<string> =>
  (await space.namespace.exec('ping', '-c', '2', '-i', '0.2', '-W', '1', ...args)).stdout
/** Datagrams, each to another port: so many connections. */
const many = `
import socket,sys
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
for port in range(10000,10000+int(sys.argv[2])): s.sendto(b'?',(sys.argv[1],port))
`

/** Whom the world sees, asked by all at once; UDP from the same port of the same address. */
const seenBy = (pods: readonly Pod[], kind: 'tcp' | 'udp', to: string): Promise<readonly string[]> =>
  Promise.all(
    pods.map(async ({ space }) => {
      const asked = { kind, to, l4Port, times: 5, source: '', ownL4Port: kind === 'udp' ? 4_444 : 0 }
      return [...new Set(await answers(space.namespace, asked))].join()
    }),
  )
const lines = (flow: Running): number => flow.printed().split('\n').length
async function goesOn(flow: Running): Promise<void> {
  const before = lines(flow)
  await until(() => lines(flow) > before + 2, 'a flow to go on')
  assert.doesNotMatch(flow.printed(), /broken/)
}

describe('packets that leave a VNI by the node', { skip: ovsSkip }, () => {
  test('two tenants with one address reach the world at once, which sees the address of the node; TCP, UDP, ICMP, both families', () =>
    withTenants(async ({ pods }) => {
      const [own, own6] = sources
      for (const [to, source] of [
        [outside[0], own],
        [outside[1], own6],
      ] as const)
        for (const kind of ['tcp', 'udp'] as const)
          assert.deepEqual(
            await seenBy(pods, kind, to),
            pods.map(() => `world ${source}`),
            `${kind} to ${to}`,
          )
      for (const pod of pods) for (const to of outside) assert.ok(await reaches(pod, to), `${pod.vni} to ${to}`)
    }))

  test('the node itself, what is left out and the other tenant are not reached, and who was led elsewhere does not leave', () =>
    withTenants(async ({ pods, one, world }) => {
      for (const pod of pods) for (const to of [hostIP(1), host6(1), hostIP(2), host6(2)]) assert.equal(await reaches(pod, to), false, to)
      // As kube-proxy leads whoever asks for an address of the cluster.
      const rules =
        'table ip nat-of-others { chain pre { type nat hook prerouting priority -100; ip daddr 203.0.113.5 dnat to 198.51.100.9; }; }'
      await one.space.namespace.exec('nft', rules)
      assert.equal(await reaches(pods[0], '203.0.113.5'), false, 'an address of the cluster')
      await ipOn(world, 'addr', 'add', '203.0.113.6/32', 'dev', 'lo')
      assert.ok(await reaches(pods[0], '203.0.113.6'), 'one beside it')
    }))

  test('it is told what has no way: hops that are used up, ports that nobody has, and what it may not leave for', () =>
    withTenants(async ({ pods: [pod] }) => {
      for (const to of outside) {
        assert.match(await pinged(pod, '-t', '1', to), /Time to live exceeded|Hop limit/, to)
        assert.deepEqual(await answers(pod.space.namespace, { kind: 'udp', to, l4Port: 9, times: 1 }), ['refused'])
      }
      for (const to of [hostIP(2), host6(2)]) assert.match(await pinged(pod, to), /[Uu]nreachable|No route/, to)
    }))

  test('connections live as long as it is allowed and the Port is there, and what others take away is put back', () =>
    withTenants(async ({ pods, one }) => {
      const [pod, other] = pods
      const flows = await Promise.all(pods.map(({ space }) => startFlow(space.namespace, outside[0], l4Port)))
      const [own, theirs] = flows as [Running, Running]
      for (const flow of flows) await goesOn(flow)
      await want(one, `port ${pod.port.uid}`, [])
      await until(() => /broken/.test(own.printed()), 'the end of a flow whose Port is gone')
      await goesOn(theirs)
      for (const meddled of [
        ['delete', 'table', 'inet', 'megrez-egress'],
        ['flush', 'set', 'inet', 'megrez-egress', 'leaves4'],
        ['flush', 'map', 'inet', 'megrez-egress', 'source6'],
        ['flush', 'set', 'inet', 'megrez-egress', 'left6'],
        ['flush', 'chain', 'inet', 'megrez-egress', 'lead'],
      ]) {
        await one.space.namespace.exec('nft', ...meddled)
        await mend(one)
        for (const to of outside) assert.ok(await reaches(other, to), `${meddled.join(' ')}, ${to}`)
      }
      for (const meddled of [
        ['rule', 'del', 'pref', '19774'],
        ['-6', 'rule', 'del', 'pref', '19776'],
      ]) {
        await ipOn(one, ...meddled)
        await mend(one)
        for (const to of outside) assert.ok(await reaches(other, to), `${meddled.join(' ')}, ${to}`)
      }
      const last = await startFlow(other.space.namespace, outside[1], l4Port)
      await goesOn(last)
      const segment = segmentOf(other.vni, undefined)
      await wantSegment(one, segment)
      await want(one, `port ${other.port.uid}`, one.plane.renderer.render(portPiece, other.port, { segment }))
      await until(() => /broken/.test(last.printed()), 'the end of a flow that is not let out any more')
      const { stdout } = await one.space.namespace.exec('nft', 'list', 'table', 'inet', 'megrez-egress')
      assert.ok(!stdout.includes(`"${routerName(other.vni)}"`), stdout)
      for (const flow of [...flows, last]) await flow.close()
    }))

  test('one Vpc has no more connections at a time than the node gives it, and another one has its own', () =>
    withTenants(async ({ pods: [pod, other], one }) => {
      assert.equal(await one.plane.connectionsRefused?.(), 0)
      await pod.space.namespace.exec('python3', '-c', many, outside[0], String(connectionsMost + 64))
      assert.deepEqual(await answers(pod.space.namespace, { kind: 'tcp', to: outside[0], l4Port, times: 1 }), ['silent'])
      assert.deepEqual(await answers(other.space.namespace, { kind: 'tcp', to: outside[0], l4Port, times: 1 }), [`world ${sources[0]}`])
      assert.ok((await one.plane.connectionsRefused?.())! >= 64, 'it is counted')
    }))
})

describe('packets that leave a VNI from an address of a pool', { skip: ovsSkip }, () => {
  test('two tenants with one address are seen as two, each at its own, which their node announces', () =>
    withTenants(async ({ pods, one }) => {
      for (const [i, to] of outside.entries()) {
        const seen = pods.map(({ vni }) => `world ${pooled(vni)[i]}`)
        for (const kind of ['tcp', 'udp'] as const) assert.deepEqual(await seenBy(pods, kind, to), seen, `${kind} to ${to}`)
        for (const pod of pods) {
          assert.ok(await reaches(pod, to), `${pod.vni} to ${to}`)
          assert.match(await pinged(pod, '-t', '1', to), /Time to live exceeded|Hop limit/, 'errors come back')
        }
      }
      const routes = async (family: '-4' | '-6'): Promise<string> =>
        (await one.space.namespace.ip(family, 'route', 'show', 'table', String(table), 'proto', '77')).stdout
      for (const { vni } of pods) {
        const [own, own6] = pooled(vni)
        assert.match(await routes('-4'), new RegExp(`^${own} dev ${routerName(vni)}`, 'm'))
        assert.match(await routes('-6'), new RegExp(`^${own6} dev ${routerName(vni)}`, 'm'))
      }
    }, fromPool))

  test('nothing of the node is reached at it, whatever listens on all of its addresses, and it is told so; neither is a pod', () =>
    withTenants(async ({ pods, one, world }) => {
      const open = await startNamed(one.space.namespace, 'node', [7_071])
      const inside = await startNamed(pods[0].space.namespace, 'pod', [7_072])
      const flow = await startFlow(pods[0].space.namespace, outside[0], l4Port)
      try {
        const from = world.space.namespace
        const ask = (kind: 'tcp' | 'udp', to: string, at: number): Promise<readonly string[]> =>
          answers(from, { kind, to, l4Port: at, times: 1 })
        assert.deepEqual(await ask('tcp', hostIP(1), 7_071), [`node ${outside[0]}`], 'at its own it is')
        const addresses = pods.flatMap(({ vni }) => pooled(vni))
        for (const address of addresses) {
          const asked = [ask('tcp', address, 7_071), ask('udp', address, 7_071), ask('tcp', address, 7_072), ask('udp', address, 7_072)]
          assert.deepEqual(new Set((await Promise.all(asked)).flat()), new Set(['refused']), address)
          const { stdout } = await from.exec('ping', '-c', '1', '-W', '1', address)
          assert.match(stdout, /Destination Port Unreachable|Port unreachable/, address)
        }
        // Nor by who sends from the same address, or from another one.
        for (const pod of pods) for (const to of addresses) assert.equal(await reaches(pod, to), false, to)
        await goesOn(flow)
      } finally {
        for (const each of [open, inside, flow]) await each.close()
      }
    }, fromPool))

  test('a change between the address of the node and one of a pool ends what had the old one, and nothing of another Vpc', () =>
    withTenants(async ({ pods: [pod, other], one }) => {
      const theirs = await startFlow(other.space.namespace, outside[1], l4Port)
      const change = async (segment: Segment, seen: readonly string[]): Promise<void> => {
        const flows = await Promise.all(outside.map((to) => startFlow(pod.space.namespace, to, l4Port)))
        for (const flow of flows) await goesOn(flow)
        await wantSegment(one, segment)
        await until(() => flows.every((flow) => /broken/.test(flow.printed())), 'flows end')
        for (const [i, to] of outside.entries()) assert.deepEqual(await seenBy([pod], 'tcp', to), [`world ${seen[i]}`])
        for (const flow of flows) await flow.close()
      }
      await change(fromPool(pod.vni), pooled(pod.vni))
      const others = pooled(5_077)
      const blocks = others.map((address) => ({ cidr: hostRoute(address), table, hostRoutes: true }))
      await change(segmentOf(pod.vni, { ...letOut, sources: others }, blocks), others)
      await change(segmentOf(pod.vni, letOut), sources)
      await goesOn(theirs)
      await theirs.close()
      const left = await one.space.namespace.exec(
        'sh',
        '-c',
        `ip route show table ${table}; ip -6 route show table ${table}; nft list ruleset`,
      )
      assert.doesNotMatch(left.stdout, /203\.0\.113|2001:db8:cc/)
    }))
})
