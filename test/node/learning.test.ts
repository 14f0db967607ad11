// MACs that nobody told of, behind Ports that may have any: learnt where they speak, in bounds, and nobody else's. One node with Open
// vSwitch and one with the kernel's plane, under agents.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { learntMax } from '../../core/node/broadcast.ts'
import { tables } from '../../core/pipeline/tables.ts'
import { linuxCarrier, ovsCarrier, type Carrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import { pinged, reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'
import {
  everybody,
  groupFrame,
  heardBy,
  heardOf,
  makeNetwork,
  speakAsMany,
  type BroadcastNetwork,
  type NetworkPod,
} from './broadcast-network.ts'
import { pythonSkip, sendFrames } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const wanderer = '06:aa:00:00:00:01'
const silent = '06:aa:00:00:00:02'
const floodOfMacs = 10_000

describe('in a Vpc that carries broadcast, of a MAC that nobody told of', { skip }, () => {
  let agents: Agents
  let net: BroadcastNetwork
  let ovs: NodeWith<OvsCarrier>
  let linux: NodeWith<Carrier>
  /** Guarded ones, a pair on each node. */
  let one: NetworkPod, two: NetworkPod, far: NetworkPod, farTwo: NetworkPod
  /** Ports that may have anybody behind: two on each node. */
  let free: NetworkPod, next: NetworkPod, farFree: NetworkPod, farNext: NetworkPod
  before(async () => {
    agents = await startAgents()
    ;[ovs, linux] = [await agents.node('o', ovsCarrier), await agents.node('l', linuxCarrier)]
    net = await makeNetwork(agents, 'fabric')
    await net.broadcast(true)
    const open = { portSecurity: false }
    ;[one, two] = [await net.pod(ovs, 'one'), await net.pod(ovs, 'two')]
    ;[far, farTwo] = [await net.pod(linux, 'far'), await net.pod(linux, 'far-two')]
    ;[free, next] = [await net.pod(ovs, 'free', open), await net.pod(ovs, 'next', open)]
    ;[farFree, farNext] = [await net.pod(linux, 'far-free', open), await net.pod(linux, 'far-next', open)]
    await until(async () => (await heardBy(one, groupFrame(one, everybody), [far], 500))[0]!, 'frames to all reach the other node')
    await until(async () => (await heardBy(far, groupFrame(far, everybody), [one], 500))[0]!, 'and come from there')
    await until(() => reaches(one.sandbox.namespace, far.address, { tries: 1 }), 'the nodes reach each other')
  })
  after(() => agents.close())

  const says = (pod: NetworkPod, mac: string): Promise<void> => sendFrames(pod.sandbox.namespace, 'eth0', [groupFrame(pod, everybody, mac)])
  /** Which of these hear a frame that a pod sends to a MAC, in the end. */
  async function goesTo(from: NetworkPod, mac: string, all: readonly NetworkPod[], hears: readonly NetworkPod[]): Promise<void> {
    const wanted = all.map((pod) => Number(hears.includes(pod)))
    let last: readonly number[] = []
    const asWanted = async (): Promise<boolean> => {
      last = await heardOf(from, [groupFrame(from, mac)], all, 500)
      return last.join() === wanted.join()
    }
    await until(asWanted, 'the right ones hear it', 10_000).catch(() => undefined)
    assert.deepEqual(last, wanted)
  }
  const open = (): readonly NetworkPod[] => [free, next, farFree, farNext]
  const ofctl = async (...args: string[]): Promise<string> =>
    (await ovs.carrier.ovs.namespace.exec('ovs-ofctl', '-O', 'OpenFlow14', ...args)).stdout
  const mgmt = (): string => `${ovs.carrier.ovs.folder}/mgz-int.mgmt`
  const learntHere = async (): Promise<number> =>
    (await ofctl('dump-flows', mgmt(), `table=${tables.learnt.number}`)).split('\n').filter((line) => line.includes('cookie=')).length
  const learntThere = async (): Promise<number> => {
    const { stdout } = await linux.namespace.exec('bridge', '-j', 'fdb', 'show')
    const entries = JSON.parse(stdout) as readonly {
      readonly master?: string
      readonly state?: string
      readonly flags: readonly string[]
    }[]
    return entries.filter(({ master, state = '', flags }) => master !== undefined && state === '' && !flags.includes('sticky')).length
  }

  test('what is for it goes to all that may have it, until it speaks: then from both nodes to where it is, and to nobody else', async () => {
    for (const asker of [one, far]) await goesTo(asker, wanderer, open(), open())
    await says(free, wanderer)
    for (const asker of [one, far]) await goesTo(asker, wanderer, open(), [free])
  })

  test('it is followed to whoever speaks with it last, to another Port of its node and to another node', async () => {
    for (const now of [next, farFree, farNext, free]) {
      await says(now, wanderer)
      for (const asker of [one, far]) await goesTo(asker, wanderer, open(), [now])
    }
  })

  test('an agent that starts anew, and one that looks at everything, leaves what was learnt', async () => {
    await ovs.killAgent()
    await says(next, silent)
    await ovs.startAgent()
    const learnt = await learntHere()
    await ofctl('add-flow', mgmt(), 'cookie=0x4d00000000000000,table=50,priority=500,actions=drop')
    const repairs = async (): Promise<readonly { readonly put: number; readonly dropped: number }[]> =>
      (await ovs.log())
        .split('\n')
        .filter((line) => line.includes('was not as it should be'))
        .map((line) => JSON.parse(line) as { readonly put: number; readonly dropped: number })
    await until(async () => (await repairs()).length > 0, 'what is not ours is taken away')
    assert.deepEqual(
      (await repairs()).map(({ put, dropped }) => [put, dropped]),
      [[0, 1]],
    )
    assert.equal(await learntHere(), learnt)
    await goesTo(one, wanderer, open(), [free])
    await goesTo(one, silent, open(), [next])
  })

  test('of ten thousand behind one Port so many are learnt, on both nodes, and nobody else loses a packet or a place', async (t) => {
    for (const [flooder, neighbour, [from, to]] of [
      [free, next, [one, two]],
      [farFree, farNext, [far, farTwo]],
    ] as const) {
      await says(neighbour, wanderer)
      for (const asker of [one, far]) await goesTo(asker, wanderer, open(), [neighbour])
      const traffic = pinged(from.sandbox.namespace, to.address, { count: 60, everyMs: 50 })
      await speakAsMany(flooder, (flooder === free ? far : one).mac, floodOfMacs)
      const { sent, lost } = await traffic
      const [here, there] = [await learntHere(), await learntThere()]
      t.diagnostic(`${here} on Open vSwitch, ${there} on Linux; ${lost} of ${sent} pings lost`)
      assert.ok(here <= 2 * learntMax && there <= learntMax, `${here} and ${there}`)
      assert.ok(here > learntMax / 2 && there > learntMax / 2, `${here} and ${there}`)
      assert.equal(lost, 0)
      for (const asker of [one, far]) await goesTo(asker, wanderer, open(), [neighbour])
      // Above the bound: not learnt, and not dropped.
      const last = '06:bb:00:00:27:0f'
      await goesTo(from, last, open(), open())
    }
  })

  test('it is forgotten with its Port, on the node of that', async () => {
    for (const [node, gone, asker, other] of [
      [ovs, next, one, free],
      [linux, farNext, far, farFree],
    ] as const) {
      await says(gone, silent)
      await goesTo(asker, silent, [other, gone], [gone])
      await agents.del(node, gone.sandbox)
      await goesTo(asker, silent, [other], [other])
    }
  })

  test('where nothing floods any more nothing is learnt', async () => {
    await net.broadcast(false)
    await until(async () => (await learntHere()) === 0, 'Open vSwitch has forgotten all')
  })
})
