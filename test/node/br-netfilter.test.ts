// The node's own packet filter, which br_netfilter shows frames of bridges to: what it does with Ports' frames without our table, and with
// it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ownConntrackTable, letPass } from '../../agent/tables/own-conntrack.ts'
import { withNodeTable, type NodeTable } from '../../agent/tables/with-node-table.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { LinkRefused } from '../../core/errors.ts'
import { realClock } from '../../platform/clock.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { builtAddon } from './kernel.ts'
import { addPod, reaches, setPieces, withNodes, type Node, type Pod } from './linux-nodes.ts'
import { frameBetween, listen, pythonSkip, sendFrames, udpPayload } from './raw-frames.ts'

const moduleSkip = existsSync('/proc/sys/net/bridge') ? false : 'this machine has no br_netfilter: /proc/sys/net/bridge is not there'
const signal = new AbortController().signal

const tableOf = (node: Node): NodeTable =>
  ownConntrackTable({
    uplinks: ['up0'],
    netlink: async () => openNetlink(await builtAddon(), node.space.path),
    clock: realClock,
    netns: node.space.path,
  })

/** In a node, as its operator types it. */
async function type(node: Node, command: string): Promise<string> {
  const { code, stdout, stderr } = await node.space.namespace.exec('sh', '-c', command)
  assert.equal(code, 0, `${command}: ${stderr}`)
  return stdout
}

/** br_netfilter shows everything, whatever the machine's own setting is. */
const show = (node: Node, to: 0 | 1 = 1): Promise<string> =>
  type(node, `for of in iptables ip6tables; do echo ${to} > /proc/sys/net/bridge/bridge-nf-call-$of; done`)

/** Packets that a rule of the node's filter has counted. */
async function counted(node: Node, chain: string, state: string): Promise<number> {
  const line = (await type(node, `iptables -w -nvxL ${chain}`)).split('\n').find((each) => each.includes(state))
  return Number(/^\s*(\d+)/.exec(line ?? '')?.[1])
}

