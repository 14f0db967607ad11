// Packets for what is behind a Port, over the Linux data plane: and what comes from there.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routerName } from '../../core/net/router-name.ts'
import type { Endpoint, LocalPort, Segment } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ipOn, withL3Nodes, type L3Nodes } from './l3-nodes.ts'
import { addPod, hostIP, mend, reaches, want, wantSegment, type Node, type Pod } from './linux-nodes.ts'
import { routeByBgp, table, vni } from './routed-segment.ts'

const [four, six] = ['10.9.0.0/24', '2001:db8:9::/64']
const behind = ['10.9.0.5', '2001:db8:9::5']
const blocks = [
  { cidr: four, via: '10.0.0.7' },
  { cidr: six, via: '2001:db8:a0::7' },
]
const router = { number: 60_001, blocks: [], ways: [] }
const led: Partial<Segment> = { router, routedBlocks: blocks, hosts: [hostIP(1), hostIP(2)] }
const firewall: Partial<LocalPort> = { routedBlocks: [four, six], allowedAddressPairs: [{ ip: four }, { ip: six }] }

/** A host behind a pod, which is an address of the pod's own. */
async function forward({ space }: Pod): Promise<void> {
  for (const address of ['10.9.0.5/32', '2001:db8:9::5/128']) await space.namespace.ip('addr', 'add', address, 'dev', 'lo')
}

async function announce({ port, node }: Pod, other: Node): Promise<void> {
  for (const address of port.addresses) {
    const endpoint: Endpoint = { vni, address, mac: port.mac, hostIP: hostIP(node.n) }
    const items = other.plane.renderer.render(endpointPiece, endpoint, { segment: other.segments.get(vni) })
    await want(other, `endpoint ${address}`, items)
  }
}

async function pods({ spaces, nodes: [one, two] }: L3Nodes, segment: Partial<Segment>): Promise<readonly [Pod, Pod, Pod]> {
  const add = (node: Node, host: number, more: Partial<LocalPort> = {}): Promise<Pod> => addPod(spaces, node, { vni, host, more, segment })
  const all = [await add(one, 7, firewall), await add(one, 10), await add(two, 11)] as const
  await forward(all[0])
  await announce(all[0], two)
  await announce(all[1], two)
  await announce(all[2], one)
  return all
}

const from = async ({ space }: Pod, source: string, to: string): Promise<boolean> =>
  (await space.namespace.exec('ping', '-c', '1', '-W', '1', '-I', source, to)).code === 0

describe('packets for what is behind a Port', { skip: ovsSkip }, () => {
  test('are led to it on its node and from another, by its VNI, and it sends from there; another takes nothing of it', () =>
    withL3Nodes(async (lab) => {
      const [one, two] = lab.nodes
      const [fw, near, far] = await pods(lab, led)
      const all = async (): Promise<void> => {
        for (const pod of [near, far])
          for (const address of behind) await until(() => reaches(pod, address), `${pod.port.uid} to ${address}`)
      }
      await all()
      for (const pod of [near, far])
        for (const [i, address] of pod.port.addresses.entries())
          assert.ok(await from(fw, behind[i]!, address), `${behind[i]} to ${address}`)
      assert.equal(await reaches(far, '10.9.1.5'), false, 'beside the block')
      // Another Port with an address of the block says nothing from there, and hears nothing.
      await far.space.namespace.ip('addr', 'add', '10.9.0.6/32', 'dev', 'lo')
      assert.equal(await from(far, '10.9.0.6', near.port.addresses[0]!), false, 'from a block of another Port')
      assert.equal(await reaches(near, '10.9.0.6'), false)
      for (const meddled of [
        ['rule', 'del', 'pref', '19770', 'to', four],
        ['-6', 'route', 'flush', 'table', String(0x4e_00_00_00 + vni)],
        ['neigh', 'del', '10.0.0.7', 'dev', routerName(vni)],
      ]) {
        await ipOn(two, ...meddled)
        await mend(two)
        await all()
      }
      for (const node of [one, two]) await wantSegment(node, { ...node.segments.get(vni)!, routedBlocks: [] })
      for (const pod of [near, far]) for (const address of behind) assert.equal(await reaches(pod, address), false, `${address} is gone`)
    }))

  test('of an l3 Subnet are led to its node by routes that that one announces', () =>
    withL3Nodes(async (lab) => {
      const l3 = ['10.0.0.0/24', '2001:db8:a0::/64']
      const announced = [...l3, four, six].map((cidr) => ({ cidr, table, hostRoutes: true }))
      const [one, two] = lab.nodes
      const [fw, near, far] = await pods(lab, { l3, router: { ...router, blocks: announced } })
      const via = (cidr: string, node: Node): readonly string[] => [
        ...(cidr.includes(':') ? ['-6'] : []),
        ...routeByBgp(cidr, cidr.includes(':') ? `fd00::${node.n}` : hostIP(node.n)),
        ...['dev', 'under'],
      ]
      for (const node of lab.nodes) await ipOn(node, 'addr', 'add', `fd00::${node.n}/64`, 'dev', 'under', 'nodad')
      // As BGP brings it there: what the first node has as routes of its own.
      for (const cidr of [four, six, '10.0.0.7/32', '10.0.0.10/32', '2001:db8:a0::7/128', '2001:db8:a0::10/128'])
        await ipOn(two, ...via(cidr, one))
      for (const cidr of ['10.0.0.11/32', '2001:db8:a0::11/128']) await ipOn(one, ...via(cidr, two))
      for (const pod of [near, far]) for (const address of behind) await until(() => reaches(pod, address), `${pod.port.uid} to ${address}`)
      for (const [i, address] of far.port.addresses.entries()) assert.ok(await from(fw, behind[i]!, address), `${behind[i]} to ${address}`)
      const { stdout } = await one.space.namespace.ip('route', 'show', 'table', String(table))
      assert.match(stdout, new RegExp(`${four.replace('/', '/')} via 10\\.0\\.0\\.7 dev ${routerName(vni)} proto 77`))
      // Its Port goes, and so do its routes: nobody is led anywhere else.
      await want(one, `port ${fw.port.uid}`, [])
      assert.doesNotMatch((await one.space.namespace.ip('route', 'show', 'table', String(table))).stdout, /10\.9\.0\.0\/24 via/)
      assert.equal(await reaches(near, behind[0]!), false)
    }))
})
