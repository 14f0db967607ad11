// SecurityGroups at Neutron: how rules are written there, whose groups a Port may name, and what becomes of two that were made at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudRule, CloudScope, PortWanted } from '../../core/contracts/cloud.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { ruleText, rulesAtCloud } from '../../core/plan/cloud/group-rules.ts'
import { cannot, ruleBody, ruleSeen, type Rule } from '../../workers/drivers/cloud/neutron/groups/rules.ts'
import { plainPort } from './plain-port.ts'
import { driverOn } from './neutron/driver.ts'
import { NeutronModel } from './neutron/model.ts'

const signal = new AbortController().signal
type Rules = NonNullable<SpecOf<'SecurityGroup'>['rules']>
const metadata = { namespace: 'a', name: 'web', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' }
const groupOf = (rules: Rules): Resource<'SecurityGroup'> => ({ apiVersion, kind: 'SecurityGroup', metadata, spec: { rules } })
const remotes = new Map([
  ['a/db', 'db-id'],
  ['a/coming', undefined],
])

/** As Neutron would be asked for it. */
function bodiesOf(...rules: Rules): readonly object[] {
  // With one rule that lets out something, so that not everything goes out.
  const all = rulesAtCloud(groupOf([...rules, { direction: 'egress', protocolNumber: 99 }]), { remotes, cannot })
  return all.rules.filter(({ protocol }) => protocol !== 99).map((rule) => ruleBody(rule, 'g'))
}
const ingress = { security_group_id: 'g', direction: 'ingress', ethertype: 'IPv4' }

test('a rule is written as Neutron has it', () => {
  const cases: readonly (readonly [Rules[number], object])[] = [
    [{ direction: 'ingress' }, ingress],
    [
      { direction: 'ingress', etherType: 'IPv6' },
      { ...ingress, ethertype: 'IPv6' },
    ],
    [
      { direction: 'ingress', protocol: 'tcp', l4PortMin: 80 },
      { ...ingress, protocol: 'tcp', port_range_min: 80, port_range_max: 80 },
    ],
    [
      { direction: 'ingress', protocol: 'udp', l4PortMin: 1, l4PortMax: 9 },
      { ...ingress, protocol: 'udp', port_range_min: 1, port_range_max: 9 },
    ],
    [
      { direction: 'ingress', protocol: 'sctp', l4PortMin: 0, l4PortMax: 65_535 },
      { ...ingress, protocol: 'sctp' },
    ],
    [
      { direction: 'ingress', protocol: 'icmp', l4PortMin: 3, l4PortMax: 1 },
      { ...ingress, protocol: 'icmp', port_range_min: 3, port_range_max: 1 },
    ],
    [
      { direction: 'ingress', protocol: 'icmp', l4PortMin: 0 },
      { ...ingress, protocol: 'icmp', port_range_min: 0 },
    ],
    [
      { direction: 'ingress', protocol: 'icmp', etherType: 'IPv6' },
      { ...ingress, ethertype: 'IPv6', protocol: 'ipv6-icmp' },
    ],
    [
      { direction: 'egress', protocolNumber: 47 },
      { ...ingress, direction: 'egress', protocol: '47' },
    ],
    [
      { direction: 'ingress', remoteCIDR: '192.0.2.0/24' },
      { ...ingress, remote_ip_prefix: '192.0.2.0/24' },
    ],
    [{ direction: 'ingress', remoteCIDR: '0.0.0.0/0' }, ingress],
    [
      { direction: 'ingress', remoteGroup: 'db' },
      { ...ingress, remote_group_id: 'db-id' },
    ],
  ]
  for (const [rule, body] of cases) assert.deepEqual(bodiesOf(rule), [body], JSON.stringify(rule))
})

test('what Neutron tells of a rule that was asked for is that rule', () => {
  const all: readonly CloudRule[] = [
    { direction: 'ingress', family: 4 },
    { direction: 'egress', family: 6, protocol: 6, first: 80 },
    { direction: 'egress', family: 6, protocol: 17, first: 80, last: 90, block: '2001:db8::/32' },
    { direction: 'ingress', family: 4, protocol: 1, first: 0, last: 0, group: 'x' },
    { direction: 'ingress', family: 6, protocol: 58, first: 128 },
    { direction: 'ingress', family: 4, protocol: 50 },
  ]
  const nulls = { protocol: null, port_range_min: null, port_range_max: null, remote_ip_prefix: null, remote_group_id: null }
  const seen = all.map((rule) => ruleSeen({ id: 'r', ...nulls, ...ruleBody(rule, 'g') } as unknown as Rule))
  assert.deepEqual(
    seen.map((each) => each && ruleText(each)),
    all.map(ruleText),
  )
})

test('what Neutron has no rule for allows nothing, and is named; so does what nobody has yet', () => {
  const { rules, unable, awaited } = rulesAtCloud(
    groupOf([
      { direction: 'ingress', protocol: 'tcp', l4PortMin: 0, l4PortMax: 80 },
      { direction: 'egress', protocolNumber: 0 },
      { direction: 'ingress', remoteGroup: 'coming' },
      { direction: 'ingress', remoteGroup: 'nobody' },
    ]),
    { remotes, cannot },
  )
  assert.deepEqual(rules, [])
  assert.deepEqual(unable, [
    '/spec/rules/0 begins at port 0, which no rule of Neutron has',
    '/spec/rules/1 names protocol 0, which is any protocol to Neutron',
  ])
  assert.deepEqual(awaited, ['a/coming'])
})

const scopeOf = (uid: string, inside: Partial<CloudScope> = {}): CloudScope => ({
  of: { kind: 'CloudSecurityGroup', namespace: 'a', name: uid, uid },
  existing: undefined,
  network: undefined,
  subnet: undefined,
  ...inside,
})

function world() {
  const model = new NeutronModel()
  const network = model.put('networks', { name: 'n', status: 'ACTIVE', mtu: 1400 })
  const subnet = model.put('subnets', { name: 's', network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4, gateway_ip: '10.0.0.1' })
  const make = (uid: string, wanted: Partial<PortWanted>) =>
    driverOn(model).port.apply(
      { do: 'create', scope: scopeOf(uid, { network: network.id, subnet: subnet.id }), wanted: { ...plainPort, ...wanted } },
      signal,
    )
  return { model, group: driverOn(model).group!, make }
}

test('a Port names no group that Megrez has made, by its name or by its ID: it may be another tenant’s', async () => {
  const { model, group, make } = world()
  await group.apply({ do: 'create', scope: scopeOf('secret'), wanted: { rules: [] } }, signal)
  const { there } = await group.observe(scopeOf('secret'), signal)
  for (const name of [there!.name, there!.id])
    await assert.rejects(make('thief', { securityGroups: [name] }), new RegExp(`there is no security group ${name}`))
  await make('owner', { groups: [there!.id] })
  assert.deepEqual(model.all('ports')[0]!['security_groups'], [there!.id])
})

test('of two that were made at once both are seen, the oldest first', async () => {
  const { model, group } = world()
  const [name, description] = ['megrez-u', 'CloudSecurityGroup a/u of Megrez [megrez:u@cloud-uid]']
  for (const hour of ['02', '01']) model.put('security-groups', { name, description, created_at: `2026-01-01T${hour}:00:00Z` })
  model.put('security-groups', { name, description: 'of somebody who likes that name' })
  const { there, doubles } = await group.observe(scopeOf('u'), signal)
  assert.deepEqual([there!.id, doubles!.map(({ id }) => id)], ['security_group-5', ['security_group-4']])
})

test('a change of rules takes away what is somebody else’s, and is not made to another revision than was seen', async () => {
  const { model, group } = world()
  await group.apply({ do: 'create', scope: scopeOf('u'), wanted: { rules: [] } }, signal)
  const [, made] = model.all('security-groups')
  const theirs = { id: 'rule-x', direction: 'ingress', ethertype: 'IPv4', remote_address_group_id: 'those' }
  model.change('security-groups', made!.id, { security_group_rules: [theirs] })
  const { there } = await group.observe(scopeOf('u'), signal)
  assert.equal(there!.strange, 1)
  const wanted = { rules: [{ direction: 'ingress', family: 4, protocol: 6, first: 22 }] as const }
  model.change('security-groups', made!.id, { description: made!['description'] })
  await assert.rejects(group.apply({ do: 'update', scope: scopeOf('u'), there: there!, wanted }, signal), { code: 'cloud-overtaken' })
  const { there: now } = await group.observe(scopeOf('u'), signal)
  await group.apply({ do: 'update', scope: scopeOf('u'), there: now!, wanted }, signal)
  const { there: then } = await group.observe(scopeOf('u'), signal)
  assert.deepEqual([then!.rules, then!.strange], [wanted.rules, undefined])
})
