// 200 ports asked for at once, each by itself, against one transaction with all of them: until the switch has put them into effect.
import { ovs } from '../../agent/dataplanes/ovs.ts'
import type { OvsNode } from '../../lab/programs/ovs.ts'
import { portItem } from '../../core/pipeline/items.ts'
import { mapOf, named, setOf, type Operation } from '../../core/wire/ovsdb/ovsdb.ts'
import { run } from '../../platform/programs/run.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied, configColumns } from '../../platform/ovsdb/vswitch.ts'
import { bridge, startBenchSwitch } from './lib/ovs.ts'
import { againstFloor, type Metric } from './lib/metric.ts'
import { interleaved, rate, show } from './lib/rounds.ts'

export const description = 'switch ports per second: 200 asked for at once, against one transaction with all of them'

const count = 200
// One round in three or four is off by a tenth.
const rounds = 7
const signal = AbortSignal.timeout(880_000)
const names = Array.from({ length: count }, (_, i) => `v${i}`)
const because = { rule: 'a benchmark', of: { kind: 'Node', name: 'bench' } } as const

export default async function ovsPorts(): Promise<readonly Metric[]> {
  const node = await startBenchSwitch()
  const plane = ovs({
    node: 'bench',
    db: node.db,
    runDir: node.folder,
    bridge,
    datapath: 'netdev',
    tunnelAddress: '192.0.2.250',
    tunnelL4Port: 4789,
    uplinks: {},
    clock: realClock,
    random: Math.random,
    log: silentLog(),
  })
  const db = new Ovsdb({
    address: node.db,
    database: 'Open_vSwitch',
    tables: { ...configColumns, Bridge: ['name', 'ports'] },
    log: silentLog(),
  })
  try {
    await Promise.all([plane.open(signal), db.ready(signal)])
    await plane.apply({ drop: [], put: plane.renderer.base() }, signal)
    // 200 by name in one process: by 200 processes it is the longest part of the benchmark.
    await run('ip', ['-n', node.namespace.name, '-batch', '-'], {
      input: names.map((name) => `link add ${name} type veth peer name p${name}\n`).join(''),
    })
    const figures = await interleaved(rounds, {
      'one transaction': () => emptied(node, () => rate(count, () => applied(db, inOne(db), signal))),
      ours: () =>
        emptied(node, () =>
          rate(count, () => Promise.all(names.map((name, i) => plane.apply({ drop: [], put: [item(name, i)] }, signal)))),
        ),
    })
    show('ports/s', figures)
    return [againstFloor('batch-200', 'ports/s', { value: figures.ours.median, floor: figures['one transaction'] }, { atLeast: 0.9 })]
  } finally {
    db.close()
    await plane.close()
    await node.stop()
  }
}

const item = (name: string, i: number) =>
  portItem({ bridge, name, type: '', options: {}, number: 100 + i, vlan: undefined, uid: `uid-${name}` }, because)

function inOne(db: Ovsdb): readonly Operation[] {
  const [id = ''] = [...db.rows('Bridge')].find(([, row]) => row.name === bridge) ?? []
  return [
    ...names.flatMap((name, i): readonly Operation[] => [
      {
        op: 'insert',
        table: 'Interface',
        row: { name, ofport_request: 100 + i, external_ids: mapOf({ 'iface-id': name }) },
        'uuid-name': `i${i}`,
      },
      {
        op: 'insert',
        table: 'Port',
        row: { name, interfaces: named(`i${i}`), external_ids: mapOf({ megrez: 'port' }) },
        'uuid-name': `p${i}`,
      },
    ]),
    {
      op: 'mutate',
      table: 'Bridge',
      where: [['_uuid', '==', ['uuid', id]]],
      mutations: [['ports', 'insert', setOf(names.map((_, i) => named(`p${i}`)))]],
    },
  ]
}

/** Each round begins with a switch without them, and is worth nothing unless all are there at its end. */
async function emptied(node: OvsNode, run: () => Promise<number>): Promise<number> {
  await node.vsctl(...names.flatMap((name) => ['--', '--if-exists', 'del-port', name]).slice(1))
  const perSecond = await run()
  const there = (await node.vsctl('list-ports', bridge)).split('\n').filter((name) => name.startsWith('v')).length
  if (there !== count) throw new Error(`${there} ports are there, not ${count}`)
  return perSecond
}
