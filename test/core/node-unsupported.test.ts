import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import type { LocalPort, Segment } from '../../core/node/wanted.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { nodeConditions } from '../../core/plan/node/unsupported.ts'
import { portPiece } from '../../core/pieces/port.ts'

const port: LocalPort = {
  uid: 'u1',
  of: { kind: 'Port', namespace: 'a', name: 'p1' },
  number: 1,
  ifcName: 'mgz1',
  attachment: { kind: 'vni', vni: 5001 },
  mac: '02:00:00:00:00:01',
  addresses: ['10.0.0.1'],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}
const onVlan: LocalPort = { ...port, attachment: { kind: 'vlan', physicalNetwork: 'blue', mode: 'access', vlans: [7] } }
const segmentOf = (...cidrs: string[]): Segment => ({
  vni: 5001,
  subnets: cidrs.map((cidr) => ({ cidr })),
  flood: false,
  hosts: [],
  numbers: [],
})
const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)

test("the kernel's plane says that it has no DPDK, and where it has no VLANs, and no routes between Subnets of one family", () => {
  const { unsupported } = linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789 })
  assert.deepEqual(names(unsupported(portPiece, port, { segment: segmentOf('10.0.0.0/24', '2001:db8::/64') })), [])
  const several = segmentOf('10.0.0.0/24', '10.0.1.0/24')
  const asOlder = linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, noRoutes: 'no such hooks' })
  assert.deepEqual(names(unsupported(portPiece, port, { segment: several })), [])
  assert.deepEqual(asOlder.unsupported(portPiece, port, { segment: several }), [{ name: 'routes', why: 'no such hooks' }])
  const flooding = { segment: { ...several, flood: true } }
  assert.deepEqual(names(unsupported(portPiece, port, flooding)), ['broadcast-limit'])
  const free = { ...port, portSecurity: false }
  assert.deepEqual(names(unsupported(portPiece, free, flooding)), ['broadcast-limit'])
  const unbound = linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, noLearning: 'no bounds', noTraffic: 'no limits' })
  assert.deepEqual(unbound.unsupported(portPiece, free, flooding), [
    { name: 'broadcast-limit', why: 'no limits: what this VNI carries to all is not limited' },
    { name: 'learning', why: 'no bounds' },
  ])
  assert.deepEqual(names(unbound.unsupported(portPiece, port, flooding)), ['broadcast-limit'])
  assert.deepEqual(names(unbound.unsupported(portPiece, free, { segment: several })), [])
  assert.deepEqual(names(unsupported(portPiece, onVlan)), ['vlan'])
  const uplinks = { blue: 'eth1' }
  assert.deepEqual(linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, uplinks }).unsupported(portPiece, onVlan), [])
  assert.deepEqual(
    linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, uplinks, noVlans: 'no programs' }).unsupported(portPiece, onVlan),
    [{ name: 'vlan', why: 'no programs: it is in no network' }],
  )
  assert.deepEqual(names(unsupported(portPiece, { ...port, type: 'dpdk' })), ['dpdk'])
})

test('BESS says so of VMs, and carries nothing of theirs', () => {
  const { unsupported } = graphRenderer({ dpdkBy: 'vhost-user', socketFolder: '/run' })
  assert.deepEqual(names(unsupported(portPiece, { ...port, type: 'tap' })), ['tap'])
})

test('BESS says that IPv6 has no gateway where the kernel routes a VNI that floods, and of others that it has no neighbours', () => {
  const { unsupported } = graphRenderer({ dpdkBy: 'vhost-user', socketFolder: '/run' })
  const both = { ...port, addresses: ['10.0.0.1', '2001:db8::1'] }
  const router = { number: 60_001, blocks: [{ cidr: '10.0.0.0/24', table: 7, hostRoutes: true }], ways: [] }
  const segment: Segment = { ...segmentOf('10.0.0.0/24', '2001:db8::/64'), l3: ['10.0.0.0/24'] }
  const told = (of: LocalPort, more: Partial<Segment>): string[] => names(unsupported(portPiece, of, { segment: { ...segment, ...more } }))
  assert.deepEqual(told(port, { router }), [])
  assert.deepEqual(told(port, {}), ['l3'], 'nobody announces it')
  assert.deepEqual(told(both, { router }), ['neighbour-discovery'])
  assert.deepEqual(told(both, { router, flood: true }), ['broadcast-limit', 'l3'])
  assert.deepEqual(told({ ...both, addresses: ['10.0.0.1'] }, { router, flood: true }), ['broadcast-limit'])
})

test('Open vSwitch says so of ports for DPDK where it has none, and of physical networks that its node has no interface to', () => {
  const renderer = (uplinks: Readonly<Record<string, string>>) =>
    switchRenderer(() => ({ node: 'n', bridge: 'mgz-int', datapath: 'netdev', tunnelAddress: '192.0.2.1', tunnelL4Port: 4789, uplinks }))
  assert.deepEqual(names(renderer({}).unsupported(portPiece, port)), [])
  assert.deepEqual(names(renderer({}).unsupported(portPiece, onVlan)), ['vlan'])
  assert.deepEqual(names(renderer({ blue: 'eth1' }).unsupported(portPiece, onVlan)), [])
  assert.deepEqual(names(renderer({}).unsupported(portPiece, { ...port, type: 'dpdk' })), ['dpdk'])
  assert.deepEqual(names(renderer({}).unsupported(portPiece, { ...port, type: 'dpdk', socket: '/run/u/net1.sock' })), [])
})

test('a condition names everything, keeps its time while it says the same, and goes when there is nothing to say', () => {
  const asked = (more: Partial<Resource<'Port'>['spec']>, status: Resource<'Port'>['status'] = {}): Resource<'Port'> => ({
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: { name: 'p1', namespace: 'a', uid: 'u1', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { subnet: 'all', ...more },
    status,
  })
  const all = [{ name: 'routes', why: 'no way' }] as const
  const told = (of: Resource<'Port'>, now: string, what: typeof all | readonly [] = all) =>
    nodeConditions(of, { all: what, plane: 'linux', now })
  const first = told(asked({ securityGroups: ['web'] }), '2026-01-01T00:00:01Z')
  assert.deepEqual(
    first.map(({ type, status, reason, message }) => [type, status, reason, message]),
    [['Unsupported', 'True', 'NotByLinux', 'routes: no way; security-groups: no data plane enforces them yet']],
  )
  const after = asked({ securityGroups: ['web'] }, { node: { wired: true, conditions: [...first] } })
  assert.deepEqual(told(after, '2026-01-01T00:00:02Z'), first)
  assert.equal(told(after, '2026-01-01T00:00:02Z', [])[0]?.lastTransitionTime, '2026-01-01T00:00:02Z')
  assert.deepEqual(told(asked({}), '2026-01-01T00:00:01Z', []), [])
})
