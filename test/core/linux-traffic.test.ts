// What Ports may send and get, and its mark, as things of the Linux data plane.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrafficElement } from '../../core/wire/nft/traffic.ts'
import { changeFrom, elementsOf, placeOf, trafficItems } from '../../agent/dataplanes/linux/traffic-elements.ts'
import { keyOf, linuxItemOf, textOf } from '../../core/linux/linux-items.ts'
import type { LinuxOptions } from '../../core/linux/options.ts'
import { trafficOf } from '../../core/linux/traffic.ts'
import { markOf } from '../../core/linux/treatments.ts'
import { vlanMark } from '../../core/linux/vlan-programs.ts'
import { marks, ruledMarks } from '../../core/node/frame-marks.ts'
import type { PortPolicy } from '../../core/node/wanted.ts'
import { notDone } from '../../core/pieces/policy/not-done.ts'
import { unifiedSet } from '../laws/unified-set.ts'

const options: LinuxOptions = { tunnelAddress: '192.0.2.1', l4Port: 4789 }
const policy: PortPolicy = { identity: 1, ruleSets: [], isClosed: false, traffic: { maxEgress: 1_000_001, maxIngress: 1, dscp: 46 } }
const show = (of: PortPolicy | undefined, more: Partial<LinuxOptions> = {}): readonly string[] =>
  trafficOf({ ifcName: 'mgz0', ...(of !== undefined && { policy: of }) }, { ...options, ...more }).map(
    (each) => `${keyOf(each)} ${textOf(each)}`,
  )

test('a Port has what its policy says, in whole bytes, no more than nftables counts; a closed one, and a kernel without, has nothing', () => {
  const all = ['limited/mgz0/sent 125001 bytes a second', 'limited/mgz0/got 1 bytes a second', 'marked/mgz0 DSCP 46']
  assert.deepEqual(show(policy), all)
  assert.deepEqual(show({ ...policy, traffic: { maxEgress: 10 ** 15 } }), ['limited/mgz0/sent 18000000000 bytes a second'])
  assert.deepEqual(show({ ...policy, isClosed: true }), [])
  assert.deepEqual(show(policy, { noTraffic: 'no' }), [])
  assert.deepEqual(show(undefined), [])
})

test('each is read back as it was put; what is half there has no rate', () => {
  const things = trafficOf({ ifcName: 'mgz0', policy }, options)
  for (const each of things) assert.deepEqual(linuxItemOf(keyOf(each), textOf(each)), each)
  const put = things.filter((each) => each.kind === 'limited' || each.kind === 'marked')
  const elements = put.flatMap(elementsOf)
  assert.deepEqual(new Set(trafficItems(elements)), new Set(put))
  const [limit, element] = elements
  for (const half of [[limit!], [element!], [limit!, limit!, element!], [{ ...limit!, rate: 5 }, element!]])
    assert.deepEqual(trafficItems(half as typeof elements), [{ kind: 'limited', ifname: 'mgz0', way: 'sent', bytesPerSecond: 0 }])
  assert.deepEqual(trafficItems([{ of: 'limit', unit: 'bytes', name: 'somebody', rate: 1, burst: 1 }]), [])
})

test('what a policy, or a rule that is alike both ways, limits, marks or logs is done, but not where nftables refuses', () => {
  const set = unifiedSet({ vni: 1, traffic: { maxEgress: 1, maxIngress: 1, dscp: 1 }, rules: [] })
  assert.deepEqual(notDone.linux(set), [])
  assert.deepEqual(notDone.linux(set, { noTraffic: 'no limits' }), [{ name: 'policy', why: 'no limits' }])
  const rule = { index: 0, source: '/spec/ingress/0', level: 0, action: 'allow' } as const
  const rules = [{ ...rule, direction: 'ingress' } as const, { ...rule, index: 1, direction: 'egress' } as const]
  for (const more of [{ max: 1 }, { dscp: 1 }, { log: true }]) {
    const ruled = { ...set, rules: rules.map((each) => ({ ...each, ...more })) }
    assert.deepEqual(notDone.linux(ruled), [], JSON.stringify(more))
    assert.notEqual(notDone.linux(ruled, { noTraffic: 'no', noLog: 'no' }).length, 0, JSON.stringify(more))
    assert.notEqual(notDone.bess(ruled).length, 0, JSON.stringify(more))
  }
})

test("a rule's limit is one for all whom it allows something: it comes with the first, goes with the last, and is made anew where it is wrong", () => {
  const ruled = (ifname: string, bytesPerSecond = 50) =>
    ({ kind: 'ruled', ifname, mark: 0x45000001, rate: { name: '5001.7.3', bytesPerSecond }, dscp: 10 }) as const
  const [one, other] = [ruled('mgz0'), ruled('mgz1')]
  const there = [...elementsOf(one), ...elementsOf(other).slice(1)]
  assert.deepEqual(new Set(trafficItems(there)), new Set([one, other]))
  const of = (ifname: string) => (each: TrafficElement) => placeOf(each) === keyOf(ruled(ifname))
  const words = (...of: Parameters<typeof changeFrom>) => {
    const { drop, put } = changeFrom(...of)
    return [drop, put].map((all) => all.map((each) => `${each.of} ${each.of === 'limit' ? each.name : each.ifname}`))
  }
  assert.deepEqual(words([], elementsOf(one), of('mgz0')), [[], ['limit 5001.7.3.50', 'rates mgz0', 'marks mgz0']])
  assert.deepEqual(words(there, [], of('mgz0')), [['rates mgz0', 'marks mgz0'], []])
  assert.deepEqual(words(elementsOf(one), [], of('mgz0')), [['rates mgz0', 'marks mgz0', 'limit 5001.7.3.50'], []])
  const faster = elementsOf(ruled('mgz0', 60))
  assert.deepEqual(words(there, faster, of('mgz0')), [['rates mgz0'], ['limit 5001.7.3.60', 'rates mgz0']])
  const spoiled = there.map((each) => (each.of === 'limit' ? { ...each, rate: 900 } : each))
  assert.ok(trafficItems(spoiled).every((each) => each.kind === 'ruled' && each.rate?.bytesPerSecond === 0))
  assert.deepEqual(words(spoiled, elementsOf(one), of('mgz0')), [
    ['rates mgz0', 'rates mgz1', 'limit 5001.7.3.50'],
    ['limit 5001.7.3.50', 'rates mgz0', 'rates mgz1'],
  ])
})

test('marks of VLANs, and of what is judged, are none of what a rule limits or marks', () => {
  const isRuled = (mark: number): boolean => (mark & ruledMarks.mask) >>> 0 === ruledMarks.value
  const of = { isAllowed: true, isRuled: true, treatment: marks.treatment }
  for (const log of [undefined, { set: 1 }]) assert.equal(isRuled(markOf({ ...of, log })), true)
  assert.equal(isRuled(markOf({ ...of, isRuled: false })), false)
  for (const other of [vlanMark, vlanMark + 0xffff, marks.network + 0xffffff, 0]) assert.equal(isRuled(other), false, other.toString(16))
})
