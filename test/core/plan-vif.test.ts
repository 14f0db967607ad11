// What a node makes of a Port whose fabric is not ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portPiece } from '../../core/pieces/port.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { isWireable, localPortOf } from '../../core/plan/node/pieces.ts'
import { thing } from './plan-things.ts'

const vif = { node: 'n1', plug: 'bridge', bridge: 'br-int', interfaceID: 'port-7' } as const
const port = (status: object, node = 'n1') =>
  thing(
    'Port',
    'p',
    { subnet: 'there', node },
    { status: { addresses: ['10.9.0.2'], mac: 'fa:16:3e:00:00:02', phase: 'pending', vif, ...status } },
  )
const settings = {
  node: 'n1',
  bridge: 'br-megrez',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: {},
} as const

test('a Port of a cloud is wired once it is bound here, before it is ready, and not where it has failed or is bound elsewhere', () => {
  assert.deepEqual(
    [port({}), port({ phase: 'ready' }), port({ phase: 'error' }), port({ vif: { ...vif, node: 'n2' } }), port({ vif: undefined })].map(
      (each) => isWireable(each, 'n1'),
    ),
    [true, true, false, false, false],
  )
})

test('it is one port of the bridge of its cloud, and no flow, tunnel or lock', () => {
  const local = localPortOf(port({}), { number: 3, mtu: 1450 })!
  const items = switchRenderer(() => settings).render(portPiece, local, {})
  assert.deepEqual(
    items.map(({ key, text }) => [key, text]),
    [[`port/${local.ifcName}`, 'bridge=br-int,uid=uid-p,theirs=fa:16:3e:00:00:02 port-7']],
  )
})

const inNoNetwork = [
  ['one is wanted in between', { hybrid: true }, 'vif-hybrid'],
  ['it is to be a TAP', { plug: 'tap' }, 'vif'],
  ['it is an interface that somebody else makes', { plug: 'interface', interface: 'eth7' }, 'vif'],
  ['the cloud names no bridge', { bridge: undefined }, 'vif'],
] as const
for (const [where, change, name] of inNoNetwork)
  test(`where ${where}, it is in no network, and that is said`, () => {
    const local = localPortOf(port({ vif: { ...vif, ...change } as typeof vif }), { number: 3, mtu: 1450 })!
    const plane = switchRenderer(() => settings)
    assert.deepEqual([plane.render(portPiece, local, {}), plane.unsupported(portPiece, local, {}).map((each) => each.name)], [[], [name]])
  })
