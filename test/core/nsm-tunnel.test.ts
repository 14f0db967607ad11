import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import { endpointPreferences } from '../../core/nsm/connection/preferences.ts'
import { drawsEven, tunnelAnswer, tunnelIn, tunnelPreference, withMtuAtMost, type TunnelPlace } from '../../core/nsm/connection/tunnel.ts'
import { metricsOf, wireOf } from '../../core/nsm/connection/wire.ts'
import { Connection, type Mechanism } from '../../core/wire/nsm/connection.ts'

const place: TunnelPlace = { address: '10.0.0.1', l4Port: 14_789, vniMin: 100, vniMax: 199, isShared: false, mtu: 1_450 }
const vxlan = (more: Readonly<Record<string, string>> = {}): Mechanism =>
  mechanismOf('vxlan', new Map(Object.entries({ src_ip: '10.0.0.2', src_port: '4789', ...more })))
const connection: Connection = { ...Connection.decode(new Uint8Array()), id: 'c-1', networkService: 'svc-a' }
const kernel = mechanismOf(
  'kernel',
  new Map([
    ['inodeURL', 'file:///proc/7/ns/net'],
    ['name', 'nsm-1'],
  ]),
)

test('a VNI is even where the address of whoever asks is not above that of whoever serves', () => {
  for (const [from, to, even] of [
    ['10.0.0.1', '10.0.0.2', true],
    ['10.0.0.2', '10.0.0.1', false],
    ['10.0.0.2', '10.0.0.2', true],
    ['9.255.0.1', '10.0.0.1', true],
    ['2001:db8::2', '2001:db8::1', false],
    // As Go sorts them: IPv4 is ::ffff:0:0/96.
    ['10.0.0.1', '2001:db8::1', true],
  ] as const)
    assert.equal(drawsEven(vxlan({ src_ip: from }), to), even, `${from} ${to}`)
  assert.equal(drawsEven(vxlan({ src_ip: '10.0.0.2', orig_src_ip: '10.0.0.1' }), '10.0.0.1'), true, 'what was before a translation counts')
})

test('both nodes have the same tunnel, each from its own side', () => {
  const far = { ...place, address: '10.0.0.2', l4Port: 4789 }
  const answer = tunnelAnswer(tunnelPreference(far), place, 101)
  assert.deepEqual(tunnelIn(answer, 'dst', place), { vni: 101, local: '10.0.0.1', l4Port: 14_789, remote: '10.0.0.2', remoteL4Port: 4789 })
  assert.deepEqual(tunnelIn(answer, 'src', far), { vni: 101, local: '10.0.0.2', l4Port: 4789, remote: '10.0.0.1', remoteL4Port: 14_789 })
})

test('a tunnel is none that is not of this node, leads to itself, or has no VNI or port', () => {
  const whole = { dst_ip: '10.0.0.1', vni: '101' }
  assert.notEqual(tunnelIn(vxlan(whole), 'dst', place), undefined)
  for (const wrong of [
    { dst_ip: '10.0.0.9' },
    { src_ip: '10.0.0.1' },
    { src_ip: '2001:db8::1' },
    { src_ip: 'nobody' },
    { vni: '0' },
    { vni: '16777216' },
    { vni: '1e3x' },
    { src_port: '70000' },
  ])
    assert.equal(tunnelIn(vxlan({ ...whole, ...wrong }), 'dst', place), undefined, JSON.stringify(wrong))
  const shared = { ...place, isShared: true }
  assert.equal(tunnelIn(vxlan({ ...whole, vni: '5001' }), 'dst', shared), undefined, "a VNI of a Vpc's where the port is theirs too")
  assert.notEqual(tunnelIn(vxlan({ ...whole, vni: '5001' }), 'dst', place), undefined)
})

test('an endpoint of this node is asked for KERNEL, one of another node for VXLAN, and nothing goes on from there', () => {
  const preferences = endpointPreferences(place, (url) => url === 'tcp://here')
  const typesOf = (mechanism: Mechanism, target: string): readonly string[] =>
    preferences({ ...connection, mechanism }, target).map(({ type }) => type)
  assert.deepEqual(typesOf(kernel, 'tcp://here'), ['KERNEL'])
  assert.deepEqual(typesOf(kernel, 'tcp://there'), ['VXLAN'])
  assert.deepEqual(typesOf(vxlan(), 'tcp://here'), ['KERNEL'])
  assert.deepEqual(typesOf(vxlan(), 'tcp://there'), [])
  assert.deepEqual(typesOf(mechanismOf('noop'), 'tcp://there'), ['NOOP'])
})

test('what is joined is an interface and a tunnel, where the other end is on another node', () => {
  const mine = tunnelAnswer(vxlan(), place, 101)
  const theirs = tunnelAnswer(tunnelPreference(place), { ...place, address: '10.0.0.3' }, 102)
  const wire = (a: Mechanism, b: Mechanism, at: TunnelPlace | undefined = place) => wireOf(connection, [a, b], at)
  const [toClient, toEndpoint] = [wire(mine, kernel), wire(kernel, theirs)]
  assert.ok(toClient && 'tunnel' in toClient && toEndpoint && 'tunnel' in toEndpoint)
  assert.deepEqual([toClient.endIs, toClient.tunnel.remote], ['endpoint', '10.0.0.2'])
  assert.deepEqual([toEndpoint.endIs, toEndpoint.tunnel.remote], ['client', '10.0.0.3'])
  assert.deepEqual([wire(mine, theirs), wireOf(connection, [kernel, theirs])], [undefined, undefined])
})

test('the least MTU of the way holds', () => {
  const limited = withMtuAtMost(connection, 1_450)
  assert.equal(limited.context?.mtu, 1_450)
  assert.equal(withMtuAtMost(limited, 1_550).context?.mtu, 1_450)
  assert.equal(withMtuAtMost(limited, 1_400).context?.mtu, 1_400)
})

test('counters are said under the names that NSM’s forwarder has', () => {
  const side = (n: number) => ({ receivedPackets: n, sentPackets: n + 1, receivedBytes: n + 2, sentBytes: n + 3, dropped: n + 4 })
  assert.deepEqual(Object.fromEntries(metricsOf({ client: side(10), endpoint: side(20) })), {
    server_rx_packets: '10',
    server_tx_packets: '11',
    server_rx_bytes: '12',
    server_tx_bytes: '13',
    server_drops: '14',
    client_rx_packets: '20',
    client_tx_packets: '21',
    client_rx_bytes: '22',
    client_tx_bytes: '23',
    client_drops: '24',
  })
})
