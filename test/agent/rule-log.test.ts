// What rules log, as an agent keeps and tells it: of a data plane that says what it likes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RuleLog } from '../../agent/rule-log.ts'
import type { LoggedPacket } from '../../core/node/logged-packet.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { silentLog } from '../../platform/log.ts'

const vni = 7
const set = unifiedSet({
  vni,
  number: 3,
  rules: [
    { index: 0, source: '/spec/ingress/0', direction: 'ingress', level: 0, action: 'deny', log: true },
    { index: 1, source: '/spec/ingress/1', direction: 'ingress', level: 0, action: 'deny', log: true, audit: true },
  ],
})
const of = { kind: 'Port', namespace: 'a', name: 'q' } as const
const packet = (rule: number, l4Port: number, number = 5): LoggedPacket => ({
  vni,
  by: { set: 3, rule },
  number,
  direction: 'ingress',
  head: { from: '10.0.0.2', to: '10.0.0.3', protocol: 6, l4Ports: { from: 40_000 + l4Port, to: l4Port } },
})

function opened() {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const ports = new Map<string, LocalPort>([['u', { uid: 'u', number: 5, attachment: { kind: 'vni', vni }, of } as unknown as LocalPort]])
  const is = { wired: true }
  const [counted, reported]: [string[], string[]] = [[], []]
  let take: (packet: LoggedPacket) => void = () => assert.fail('nobody listens')
  const log = new RuleLog({
    plane: { onLogged: (to) => void (take = to) },
    ruleSets: { get: (name) => (name.endsWith('-3') ? set : undefined) },
    pieces: { of: () => ports } as never,
    clock,
    log: silentLog(),
    meter: { logged: (outcome, { tier, direction }) => void counted.push(`${outcome} ${tier} ${direction}`) },
    report: (uid, { packets, last }) => is.wired && reported.push(`${uid} ${packets} ${last}`) > 0,
  })
  return { is, clock, ports, counted, reported, log, take: (...all: readonly LoggedPacket[]) => all.forEach((each) => take(each)) }
}

test('packets that are alike are one, the newest first, whatever port they are from; of what is in audit nothing is denied', () => {
  const { clock, counted, log, take } = opened()
  take(packet(0, 80), packet(0, 80))
  clock.advance(1_000)
  take(packet(1, 81))
  const all = log.of('u', 'a').map(({ time, packets, outcome, policy, rule, packet: text }) => [time, packets, outcome, policy, rule, text])
  assert.deepEqual(all, [
    ['2026-01-01T00:00:01.000Z', 1, 'audited', 'UnifiedNetworkPolicy a/p', '/spec/ingress/1', 'tcp 10.0.0.2 to 10.0.0.3 port 81'],
    ['2026-01-01T00:00:00.000Z', 2, 'denied', 'UnifiedNetworkPolicy a/p', '/spec/ingress/0', 'tcp 10.0.0.2 to 10.0.0.3 port 80'],
  ])
  assert.deepEqual(counted, ['denied unified ingress', 'denied unified ingress', 'audited unified ingress'])
})

test('whose policy it is only its own namespace is told', () => {
  const { log, take } = opened()
  take(packet(0, 80))
  assert.deepEqual(
    log.of('u', 'b').map((each) => ['policy' in each, 'rule' in each]),
    [[false, false]],
  )
})

test('the store is told once a minute, with how many there were', () => {
  const { is, clock, reported, take } = opened()
  is.wired = false
  take(packet(0, 79))
  is.wired = true
  take(packet(0, 80), packet(0, 81))
  clock.advance(59_000)
  take(packet(0, 82))
  clock.advance(1_000)
  take(packet(0, 83))
  assert.deepEqual(reported, [
    'u 2 denied by UnifiedNetworkPolicy a/p: tcp 10.0.0.2 to 10.0.0.3 port 80',
    'u 5 denied by UnifiedNetworkPolicy a/p: tcp 10.0.0.2 to 10.0.0.3 port 83',
  ])
})

test('nothing is kept of rules and ports that are not here, of ports that went, or of more than a port may have', () => {
  const { ports, counted, log, take } = opened()
  take(packet(7, 80), packet(0, 80, 6), { ...packet(0, 80), vni: 8 })
  assert.deepEqual([counted, log.of('u', 'a')], [[], []])
  for (let l4Port = 1; l4Port <= 100; l4Port++) take(packet(0, l4Port))
  assert.deepEqual([log.of('u', 'a').length, log.of('u', 'a')[0]?.packet], [64, 'tcp 10.0.0.2 to 10.0.0.3 port 100'])
  ports.set('w', { ...ports.get('u')!, uid: 'w' })
  ports.delete('u')
  take(packet(0, 80))
  assert.deepEqual([log.of('u', 'a').length, log.of('w', 'a').length], [0, 1])
})

test('of an interface in VLANs what is logged is kept by its number, or by that of one of several VLANs', () => {
  const { ports, counted, reported, log, take } = opened()
  const attachment = { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'selectivetrunk', vlans: [100, 200] } as const
  const segment = vlanSegment('physnet1', 100)
  const external = { uid: 'v', number: 6, attachment, of, zones: [{ vlan: 200, number: 9 }] } as unknown as LocalPort
  ports.set('v', external)
  take(...[6, 9, 10].map((number) => ({ ...packet(0, 80, number), vni: segment })))
  assert.deepEqual(
    log.of('v', 'a').map(({ packets, outcome }) => [packets, outcome]),
    [[2, 'denied']],
  )
  assert.equal(counted.length, 2)
  assert.deepEqual(reported, ['v 1 denied by UnifiedNetworkPolicy a/p: tcp 10.0.0.2 to 10.0.0.3 port 80'])
})
