// What a node can be asked of a Port on a real Open vSwitch: its counters rise by what it sends, and a capture has the packets.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { builtAddon } from './kernel.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import type { Links } from '../../agent/links/links.ts'
import { captureBytesMax } from '../../core/kinds/node/inquiry.ts'
import { realClock } from '../../platform/clock.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const blue = { kind: 'vni', vni: 4_098 } as const

describe('a node that is asked of a Port', { skip: ovsSkip }, () => {
  let lab: TwoNodes
  let a: Pod
  let links: Links
  before(async () => {
    lab = await startTwoNodes()
    a = await lab.addPod(lab.nodes[0], { name: 'a', attachment: blue, addresses: ['10.0.0.2'] })
    await lab.addPod(lab.nodes[1], { name: 'b', attachment: blue, addresses: ['10.0.0.3'] })
    await lab.converge({ [blue.vni]: {} })
    assert.equal(await a.pings('10.0.0.3'), true)
    const [addon, netns] = [await builtAddon(), `/var/run/netns/${lab.nodes[0].ovs.namespace.name}`]
    links = makeLinks({
      clock: realClock,
      netlink: await openNetlink(addon, netns),
      reaper: await openNetlink(addon, netns),
      onProblem: (err) => assert.fail(err as Error),
    })
  })
  after(async () => {
    await links.close()
    await lab.close()
  })

  test('its counters rise by what it sends and receives', async () => {
    const before = (await links.counters!(a.port.ifcName))!
    assert.equal(await a.pings('10.0.0.3'), true)
    const now = (await links.counters!(a.port.ifcName))!
    assert.ok(now.sentPackets > before.sentPackets && now.receivedPackets > before.receivedPackets)
    assert.ok(now.sentBytes >= before.sentBytes + 84)
  })

  test('a capture has the ping, request and reply, and ends with its number of packets', async () => {
    // What the kernel of the pod sends by itself (neighbours, memberships) comes between: room for that too.
    const taken = links.capture!(a.port.ifcName, { packets: 20, seconds: 20, snapLength: 128 }, AbortSignal.timeout(20_000))
    let done = false
    void taken.then(() => (done = true))
    while (!done) await a.pings('10.0.0.3')
    const { packets, pcap } = await taken
    assert.equal(packets, 20)
    const file = Buffer.from(pcap, 'base64')
    assert.equal(file.readUInt32LE(0), 0xa1b2_c3d4)
    assert.equal(file.readUInt32LE(20), 1)
    const frames = framesIn(file)
    assert.equal(frames.length, 20)
    const icmpTypes = frames.flatMap((frame) => (frame.readUInt16BE(12) === 0x0800 && frame[23] === 1 ? [frame[34]] : []))
    assert.deepEqual([icmpTypes.includes(8), icmpTypes.includes(0)], [true, true], 'an echo request and its reply')
  })

  test('a capture ends by time, and when nobody asks any more; it never outgrows its bytes', async () => {
    assert.equal((await links.capture!(a.port.ifcName, { seconds: 1 }, AbortSignal.timeout(20_000))).packets < 100, true)
    const given = new AbortController()
    const taken = links.capture!(a.port.ifcName, { packets: 1_000, seconds: 60, snapLength: 1_518 }, given.signal)
    await a.namespace.exec('ping', '-c', '150', '-i', '0.005', '-s', '1300', '10.0.0.3')
    given.abort()
    const { packets, pcap } = await taken
    assert.ok(packets > 10 && Buffer.from(pcap, 'base64').length <= captureBytesMax)
  })
})

/** Frames of a pcap file: a header of 24 bytes, then one of 16 before each frame, with its length at 8. */
function framesIn(file: Buffer): readonly Buffer[] {
  const frames: Buffer[] = []
  for (let at = 24; at < file.length; at += 16 + file.readUInt32LE(at + 8))
    frames.push(file.subarray(at + 16, at + 16 + file.readUInt32LE(at + 8)))
  return frames
}
