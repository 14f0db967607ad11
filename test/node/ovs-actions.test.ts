// What packets see of connection tracking, groups, meters, conjunctions, DSCP and fragments on a real Open vSwitch, userspace datapath.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { conjunction, output, set, type Action } from '../../core/pipeline/openflow/actions.ts'
import { cookieOf } from '../../core/pipeline/cookie.ts'
import {
  conjId,
  ctMark,
  ctState,
  ethType,
  inPort,
  ipDscp,
  ipFrag,
  ipProto,
  ipv4Src,
  udpDst,
  udpSrc,
} from '../../core/pipeline/openflow/fields.ts'
import { is, isMasked, type Term } from '../../core/pipeline/openflow/flow.ts'
import { groupId } from '../../core/pipeline/openflow/group.ts'
import { bridgeItem, flowItem, groupItem, meterItem, portItem, qosItem, queueItem, type SwitchItem } from '../../core/pipeline/items.ts'
import { meterId } from '../../core/pipeline/openflow/meter.ts'
import { ipv4Value } from '../../core/pipeline/openflow/values.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { listen, pythonSkip, sendFrames, type Ear } from './raw-frames.ts'
import { bridge, startSwitch, type SwitchUnderTest } from './switch.ts'

const signal = (): AbortSignal => AbortSignal.timeout(30_000)
const because = { rule: 'a test', of: { kind: 'Node', name: 'here' } } as const
const udp = [is(ethType, 0x0800), is(ipProto, 17)]
/** Whose frames end a test: they pass to everybody. */
const mark = is(ethType, 0x88b5)

let nth = 0
const flow = (table: number, match: readonly Term[], actions: readonly Action[], priority = 100): SwitchItem =>
  flowItem(
    bridge,
    { table, priority, cookie: cookieOf('policy', nth++), match: [...match].sort((a, b) => a.field.order - b.field.order), actions },
    because,
  )

const word = (value: number): string => value.toString(16).padStart(4, '0')
const ip4 = (address: string): string => ipv4Value(address).toString(16).padStart(8, '0')

interface Datagram {
  readonly from?: string
  readonly to?: string
  readonly l4From?: number
  readonly l4To?: number
  /** Flags and offset of its fragment. */
  readonly fragment?: number
}

