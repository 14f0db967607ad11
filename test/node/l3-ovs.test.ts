// Packets that the kernel of nodes routes, over Open vSwitch: what is for a gateway rises to the kernel, and comes back for a MAC.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { openRouting } from '../../agent/routing/open.ts'
import { withKernelRoutes } from '../../agent/routing/with-kernel-routes.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { routerName } from '../../core/net/router-name.ts'
import type { Segment } from '../../core/node/wanted.ts'
import { doorKeys } from '../../core/pipeline/features/segment.ts'
import type { SwitchValue } from '../../core/pipeline/ovsdb/switch.ts'
import { until } from '../setup/until.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { builtAddon } from './kernel.ts'
import { l2, l3, routeByBgp, segment, vni } from './routed-segment.ts'
import { reach, startTwoNodes, type LabNode, type Pod, type TwoNodes } from './two-nodes.ts'

async function withNodes(run: (lab: TwoNodes) => Promise<void>): Promise<void> {
  const addon = await builtAddon()
  const lab = await startTwoNodes({
    beside: (plane, { name }) =>
      withKernelRoutes(plane, {
        open: async () => openRouting({ addon, netlink: await openNetlink(addon, `/run/netns/${name}`), netns: `/run/netns/${name}` }),
        doorKeys,
      }) as Dataplane<SwitchValue>,
  })
  try {
    for (const { ovs } of lab.nodes) await ovs.namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
    await run(lab)
  } finally {
    await lab.close()
  }
}

/** As BGP brings it there. */
async function announce(pod: Pod, to: LabNode): Promise<void> {
  for (const address of pod.port.addresses) {
    await to.ovs.namespace.ip(...routeByBgp(`${address}/32`, pod.node.tunnelAddress))
  }
}

interface PodPlace {
  readonly net: 0 | 1
  readonly host: number
  readonly of?: number
}
const pod = (lab: TwoNodes, node: LabNode, { net, host, of = vni }: PodPlace): Promise<Pod> =>
  lab.addPod(node, {
    name: `p${net}${host}`,
    attachment: { kind: 'vni', vni: of },
    addresses: [`10.0.${net}.${host}`],
    gateways: [`10.0.${net}.1`],
  })

describe('routes over Open vSwitch', { skip: ovsSkip }, () => {
  test('pods of l3 and l2 Subnets of one VNI reach each other on one node and between two, and the kernel tells of used-up hops', () =>
    withNodes(async (lab) => {
      const [one, two] = lab.nodes
      const pods = [
        await pod(lab, one, { net: 0, host: 10 }),
        await pod(lab, one, { net: 0, host: 11 }),
        await pod(lab, two, { net: 0, host: 12 }),
        await pod(lab, two, { net: 1, host: 13 }),
        await pod(lab, one, { net: 1, host: 14 }),
      ] as const
      for (const each of pods.slice(0, 3)) await announce(each, each.node === one ? two : one)
      await lab.converge({ [vni]: segment })
      for (const from of pods)
        for (const to of pods) assert.ok(await from.pings(to.port.addresses[0]!), `${from.port.of.name} to ${to.port.of.name}`)
      for (const gateway of ['10.0.0.1', '10.0.1.1']) assert.ok(await pods[0].pings(gateway), gateway)
      const { stdout } = await pods[0].namespace.exec('ping', '-c', '1', '-W', '1', '-t', '1', '10.0.0.12')
      assert.match(stdout, /Time to live exceeded/)
      assert.ok((await one.ovs.namespace.ip('-s', 'link', 'show', 'dev', routerName(vni))).stdout.includes('mggx'))
      assert.equal(await reach(one.plane, lab.wantedOf(one)), 0, 'all is as it should be')
      for (const meddled of [
        ['link', 'del', routerName(vni)],
        ['rule', 'del', 'pref', '19770'],
      ]) {
        await one.ovs.namespace.ip(...meddled)
        // Open vSwitch says of a port that its device is gone when it has seen so: an audit may come before.
        const mended = async (): Promise<boolean> => (await reach(one.plane, lab.wantedOf(one))) >= 0 && pods[0].pings('10.0.0.12')
        await until(mended, `${meddled.join(' ')} is put right`)
      }
      // Not announced, the l2 Subnet is reached on all nodes by tunnels, and by l3 Ports of its own node.
      const { blocks, ...rest } = segment.router
      await lab.converge({ [vni]: { ...segment, router: { ...rest, blocks: blocks.filter(({ cidr }) => cidr === l3) } } })
      for (const to of [pods[2], pods[4]]) await until(() => pods[3].pings(to.port.addresses[0]!), `an l2 Port reaches ${to.port.of.name}`)
      assert.ok(await pods[2].pings(pods[3].port.addresses[0]!), 'and is reached')
      await lab.converge({ [vni]: { subnets: segment.subnets } })
      assert.doesNotMatch((await one.ovs.namespace.ip('link')).stdout, /mgg[wx]/)
      assert.doesNotMatch((await one.ovs.namespace.ip('rule')).stdout, /1977/)
    }))

  test('Ports of Vpcs that are peered reach each other on one node and between two, and no longer than both agree', () =>
    withNodes(async (lab) => {
      const [one, two] = lab.nodes
      const [red, blue] = [5001, 5002]
      const at = (node: LabNode, of: number, host: number): Promise<Pod> => pod(lab, node, { net: of === red ? 0 : 1, host, of })
      const reds = [await at(one, red, 10)] as const
      const blues = [await at(one, blue, 11), await at(two, blue, 12)]
      const peered = (isAgreed: boolean): Record<number, Partial<Segment>> =>
        Object.fromEntries(
          [
            { of: red, own: l3, gateway: '10.0.0.1', peer: blue, blocks: l2 },
            { of: blue, own: l2, gateway: '10.0.1.1', peer: red, blocks: l3 },
          ].map(({ of, own, gateway, peer, blocks }) => {
            const peers = isAgreed ? [{ vni: peer, own: [own], blocks: [blocks] }] : []
            return [of, { subnets: [{ cidr: own, gateway }], router: { number: 55_000 + of, blocks: [], ways: [], peers } }]
          }),
        )
      await lab.converge(peered(true))
      const between = async (): Promise<readonly boolean[]> => {
        const all: boolean[] = []
        for (const each of blues) all.push(await reds[0].pings(each.port.addresses[0]!), await each.pings(reds[0].port.addresses[0]!))
        return all
      }
      assert.deepEqual(await between(), [true, true, true, true])
      assert.equal(await reach(one.plane, lab.wantedOf(one)), 0, 'all is as it should be')
      await lab.converge(peered(false))
      assert.deepEqual(await between(), [false, false, false, false])
    }))
})