describe('Ports of the Linux data plane beside br_netfilter', { skip: ovsSkip || pythonSkip || moduleSkip }, () => {
  test("a VPC's address that a Service has too is not sent to the Service, in a node and between two", () =>
    withNodes(async (spaces, nodes) => {
      const [one, two] = nodes
      const pods = [
        await addPod(spaces, one, { vni: 5001, host: 10 }),
        await addPod(spaces, one, { vni: 5001, host: 11 }),
        await addPod(spaces, two, { vni: 5001, host: 12 }),
      ]
      await setPieces(pods, nodes)
      for (const node of nodes) {
        await show(node)
        // As kube-proxy has it, of both addresses; and what comes from a VPC is masqueraded, as what leaves the cluster.
        for (const service of ['10.0.0.11', '10.0.0.12'])
          await type(node, `iptables -w -t nat -A PREROUTING -d ${service} -j DNAT --to 172.30.9.9`)
        await type(node, 'iptables -w -t nat -A POSTROUTING -s 10.0.0.0/24 -j SNAT --to 172.30.9.8')
      }
      for (const to of ['10.0.0.11', '10.0.0.12'])
        assert.equal(await reaches(pods[0]!, to), false, `without our table ${to} is the Service's`)
      for (const node of nodes) await tableOf(node).put()
      for (const to of ['10.0.0.11', '10.0.0.12', '2001:db8:a0::11', '2001:db8:a0::12']) assert.ok(await reaches(pods[0]!, to), to)
      const { stdout } = await pods[1]!.space.namespace.ip('neigh', 'show', '10.0.0.10')
      assert.match(stdout, new RegExp(pods[0]!.port.mac), 'and it sees who it is from')
    }))

  test('two tenants with the same addresses and UDP ports share no connections: none of theirs is tracked', () =>
    withNodes(async (spaces, [one]) => {
      const ofTenant = async (vni: number): Promise<readonly [Pod, Pod]> => [
        await addPod(spaces, one, { vni, host: 10 }),
        await addPod(spaces, one, { vni, host: 11 }),
      ]
      const [blue, red] = [await ofTenant(5001), await ofTenant(5002)]
      await show(one)
      for (const state of ['NEW', 'ESTABLISHED', 'UNTRACKED'])
        await type(one, `iptables -w -A FORWARD -p udp -m conntrack --ctstate ${state}`)
      const talk = async (): Promise<void> => {
        await send(blue[0], blue[1], udpPayload(1_000, 2_000))
        await send(blue[1], blue[0], udpPayload(2_000, 1_000))
        await send(red[0], red[1], udpPayload(1_000, 2_000))
      }
      const states = async (): Promise<readonly number[]> =>
        Promise.all(['NEW', 'ESTABLISHED', 'UNTRACKED'].map((state) => counted(one, 'FORWARD', `ctstate ${state}`)))
      await talk()
      assert.deepEqual(await states(), [1, 2, 0], "without our table the second tenant's packet is of the first one's connection")
      await tableOf(one).put()
      await talk()
      assert.deepEqual(await states(), [1, 2, 3])
    }))

  test('a filter that drops what is forwarded is told of with the sentence to type, and passes once that is typed', () =>
    withNodes(async (spaces, [one]) => {
      const pods = [await addPod(spaces, one, { vni: 5001, host: 10 }), await addPod(spaces, one, { vni: 5001, host: 11 })]
      const plane = withNodeTable(one.plane, tableOf(one))
      const item = plane.renderer.base().find(({ key }) => key.startsWith('apart/'))!
      const isRight = async (): Promise<boolean> => (await plane.observe(undefined, signal)).get(item.key) === item.text
      await show(one)
      await plane.apply({ drop: [], put: [item] }, signal)
      assert.equal(await isRight(), true)
      // Docker does so whenever it starts.
      for (const program of ['iptables', 'ip6tables']) await type(one, `${program} -w -P FORWARD DROP`)
      assert.deepEqual([await isRight(), await reaches(pods[0]!, '10.0.0.11')], [false, false], 'the next look finds it')
      await refused(plane.apply({ drop: [], put: [item] }, signal), [letPass('v4'), letPass('v6')])
      await type(one, letPass('v4'))
      await refused(plane.apply({ drop: [], put: [item] }, signal), [letPass('v6')])
      await type(one, letPass('v6'))
      await plane.apply({ drop: [], put: [item] }, signal)
      for (const to of pods[1]!.port.addresses) assert.ok(await reaches(pods[0]!, to), to)
      // The other way out that the sentence names.
      for (const program of ['iptables', 'ip6tables']) await type(one, `${program} -w -F FORWARD`)
      assert.equal(await isRight(), false)
      await show(one, 0)
      assert.deepEqual([await isRight(), await reaches(pods[0]!, '10.0.0.11')], [true, true])
      await plane.apply({ drop: [item], put: [] }, signal)
      assert.doesNotMatch(await type(one, 'nft list tables; ip -o link'), /megrez-apart|mgbr[tu]/, 'nothing of ours is left')
    }))
})

/** One datagram, which arrives. */
async function send(from: Pod, to: Pod, data: string): Promise<void> {
  const ear = await listen(to.space.namespace, 'eth0')
  const frame = frameBetween(from.port, to.port, 17, data)
  await sendFrames(from.space.namespace, 'eth0', [frame])
  await until(() => ear.heard.some((each) => each.startsWith(frame.slice(0, 76))), 'it arrives')
  await ear.close()
}

async function refused(doing: Promise<void>, commands: readonly string[]): Promise<void> {
  await assert.rejects(doing, (err) => {
    assert.ok(err instanceof LinkRefused)
    const typed = (['v4', 'v6'] as const).map(letPass).filter((each) => err.message.includes(each))
    assert.deepEqual(typed, commands, err.message)
    return true
  })
}
