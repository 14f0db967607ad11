// The laws of a fabric driver on a real Open vSwitch, over TCP, and what its ports must never become.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { SwitchRefused } from '../../core/errors.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { ovsdb, switchTables } from '../../workers/drivers/fabric/ovsdb.ts'
import { journeys, linesOf, scope, through, wants } from '../drivers/fabric-wants.ts'
import { driverLaws } from '../laws/driver.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'

const signal = new AbortController().signal
const [open, close] = (['open', 'close'] as const).map((what) => (on: string, vlan: number) => ({
  do: what,
  on,
  vlan: vlan as VlanId,
  of: 't',
})) as [
  (on: string, vlan: number) => { do: 'open'; on: string; vlan: VlanId; of: string },
  (on: string, vlan: number) => { do: 'close'; on: string; vlan: VlanId; of: string },
]

describe('a switch over OVSDB', { skip: ovsSkip }, () => {
  let node: OvsNode
  const connect = (): Ovsdb =>
    new Ovsdb({ address: node.db, database: 'Open_vSwitch', tables: switchTables, log: silentLog(), probeMs: 1_000 })
  const names = ['a', 'b', 'c', 'theirs']
  before(async () => {
    node = await startOvsNode({ name: labPrefix(), folder: ovsFolder() })
    await node.vsctl(
      '--no-wait',
      'add-br',
      'tor',
      '--',
      'set',
      'bridge',
      'tor',
      'datapath_type=netdev',
      ...names.flatMap((name) => ['--', 'add-port', 'tor', name, '--', 'set', 'interface', name, 'type=internal']),
    )
  })
  after(() => node.stop())
  /** Ports as a law finds them: a and c closed, b with a VLAN of somebody's, theirs with VLANs that are ours elsewhere. */
  const reset = (): Promise<unknown> =>
    node.vsctl(
      '--no-wait',
      ...['a', 'c'].flatMap((name) => ['--', 'set', 'port', name, 'trunks=4095', '--', 'clear', 'port', name, 'external_ids']),
      '--',
      'set',
      'port',
      'b',
      'trunks=7',
      'external_ids={theirs=yes}',
      '--',
      'set',
      'port',
      'theirs',
      'trunks=100,200',
    )
  const dump = async (): Promise<string> => node.vsctl('--format=csv', '--columns=name,trunks,tag,vlan_mode,external_ids', 'list', 'port')
  const onSwitch = async (run: (driver: ReturnType<typeof ovsdb>) => Promise<void>, owner = 'megrez'): Promise<void> => {
    const driver = ovsdb(connect(), { owner, clock: realClock })
    try {
      await driver.observe(scope, signal)
      await run(driver)
    } finally {
      await driver.close()
    }
  }
  const set = (...changes: (ReturnType<typeof open> | ReturnType<typeof close>)[]) => ({ do: 'setVlans' as const, changes })

  driverLaws('ovsdb', {
    journeys,
    async open() {
      await reset()
      const opened: Ovsdb[] = []
      const instance = async (way?: () => Promise<void>) => {
        const db = connect()
        opened.push(db)
        await db.ready(AbortSignal.timeout(5_000))
        const driver = ovsdb(db, { owner: 'megrez', clock: realClock })
        return way === undefined ? driver : through(driver, way)
      }
      return {
        instance: async (passing) => ({ driver: await instance(passing?.way), wants }),
        ours: async () => linesOf(await (await instance()).observe(scope, signal)),
        theirs: async () => [
          await node.vsctl('get', 'port', 'theirs', 'trunks', 'external_ids'),
          await node.vsctl('get', 'port', 'b', 'external_ids:theirs'),
        ],
        close: () => Promise.resolve(opened.forEach((db) => db.close())),
      }
    },
  })

  test('is left byte for byte as it was found', async () => {
    await reset()
    const before = await dump()
    await onSwitch(async (driver) => {
      await driver.apply(set(open('a', 100), open('a', 101), open('b', 100)), signal)
      assert.match(await dump(), /^a,"\[100, 101\]"/m)
      await driver.apply(set(close('a', 101), close('b', 100)), signal)
      await driver.apply(set(close('a', 100)), signal)
    })
    assert.equal(await dump(), before)
  })

  test('closes a port whose last VLAN leaves, and one that carried every VLAN before', async () => {
    await reset()
    await node.vsctl('--no-wait', 'clear', 'port', 'a', 'trunks')
    await onSwitch(async (driver) => {
      assert.equal((await driver.observe(scope, signal)).get('a')?.mode, 'unrestricted')
      await driver.apply(set(open('a', 100)), signal)
      assert.equal((await node.vsctl('get', 'port', 'a', 'trunks')).trim(), '[100]')
      await driver.apply(set(close('a', 100)), signal)
      assert.equal((await node.vsctl('get', 'port', 'a', 'trunks')).trim(), '[4095]')
      assert.equal((await driver.observe(scope, signal)).get('a')?.mode, 'closed')
    })
  })

  test('keeps its hands off access ports, VLANs of others, and marks of another owner', async () => {
    await reset()
    await node.vsctl('--no-wait', 'set', 'port', 'c', 'tag=5')
    await onSwitch(async (driver) => {
      await assert.rejects(driver.apply(set(open('c', 100)), signal), SwitchRefused)
      await driver.apply(set(open('b', 7), close('b', 7)), signal)
      assert.equal((await node.vsctl('get', 'port', 'b', 'trunks')).trim(), '[7]')
      await driver.apply(set(open('a', 100)), signal)
    })
    await onSwitch(async (driver) => {
      await driver.apply(set(close('a', 100)), signal)
      assert.deepEqual([...(await driver.observe(scope, signal)).get('a')!.others], [100])
    }, 'another')
    assert.equal((await node.vsctl('get', 'port', 'a', 'trunks')).trim(), '[100]')
    await node.vsctl('--no-wait', 'clear', 'port', 'c', 'tag')
  })

  test('tells of what others change, and not of what we have changed', async () => {
    await reset()
    await onSwitch(async (driver) => {
      let woken = 0
      driver.onDrift!(() => woken++)
      await driver.apply(set(open('a', 100)), signal)
      await driver.apply(set(open('a', 101)), signal)
      assert.equal(woken, 0)
      await node.vsctl('--no-wait', 'set', 'port', 'a', 'trunks=55')
      await until(() => woken > 0, 'a change by hand is heard of')
      assert.deepEqual([...(await driver.observe(scope, signal)).get('a')!.ours.keys()], [])
    })
  })
})
