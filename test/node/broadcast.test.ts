// A Vpc that carries broadcast, from the object to the frame: one node with Open vSwitch and one with the kernel's plane, under agents.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { broadcastLimit } from '../../core/node/broadcast.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { linuxCarrier, ovsCarrier, type Carrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'
import {
  bridgeIn,
  everybody,
  groupFrame,
  heardBy,
  heardOf,
  makeNetwork,
  storm,
  vrrpGroup,
  type BroadcastNetwork,
  type NetworkPod,
} from './broadcast-network.ts'
import { arpFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const vip = '10.1.0.240'
const [behindOvs, behindLinux] = ['10.1.0.250', '10.1.0.251']

describe('a Vpc that carries broadcast', { skip }, () => {
  let agents: Agents
  let net: BroadcastNetwork
  let ovs: NodeWith<OvsCarrier>
  let linux: NodeWith<Carrier>
  /** Guarded ones, which may have an address beside their own, and one on each node that is not. */
  let one: NetworkPod, far: NetworkPod, third: NetworkPod, free: NetworkPod, farFree: NetworkPod
  const made: Namespace[] = []
  before(async () => {
    agents = await startAgents()
    ;[ovs, linux] = [await agents.node('o', ovsCarrier), await agents.node('l', linuxCarrier)]
    net = await makeNetwork(agents, 'fabric')
    const pair = { allowedAddressPairs: [{ ip: vip }] }
    one = await net.pod(ovs, 'one', pair)
    far = await net.pod(linux, 'far', pair)
    third = await net.pod(linux, 'third')
    free = await net.pod(ovs, 'free', { portSecurity: false })
    farFree = await net.pod(linux, 'far-free', { portSecurity: false })
    await answers(one, far.address)
  })
  after(async () => {
    await agents.close()
    for (const namespace of made) await namespace.remove()
  })
  const answers = (from: NetworkPod | Namespace, address: string): Promise<void> =>
    until(() => reaches('sandbox' in from ? from.sandbox.namespace : from, address, { tries: 1 }), `${address} answers`, 15_000)
  const unknown = '06:aa:00:00:00:01'
  /** Whether somebody on the other node answers an echo to all nodes of the link (ff02::1). */
  const answersToAll = async (from: NetworkPod): Promise<boolean> => {
    const { stdout } = await from.sandbox.namespace.exec('ping', '-6', '-c', '2', '-i', '0.3', '-W', '1', 'ff02::1%eth0')
    return new Set([...stdout.matchAll(/ from (fe80:[0-9a-f:]+)/g)].map(([, address]) => address)).size > 2
  }

  test('without a word of it nothing reaches another node: broadcast, multicast, IPv6 or a MAC that nobody has', async () => {
    for (const [from, to] of [
      [one, far],
      [far, one],
    ] as const)
      assert.deepEqual(
        await heardOf(
          from,
          [everybody, vrrpGroup, unknown].map((group) => groupFrame(from, group)),
          [to],
          600,
        ),
        [0],
      )
    assert.equal(await answersToAll(one), false)
  })

  test('said of a running network it reaches all nodes: broadcast and multicast everybody, an unknown MAC those that may have it', async () => {
    await net.broadcast(true)
    await until(async () => (await heardBy(one, groupFrame(one, everybody), [far], 500))[0]!, 'the agents have heard it')
    await until(async () => (await heardBy(far, groupFrame(far, everybody), [one], 500))[0]!, 'both of them')
    for (const [from, others] of [
      [one, [far, third, free, farFree]],
      [far, [one, third, free, farFree]],
    ] as const) {
      const frames = [vrrpGroup, unknown].map((group) => groupFrame(from, group))
      assert.deepEqual(await heardOf(from, frames, others, 1_500), [1, 1, 2, 2])
    }
    assert.equal(await answersToAll(one), true)
    assert.equal(await answersToAll(far), true)
  })

  test("who speaks with a neighbour's MAC, or a gateway's, gets none of its frames", async () => {
    for (const [thief, owner, asker] of [
      [farFree, third, one],
      [free, one, third],
    ] as const) {
      await sendFrames(
        thief.sandbox.namespace,
        'eth0',
        [owner.mac, gatewayMac].map((mac) => groupFrame(thief, everybody, mac)),
      )
      const frames = [groupFrame(asker, owner.mac), groupFrame(asker, gatewayMac)]
      assert.deepEqual(await heardOf(asker, frames, [owner, thief], 800), [1, 0])
    }
  })

  test('a virtual address goes from one node to the other with whoever announces it, as VRRP moves it', async () => {
    for (const [now, other] of [
      [one, far],
      [far, one],
      [one, far],
    ] as const) {
      await other.sandbox.namespace.exec('ip', 'addr', 'del', `${vip}/32`, 'dev', 'eth0')
      await now.sandbox.namespace.ip('addr', 'add', `${vip}/32`, 'dev', 'eth0')
      await sendFrames(now.sandbox.namespace, 'eth0', [arpFrame({ from: vip, asks: vip, mac: now.mac })])
      for (const from of [third, other]) await answers(from, vip)
      const { stdout } = await third.sandbox.namespace.exec('ip', 'neigh', 'show', vip)
      assert.ok(stdout.includes(now.mac), stdout)
    }
  })

  test('what is behind bridges in pods is reached from both nodes, and reaches each other', async () => {
    const here = await bridgeIn(free, behindOvs)
    const there = await bridgeIn(farFree, behindLinux)
    made.push(here, there)
    for (const from of [one, far, there]) await answers(from, behindOvs)
    for (const from of [one, far, here]) await answers(from, behindLinux)
    await answers(here, third.address)
  })

  test('of a storm as much comes as the limit lets, on both nodes, and others go on', async (t) => {
    for (const [from, to] of [
      [one, far],
      [far, one],
    ] as const) {
      const ear = await listen(to.sandbox.namespace, 'eth0')
      const frame = groupFrame(from, everybody)
      const began = performance.now()
      await storm(from.sandbox, frame, 30_000)
      const seconds = (performance.now() - began) / 1000
      await answers(third, one.address)
      const came = ear.heard.filter((each) => each.startsWith(frame)).length
      await ear.close()
      const most = broadcastLimit.burst + broadcastLimit.framesPerSecond * (seconds + 1)
      t.diagnostic(`${came} of 30000 frames in ${seconds.toFixed(2)} s, ${Math.ceil(most)} at most`)
      assert.ok(came <= most && came > broadcastLimit.burst / 2, `${came} frames in ${seconds} s`)
    }
  })

  test('switched off again nothing floods any more', async () => {
    await net.broadcast(false)
    for (const [from, to] of [
      [one, far],
      [far, one],
    ] as const)
      await until(async () => !(await heardBy(from, groupFrame(from, everybody), [to], 300))[0]!, 'it does not come')
    await answers(one, far.address)
  })
})
