// The client against real ovsdb-servers: unix socket, TCP and TLS, restarts, and waiting for ovs-vswitchd.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { OvsdbRefused, OvsdbStale, OvsdbUnavailable } from '../../core/errors.ts'
import { byName, named, numberOf, textOf } from '../../core/wire/ovsdb/ovsdb.ts'
import { silentLog } from '../../platform/log.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied, configColumns } from '../../platform/ovsdb/vswitch.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'

const soon = (): AbortSignal => AbortSignal.timeout(20_000)
const tables = { ...configColumns, Bridge: ['name', 'external_ids', 'fail_mode', 'protocols'], Interface: ['name', 'ofport'] }

describe('an OVSDB', { skip: ovsSkip }, () => {
  let node: OvsNode
  let db: Ovsdb
  before(async () => {
    node = await startOvsNode({ name: labPrefix(), folder: ovsFolder() })
    db = new Ovsdb({ address: node.db, database: 'Open_vSwitch', tables, log: silentLog() })
    await db.ready(soon())
  })
  after(async () => {
    db.close()
    await node.stop()
  })
  const bridges = (): string[] => [...db.rows('Bridge').values()].map((row) => textOf(row.name)).sort()
  const addBridge = (name: string): Promise<unknown> =>
    applied(
      db,
      [
        { op: 'insert', table: 'Interface', row: { name, type: 'internal' }, 'uuid-name': 'i' },
        { op: 'insert', table: 'Port', row: { name, interfaces: named('i') }, 'uuid-name': 'p' },
        { op: 'insert', table: 'Bridge', row: { name, datapath_type: 'netdev', ports: named('p') }, 'uuid-name': 'b' },
        { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['bridges', 'insert', named('b')]] },
      ],
      soon(),
    )

  test('what others change is seen, and what we change is in effect once it is said to be', async () => {
    await node.vsctl(
      '--no-wait',
      'add-br',
      'theirs',
      '--',
      'set',
      'bridge',
      'theirs',
      'datapath_type=netdev',
      'external_ids:a=1',
      'external_ids:b=2',
    )
    await db.until(() => (bridges().includes('theirs') ? true : undefined), 'no bridge', soon())
    await addBridge('ours')
    const port = [...db.rows('Interface').values()].find((row) => row.name === 'ours')
    assert.equal(numberOf(port?.ofport), 65_534)
    await node.vsctl(
      '--no-wait',
      'remove',
      'bridge',
      'theirs',
      'external_ids',
      'a',
      '--',
      'set',
      'bridge',
      'theirs',
      'external_ids:b=3',
      'protocols=OpenFlow13,OpenFlow14',
      'fail_mode=secure',
    )
    await db.until(
      () => [...db.rows('Bridge').values()].find((row) => row.name === 'theirs' && row.fail_mode === 'secure'),
      'no change',
      soon(),
    )
    const row = [...db.rows('Bridge').values()].find((each) => each.name === 'theirs')
    assert.deepEqual(row, {
      name: 'theirs',
      external_ids: ['map', [['b', '3']]],
      fail_mode: 'secure',
      protocols: ['set', ['OpenFlow13', 'OpenFlow14']],
    })
  })

  test("refusals have the server's words; a wait that does not hold is stale; nothing of either is done", async () => {
    const count = db.rows('Bridge').size
    await assert.rejects(db.transact([{ op: 'insert', table: 'Nonsense', row: {} }]), OvsdbRefused)
    await assert.rejects(
      db.transact([{ op: 'update', table: 'Bridge', where: byName('ours'), row: { fail_mode: 'purple' } }]),
      /constraint violation/,
    )
    await assert.rejects(
      db.transact([
        { op: 'comment', comment: 'first' },
        { op: 'wait', table: 'Bridge', where: byName('ours'), columns: ['name'], until: '==', rows: [], timeout: 0 },
        { op: 'delete', table: 'Bridge', where: [] },
      ]),
      OvsdbStale,
    )
    assert.equal(db.rows('Bridge').size, count)
  })

  test('the database is restarted: rows are read anew and transactions go on', async () => {
    let anew = 0
    const stop = db.on((change) => {
      if (change === 'all') anew++
    })
    await node.restartOvsdb()
    await until(() => anew > 0, 'it has connected again')
    stop()
    await addBridge('after')
    assert.deepEqual(bridges(), ['after', 'ours', 'theirs'])
  })

  test('ovs-vswitchd is away: the wait for it ends with the signal and says so', async () => {
    await node.appctl('exit')
    await assert.rejects(
      applied(db, [], AbortSignal.timeout(300)),
      (err: Error) => err instanceof OvsdbUnavailable && /ovs-vswitchd/.test(err.message),
    )
  })
})
