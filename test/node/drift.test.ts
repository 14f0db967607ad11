// Restarts and meddling: what was there comes back by itself, within five seconds, and goes on carrying packets.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ovs as make } from '../../agent/dataplanes/ovs.ts'
import { InUse, SwitchPortRefused } from '../../core/errors.ts'
import type { NodeWanted } from '../laws/node-wanted.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { reach, startTwoNodes, type LabNode, type Pod, type TwoNodes } from './two-nodes.ts'

const blue = { kind: 'vni', vni: 4_098 } as const
const repairMs = 5_000
/** What takes in what the other node tunnels to us, whatever else it asks of it. */
const tunnelFlow = 'table=0,in_port=65000'

describe("Open vSwitch under an operator's hands", { skip: ovsSkip }, () => {
  let lab: TwoNodes
  let node: LabNode
  let a: Pod
  let wanted: NodeWanted
  let repairs = 0
  before(async () => {
    lab = await startTwoNodes()
    node = lab.nodes[0]
    a = await lab.addPod(node, { name: 'a', attachment: blue, addresses: ['10.0.0.2'] })
    await lab.addPod(lab.nodes[1], { name: 'b', attachment: blue, addresses: ['10.0.0.3'] })
    await lab.converge({ [blue.vni]: {} })
    wanted = lab.wantedOf(node)
    // The loop of an agent, without its audits: only what wakes it makes it look.
    let looking: Promise<void> = Promise.resolve()
    node.plane.onDrift(() => {
      looking = looking
        .then(async () => {
          repairs += await reach(node.plane, wanted)
        })
        .catch(() => undefined)
    })
    assert.equal(await a.pings('10.0.0.3'), true)
  })
  after(() => lab.close())

  const repaired = async (meddle: () => Promise<unknown>): Promise<void> => {
    const before = repairs
    await meddle()
    await until(() => repairs > before, 'somebody has noticed', repairMs)
    assert.equal(await reach(node.plane, wanted), 0)
    assert.equal(await a.pings('10.0.0.3'), true)
  }

  test('a port is deleted', () => repaired(() => node.ovs.vsctl('del-port', 'mgz-int', a.port.ifcName)))
  test('a port is put into a VLAN', () => repaired(() => node.ovs.vsctl('set', 'port', a.port.ifcName, 'tag=5')))
  test('the tunnel is deleted', () => repaired(() => node.ovs.vsctl('del-port', 'mgz-int-vtep')))
  test('a flow is deleted', () => repaired(() => node.ovs.ofctl('del-flows', 'mgz-int', tunnelFlow)))
  test('all flows are deleted', () => repaired(() => node.ovs.ofctl('del-flows', 'mgz-int')))
  test('a flow is added that is like ours', () =>
    repaired(() => node.ovs.ofctl('add-flow', 'mgz-int', 'cookie=0x4d00000000000000,table=50,priority=500,actions=drop')))
  test('the bridge is deleted', () => repaired(() => node.ovs.vsctl('del-br', 'mgz-int')))

  test('ovs-vswitchd is killed: its flows are put back', () => repaired(() => node.ovs.restartSwitch()))

  test('ovsdb-server is killed: nothing is missing afterwards', async () => {
    await node.ovs.restartOvsdb()
    await until(
      () =>
        reach(node.plane, wanted).then(
          (steps) => steps === 0,
          () => false,
        ),
      'it is in step again',
      repairMs,
    )
    assert.equal(await a.pings('10.0.0.3'), true)
  })

  test('flows of others stay', async () => {
    await node.ovs.ofctl('add-flow', 'mgz-int', 'cookie=0x1,table=200,priority=5,actions=drop')
    await node.ovs.ofctl('del-flows', 'mgz-int', tunnelFlow)
    await reach(node.plane, wanted)
    assert.match(await node.ovs.ofctl('dump-flows', 'mgz-int'), /cookie=0x1, .*table=200/)
  })

  test('a number that another port has is refused with its name', async () => {
    await node.ovs.vsctl('add-port', 'mgz-int', 'theirs', '--', 'set', 'interface', 'theirs', 'type=internal', 'ofport_request=77')
    const port = { ...a.port, uid: 'x', number: 77 }
    await assert.rejects(
      reach(node.plane, { ...wanted, ports: new Map([['x', port]]) }),
      (err: Error) => err instanceof SwitchPortRefused && /theirs/.test(err.message),
    )
    await node.ovs.vsctl('del-port', 'theirs')
    await until(
      () =>
        reach(node.plane, wanted).then(
          (steps) => steps === 0,
          () => false,
        ),
      'it is as before',
      repairMs,
    )
  })

  test('an interface that is not there is refused, and the others are put all the same', async () => {
    const ghost = { ...a.port, uid: 'ghost', number: 9, ifcName: 'mgzghost', mac: '02:00:00:00:00:09', addresses: ['10.0.0.99'] }
    await assert.rejects(reach(node.plane, { ...wanted, ports: new Map([...wanted.ports, ['ghost', ghost]]) }), /mgzghost/)
    await reach(node.plane, wanted)
    assert.equal(await a.pings('10.0.0.3'), true)
  })

  test('a bridge or a tunnel of somebody else is refused with the name of its owner', async () => {
    const { ovs } = node
    const options = {
      node: 'n',
      db: ovs.db,
      runDir: ovs.folder,
      datapath: 'netdev',
      tunnelAddress: '192.0.2.9',
      uplinks: {},
      clock: realClock,
      random: Math.random,
      log: silentLog(),
    } as const
    const opened = async (more: { readonly bridge: string; readonly tunnelL4Port: number }): Promise<unknown> => {
      const plane = make({ ...options, ...more })
      return plane.open(AbortSignal.timeout(5_000)).finally(() => plane.close())
    }
    await ovs.vsctl('add-br', 'br-ex', '--', 'set', 'bridge', 'br-ex', 'datapath_type=netdev', 'external_ids:owner=neutron')
    await assert.rejects(
      opened({ bridge: 'br-ex', tunnelL4Port: 4789 }),
      (err: Error) => err instanceof InUse && /br-ex.*neutron/.test(err.message),
    )
    await ovs.vsctl(
      'add-port',
      'br-ex',
      'vx9',
      '--',
      'set',
      'interface',
      'vx9',
      'type=vxlan',
      'options:remote_ip=flow',
      'options:dst_port=8472',
    )
    await assert.rejects(opened({ bridge: 'mgz-int', tunnelL4Port: 8472 }), /vx9 on bridge br-ex/)
    assert.equal(((await opened({ bridge: 'mgz-int', tunnelL4Port: 4789 })) as { vxlan: boolean }).vxlan, true)
  })

  test('the datapath and what it can do are asked of the switch', async () => {
    const plane = make({
      node: 'n',
      db: node.ovs.db,
      runDir: node.ovs.folder,
      bridge: 'fresh',
      datapath: 'auto',
      tunnelAddress: '192.0.2.9',
      tunnelL4Port: 4790,
      uplinks: { physnet1: 'x' },
      clock: realClock,
      random: Math.random,
      log: silentLog(),
    })
    const can = await plane.open(AbortSignal.timeout(10_000))
    assert.deepEqual([can.datapath, can.vxlan, can.ct, can['vlan:physnet1']], ['netdev', true, true, true])
    assert.doesNotMatch(await node.ovs.vsctl('list-br'), /probe/)
    await plane.close()
  })

  test('whoever comes back asks through the bridge that pods use: a bridge made for asking would cost them a packet', async () => {
    const eye = new Ovsdb({ address: node.ovs.db, database: 'Open_vSwitch', tables: { Bridge: ['name'] }, log: silentLog() })
    const made: unknown[] = []
    await eye.ready(AbortSignal.timeout(5_000))
    eye.on((change) => {
      if (change !== 'all') made.push(...change)
    })
    const opened = async (bridge: string): Promise<object> => {
      const plane = make({
        node: 'n',
        db: node.ovs.db,
        runDir: node.ovs.folder,
        bridge,
        datapath: 'auto',
        tunnelAddress: '192.0.2.9',
        tunnelL4Port: 4789,
        uplinks: {},
        clock: realClock,
        random: Math.random,
        log: silentLog(),
      })
      return plane.open(AbortSignal.timeout(10_000)).finally(() => plane.close())
    }
    const can = await opened('mgz-int')
    assert.deepEqual(await opened('mgz-new'), can)
    await until(() => made.length >= 2, 'one who has no bridge yet makes one and takes it away')
    assert.equal(made.length, 2)
    eye.close()
  })
})