/** UDP (RFC 768) without a checksum, in IPv4 with one. */
function frame({ from = '10.0.0.1', to = '10.0.0.2', l4From = 1_000, l4To = 9, fragment = 0 }: Datagram): string {
  const words = ['4500', '0024', '0001', word(fragment), '4011', '0000', ...(ip4(from) + ip4(to)).match(/.{4}/g)!]
  let sum = words.reduce((total, each) => total + Number.parseInt(each, 16), 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  const head = words.with(5, word(~sum & 0xffff)).join('')
  return `0200000000020200000000010800${head}${word(l4From)}${word(l4To)}00100000${'4d'.repeat(8)}${'00'.repeat(10)}`
}

describe('packets in Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  const names = ['wa', 'wb', 'wc']
  let under: SwitchUnderTest
  let plane: Dataplane
  let ears: Ear[] = []
  let round = 0
  before(async () => {
    under = await startSwitch()
    plane = under.plane()
    await plane.open(signal())
    await under.plug(names)
    for (const end of [...names, ...peers()]) await under.node.namespace.ip('link', 'set', end, 'up')
  })
  afterEach(async () => {
    for (const ear of ears.splice(0)) await ear.close()
  })
  after(async () => {
    await plane.close()
    await under.node.stop()
  })
  /** The other ends; the uplink's is the first. */
  const peers = (): string[] => names.map((_, i) => `p${i + 2}`)

  /** A bridge with three ports, 1 to 3, and just these things. */
  async function wire(...items: readonly SwitchItem[]): Promise<void> {
    await under.empty()
    const ports = names.map((name, i) =>
      portItem({ bridge, name, type: '', options: {}, number: i + 1, vlan: undefined, uid: name }, because),
    )
    const all = [1, 2, 3].map((number) => output(number))
    await plane.apply(
      { drop: [], put: [bridgeItem({ name: bridge, datapath: 'netdev' }, because), ...ports, flow(0, [mark], all, 999), ...items] },
      signal(),
    )
    ears = await Promise.all(peers().map((peer) => listen(under.node.namespace, peer)))
  }

  /** What each port has got, once the last of what was sent has come through. */
  async function sent(by: number, frames: readonly string[]): Promise<string[][]> {
    const before = ears.map(({ heard }) => heard.length)
    const last = `ffffffffffff02000000000988b5${word(++round)}${'00'.repeat(44)}`
    await sendFrames(under.node.namespace, peers()[by - 1]!, [...frames, last])
    const others = ears.filter((_, i) => i !== by - 1)
    await until(() => Promise.resolve(others.every(({ heard }) => heard.includes(last))), 'the last frame has come through')
    // The sender's own ear hears what it sends.
    return ears.map(({ heard }, i) => (i === by - 1 ? [] : heard.slice(before[i]).filter((each) => each.slice(24, 28) === '0800')))
  }
  const counts = async (by: number, frames: readonly string[]): Promise<number[]> => (await sent(by, frames)).map((heard) => heard.length)

  test('of a connection that one side has begun pass both ways, and what the other side begins does not', async () => {
    const tracked = (state: number, mask: number): Term => isMasked(ctState, state, mask)
    await wire(
      flow(0, [...udp], [{ do: 'ct', zone: 5, table: 1 }]),
      flow(1, [...udp, tracked(0x21, 0x21), is(inPort, 1)], [{ do: 'ct', zone: 5, commit: 'new', exec: [set(ctMark, 7)] }, output(2)]),
      flow(1, [...udp, tracked(0x22, 0x22), is(inPort, 1)], [output(2)]),
      flow(1, [...udp, tracked(0x2a, 0x2a), is(inPort, 2), is(ctMark, 7)], [output(1)]),
    )
    const back = frame({ from: '10.0.0.2', to: '10.0.0.1', l4From: 9, l4To: 1_000 })
    assert.deepEqual(await counts(2, [back]), [0, 0, 0], 'nobody has begun')
    assert.deepEqual(await counts(1, [frame({}), frame({})]), [0, 2, 0])
    assert.deepEqual(
      await counts(2, [back, frame({ from: '10.0.0.2', to: '10.0.0.1', l4From: 9, l4To: 1_001 })]),
      [1, 0, 0],
      'another connection is new',
    )
  })

  test("are spread over a group's buckets by their hash, one connection always to the same, and find a live bucket", async () => {
    const buckets = [2, 3].map((number) => ({ id: number, actions: [output(number)] }))
    await wire(
      groupItem(bridge, { id: groupId(1), type: 'select', hash: [udpSrc], buckets }, because),
      groupItem(bridge, { id: groupId(2), type: 'all', buckets }, because),
      flow(0, [...udp, is(udpDst, 9)], [{ do: 'group', group: groupId(1) }]),
      flow(0, [...udp, is(udpDst, 10)], [{ do: 'group', group: groupId(2) }]),
    )
    const many = await sent(
      1,
      Array.from({ length: 40 }, (_, i) => frame({ l4From: 1_000 + i })),
    )
    assert.equal(many[1]!.length + many[2]!.length, 40)
    assert.ok(many[1]!.length > 0 && many[2]!.length > 0, `${many[1]!.length} and ${many[2]!.length}`)
    const same = await counts(
      1,
      Array.from({ length: 10 }, () => frame({ l4From: 5_000 })),
    )
    assert.deepEqual(
      same.filter((count) => count > 0),
      [10],
    )
    assert.deepEqual(await counts(1, [frame({ l4To: 10 })]), [0, 1, 1], 'to all buckets')
  })

  test('above the rate of a meter are dropped, and those of no meter are not', async () => {
    await wire(
      meterItem(bridge, { id: meterId(1), unit: 'pktps', bands: [{ rate: 1, burst: 5 }] }, because),
      flow(0, [...udp, is(udpDst, 9)], [{ do: 'meter', meter: meterId(1) }, output(2)]),
      flow(0, [...udp, is(udpDst, 10)], [output(3)]),
    )
    const [, metered = 0, free] = await counts(
      1,
      Array.from({ length: 80 }, (_, i) => frame({ l4To: 9 + (i % 2) })),
    )
    assert.equal(free, 40)
    assert.ok(metered > 0 && metered < 40, `${metered} of 40 passed`)
  })

  test('leave with the DSCP that was set', async () => {
    await wire(flow(0, udp, [set(ipDscp, 46), output(2)]))
    const [, heard] = await sent(1, [frame({})])
    assert.deepEqual(
      heard!.map((each) => each.slice(30, 32)),
      [(46 * 4).toString(16)],
    )
  })

  test('match a conjunction by one of each of its dimensions', async () => {
    const from = (address: string): Term => is(ipv4Src, ipv4Value(address))
    await wire(
      ...['10.0.0.1', '10.0.0.3'].map((address) => flow(0, [udp[0]!, from(address)], [conjunction(7, 1, 2)])),
      ...[10, 20].map((l4Port) => flow(0, [...udp, is(udpDst, l4Port)], [conjunction(7, 2, 2)])),
      flow(0, [udp[0]!, is(conjId, 7)], [output(2)]),
    )
    const tried = ['10.0.0.1', '10.0.0.3', '10.0.0.5'].flatMap((address) => [10, 20, 30].map((l4To) => frame({ from: address, l4To })))
    assert.deepEqual((await sent(1, tried))[1], [tried[0], tried[1], tried[3], tried[4]])
  })

  test('are told apart by whether they are fragments, and which', async () => {
    await wire(
      flow(0, [udp[0]!, is(ipFrag, 0)], [output(2)]),
      flow(0, [...udp, is(ipFrag, 1), is(udpDst, 9)], [output(3)]),
      flow(0, [udp[0]!, is(ipFrag, 3)], [output(2), output(3)]),
    )
    assert.deepEqual(await counts(1, [frame({})]), [0, 1, 0], 'whole')
    assert.deepEqual(await counts(1, [frame({ fragment: 0x2000 })]), [0, 0, 1], 'the first')
    assert.deepEqual(await counts(1, [frame({ fragment: 0x0003 })]), [0, 1, 1], 'a later one')
  })

  test("go by a port's first queue whatever queue is set: in user space the number is taken, and nothing comes of it", async () => {
    const options = { 'max-rate': '100000000' }
    await wire(
      qosItem({ port: 'wb', type: 'linux-htb', options }, because),
      ...[0, 1].map((number) => queueItem({ port: 'wb', number, options }, because)),
      flow(0, udp, [{ do: 'setQueue', queue: 1 }, output(2)]),
    )
    assert.deepEqual(await counts(1, [frame({}), frame({})]), [0, 2, 0])
    const sentBy = async (queue: number): Promise<number> => {
      const stats = await under.node.ofctl('queue-stats', bridge, '2', String(queue))
      return Number(/pkts=(\d+)/.exec(stats)?.[1] ?? Number.NaN)
    }
    assert.ok((await sentBy(0)) >= 2)
    assert.equal(await sentBy(1), 0)
  })
})
