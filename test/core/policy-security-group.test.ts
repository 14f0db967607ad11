import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ofSecurityGroup } from '../../core/policy/read/security-group.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { verdictOn, type Judged, type Transport } from '../../core/policy/verdict.ts'
import type { SpecOf } from '../../core/kinds/index.ts'
import { world } from '../../core/kinds/policy/tiers.ts'
import { member, resource, worldOf } from './policy-things.ts'

type Rules = NonNullable<SpecOf<'SecurityGroup'>['rules']>

const groupOf = (key: string, rules: Rules): CommonPolicy => ofSecurityGroup(resource('SecurityGroup', key, { rules })).policy!
const problemsOf = (rules: Rules): readonly string[] =>
  ofSecurityGroup(resource('SecurityGroup', 'a/g', { rules })).problems.map(({ path, message }) => `${path} ${message}`)

const web = member('a/web', {}, { securityGroups: ['a/front'] })
const db = member('a/db', {}, { securityGroups: ['a/back'] })
const other = member('a/other')
const tcp = (l4Port: number): Transport => ({ protocol: 6, l4Port })

/** Whether the group lets a packet from outside, or from a Port, into the Port `a/web`. */
function isLetIn(rules: Rules, transport: Transport, from: { port?: string; address?: string } = {}): boolean {
  const { sets, numberOf } = worldOf([web, db, other], [groupOf('a/front', rules), groupOf('a/back', [])])
  const peer = { identity: from.port === undefined ? world : numberOf(from.port), address: from.address ?? '192.0.2.9' }
  return verdictOn(sets, { subject: numberOf('a/web'), direction: 'ingress', peer, transport }).isAllowed
}

describe('a SecurityGroup', () => {
  test('lets nothing in but what a rule allows', () => {
    assert.equal(isLetIn([], tcp(80)), false)
    assert.equal(isLetIn([{ direction: 'ingress' }], tcp(80)), true)
    assert.equal(isLetIn([{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80, l4PortMax: 90 }], tcp(85)), true)
    assert.equal(isLetIn([{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80, l4PortMax: 90 }], tcp(91)), false)
    assert.equal(isLetIn([{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80 }], tcp(81)), false)
    assert.equal(isLetIn([{ direction: 'ingress', protocol: 'udp' }], tcp(80)), false)
    assert.equal(isLetIn([{ direction: 'ingress', protocol: 'sctp', l4PortMin: 9 }], { protocol: 132, l4Port: 9 }), true)
  })

  test('means the family that its rule is of', () => {
    const v6 = { address: '2001:db8::9' }
    assert.equal(isLetIn([{ direction: 'ingress' }], tcp(80), v6), false)
    assert.equal(isLetIn([{ direction: 'ingress', etherType: 'IPv6' }], tcp(80), v6), true)
    assert.equal(isLetIn([{ direction: 'ingress', etherType: 'IPv6', protocol: 'icmp' }], { protocol: 58, icmpType: 128 }, v6), true)
  })

  test('takes the bounds of ICMP as type and code', () => {
    const ping: Rules = [{ direction: 'ingress', protocol: 'icmp', l4PortMin: 8, l4PortMax: 0 }]
    assert.equal(isLetIn(ping, { protocol: 1, icmpType: 8, icmpCode: 0 }), true)
    assert.equal(isLetIn(ping, { protocol: 1, icmpType: 8, icmpCode: 1 }), false)
    assert.equal(isLetIn(ping, { protocol: 1, icmpType: 5, icmpCode: 0 }), false)
  })

  test('names blocks, and the Ports of another group with their further addresses', () => {
    assert.equal(isLetIn([{ direction: 'ingress', remoteCIDR: '192.0.2.0/24' }], tcp(80)), true)
    assert.equal(isLetIn([{ direction: 'ingress', remoteCIDR: '198.51.100.0/24' }], tcp(80)), false)
    const fromBack: Rules = [{ direction: 'ingress', remoteGroup: 'back' }]
    assert.equal(isLetIn(fromBack, tcp(80), { port: 'a/db' }), true)
    assert.equal(isLetIn(fromBack, tcp(80), { port: 'a/other' }), false)
    assert.equal(isLetIn(fromBack, tcp(80)), false)
    const { sets } = worldOf([web, db], [groupOf('a/front', fromBack), groupOf('a/back', [])], {
      pairsOf: (group) => (group === 'a/back' ? ['192.0.2.8/29', '2001:db8::/64'] : []),
      families: [4],
    })
    assert.deepEqual(sets[0]?.rules.find(({ direction }) => direction === 'ingress')?.peers?.blocks, ['192.0.2.8/29'])
  })

  test('lets everything out where it has no rule for that, and else what a rule allows', () => {
    const isLetOut = (...groups: readonly Rules[]): boolean => {
      const names = groups.map((_, i) => `a/g${i}`)
      const { sets, numberOf } = worldOf(
        [member('a/web', {}, { securityGroups: names })],
        groups.map((rules, i) => groupOf(names[i]!, rules)),
      )
      const peer = { identity: world, address: '192.0.2.9' }
      const judged: Judged = { subject: numberOf('a/web'), direction: 'egress', peer, transport: tcp(443) }
      return verdictOn(sets, judged).isAllowed
    }
    const dns: Rules = [{ direction: 'egress', protocol: 'udp', l4PortMin: 53 }]
    assert.equal(isLetOut([]), true)
    assert.equal(isLetOut(dns), false)
    assert.equal(isLetOut(dns, []), true)
  })

  test('judges the Ports that have it, and no others', () => {
    const { sets, numberOf } = worldOf([web, db, other], [groupOf('a/front', []), groupOf('a/back', [])])
    assert.deepEqual(
      sets.map(({ subjects }) => subjects),
      [[numberOf('a/web')], [numberOf('a/db')]],
    )
  })

  test('allows nothing by a rule that cannot be, and says where it stands', () => {
    const good = { direction: 'ingress' } as const
    assert.deepEqual(problemsOf([good]), [])
    assert.deepEqual(problemsOf([good, { ...good, l4PortMin: 80 }]), ['/spec/rules/1/protocol must be named where ports are'])
    assert.deepEqual(problemsOf([{ ...good, remoteCIDR: '10.0.0.1/8' }]), [
      "/spec/rules/0/remoteCIDR must be a block of the rule's etherType",
    ])
    assert.deepEqual(problemsOf([{ ...good, remoteCIDR: '2001:db8::/32' }]).length, 1)
    assert.equal(isLetIn([{ direction: 'ingress', l4PortMin: 80 }], tcp(80)), false)
  })
})
