// What a node makes of a Port whose fabric is not ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostInterfaceName } from '../../core/net/names.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { Renderer } from '../../core/contracts/dataplane.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { endNameOf, isWireable, localPortOf } from '../../core/plan/node/pieces.ts'
import { thing } from './plan-things.ts'

const vif = { node: 'n1', plug: 'bridge', bridge: 'br-int', interfaceID: 'port-7' } as const
const claim = { pod: 'web', nic: 'net1', podUID: 'u' } as const
const port = (status: object, spec: object = { claim, podUID: 'u' }) =>
  thing(
    'Port',
    'p',
    { subnet: 'there', node: 'n1', ...spec },
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

test('one without a pod is wired wherever it is bound, as its VM may run there already', () => {
  const bound = [port({ phase: 'error' }, {}), port({ phase: 'error', vif: { ...vif, node: 'n2' } }, {}), port({ vif: undefined }, {})]
  assert.deepEqual(
    bound.map((each) => isWireable(each, 'n1')),
    [true, false, false],
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

const planes = {
  ovs: (links: boolean) => switchRenderer(() => ({ ...settings, links })),
  linux: () => linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789 }),
  bess: () => graphRenderer({ tunnelAddress: '192.0.2.1', tunnelL4Port: 4789 } as never),
}
const madeBy = (plane: Pick<Renderer, 'render' | 'unsupported'>, change: object): readonly [readonly string[], readonly string[]] => {
  const local = localPortOf(port({ vif: { ...vif, ...change } as typeof vif }), { number: 3, mtu: 1450 })!
  return [plane.render(portPiece, local, {}).map(({ key }) => key), plane.unsupported(portPiece, local, {}).map(({ name }) => name)]
}
const ifcName = hostInterfaceName('uid-p')

test('Open vSwitch plugs in by a bridge, also with a Linux bridge in between, and a TAP; what others make it leaves to them', () => {
  assert.deepEqual(
    [{}, { hybrid: true }, { plug: 'tap' }, { plug: 'tap', bridge: undefined }, { plug: 'interface', interface: 'eth7' }].map((change) =>
      madeBy(planes.ovs(true), change),
    ),
    [
      [[`port/${ifcName}`], []],
      [['hybrid/qbrport-7', 'port/qvoport-7'], []],
      [[`port/${ifcName}`], []],
      [[], []],
      [[], []],
    ],
  )
  const inNoNetwork = [{ bridge: undefined }, { plug: 'interface' }].map((change) => madeBy(planes.ovs(true), change))
  assert.deepEqual([...inNoNetwork, madeBy(planes.ovs(false), { hybrid: true })[1]], [[[], ['vif']], [[], ['vif']], ['vif-hybrid']])
})

test('the kernel plugs into a Linux bridge, and has none in between', () => {
  assert.deepEqual(
    [{}, { plug: 'tap' }, { plug: 'interface', interface: 'eth7' }, { hybrid: true }].map((change) => madeBy(planes.linux(), change)),
    [
      [[`plugged/${ifcName}`], []],
      [[`plugged/${ifcName}`], []],
      [[], []],
      [[], ['vif-hybrid']],
    ],
  )
})

test('BESS has no bridge of a cloud, and says so; what needs none it leaves to others', () => {
  assert.deepEqual(
    [{}, { hybrid: true }, { plug: 'tap' }, { plug: 'tap', bridge: undefined }, { plug: 'interface', interface: 'eth7' }].map(
      (change) => madeBy(planes.bess(), change)[1],
    ),
    [['vif'], ['vif'], ['vif'], [], []],
  )
})

test('what we make is called as the cloud says, else after the Port, and in a Linux bridge as its filters expect it', () => {
  assert.deepEqual(
    [{}, { interface: 'tap-x' }, { hybrid: true }, { hybrid: true, interface: 'tap-x' }, { plug: 'interface', interface: 'eth7' }].map(
      (change) => endNameOf(port({ vif: { ...vif, ...change } as typeof vif })),
    ),
    [ifcName, 'tap-x', 'tapport-7', 'tap-x', ifcName],
  )
})
