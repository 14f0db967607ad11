// A switch that is managed over OVSDB, as Open vSwitch is: VLANs are the trunk lists of its Port rows. Which of them are ours stands
// beside each list in external_ids, written by the same transaction, so that it needs no memory of ours. The last VLAN to
// leave puts the reserved VLAN 4095 in its place: an empty list would carry every VLAN.
import type { FabricDriver, SwitchPortState, SwitchState, VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { SwitchRefused } from '../../../core/errors.ts'
import { parseVlan } from '../../../core/net/segment.ts'
import { changed, modeOf, parkedVlan, readMarks, type TrunkRow } from '../../../core/wire/ovs-trunks.ts'
import { atomsOf, byName, mapOf, numberOf, recordOf, setOf, textOf, uuidsOf, type Operation, type Row } from '../../../core/wire/ovsdb.ts'
import type { Ovsdb, OvsdbChange } from '../../../platform/ovsdb/database.ts'
import { applied, configColumns } from '../../../platform/ovsdb/vswitch.ts'

export const switchTables = { ...configColumns, Port: ['name', 'trunks', 'tag', 'vlan_mode', 'external_ids'], Bridge: ['name', 'ports'] } as const

export interface OvsdbSwitchOptions {
  /** Whose marks are ours: two Megrezes may share a fabric. */
  readonly owner: string
  readonly bridge?: string | undefined
  /** How long a switch may take to come into step, in milliseconds. */
  readonly readyMs?: number
}
/** How long ovs-vswitchd may take to put a change into effect. */
const appliedMs = 10_000

interface Found {
  readonly id: string
  readonly row: Row
}

const absent: SwitchPortState = { ours: new Map(), others: new Set(), mode: 'absent' }

export function ovsdb(db: Ovsdb, { owner, bridge, readyMs = 3_000 }: OvsdbSwitchOptions): FabricDriver {
  const marksKey = `${owner}-vlans`
  /** What we have written last, by port: its echo is no drift. */
  const written = new Map<string, string>()

  function portsByName(): ReadonlyMap<string, Found> {
    const allowed = bridge === undefined ? undefined : portsOf(bridge)
    const found = new Map<string, Found>()
    for (const [id, row] of db.rows('Port')) if (allowed?.has(id) !== false) found.set(textOf(row.name), { id, row })
    return found
  }

  function portsOf(name: string): ReadonlySet<string> {
    for (const row of db.rows('Bridge').values()) if (textOf(row.name) === name) return new Set(uuidsOf(row.ports))
    return new Set()
  }

  /** Rows are never changed, so what one comes to is worked out once. */
  const states = new WeakMap<Row, SwitchPortState>()
  const stateOfRow = (row: Row): SwitchPortState => {
    const there = states.get(row) ?? portState(trunkRow(row, marksKey))
    states.set(row, there)
    return there
  }

  function stateOf(asked: readonly string[]): SwitchState {
    const rows = portsByName()
    const state = new Map<string, SwitchPortState>(asked.map((name) => [name, absent]))
    for (const [name, { row }] of rows) if (state.has(name) || recordOf(row.external_ids)[marksKey] !== undefined) state.set(name, stateOfRow(row))
    return state
  }

  function operationsOf(changes: readonly VlanChange[]): Operation[] {
    const rows = portsByName()
    return [...Map.groupBy(changes, (change) => change.on)].flatMap(([on, mine]) => {
      const row = rows.get(on)?.row
      return row === undefined ? [] : portOperations(on, row, mine)
    })
  }

  function portOperations(on: string, row: Row, changes: readonly VlanChange[]): Operation[] {
    const before = trunkRow(row, marksKey)
    if (modeOf(before) === 'access') throw new SwitchRefused({ target: db.address, reason: `${on} is an access port` })
    const after = changed(before, changes)
    const sorted = [...before.trunks].sort((a, b) => a - b).join()
    if (after.marks === (before.marks ?? '') && after.trunks.join() === sorted) return []
    written.set(on, signature(after.trunks, after.marks))
    const where = byName(on)
    const { trunks = setOf([]), tag = setOf([]), vlan_mode: mode = setOf([]), external_ids: ids = mapOf({}) } = row
    const other = Object.fromEntries(Object.entries(recordOf(ids)).filter(([key]) => key !== marksKey))
    return [
      // The fence: nothing is changed unless the row is still as it was read.
      { op: 'wait', table: 'Port', where, columns: ['trunks', 'tag', 'vlan_mode', 'external_ids'], until: '==', rows: [{ trunks, tag, vlan_mode: mode, external_ids: ids }], timeout: 0 },
      { op: 'update', table: 'Port', where, row: { trunks: setOf(after.trunks), external_ids: mapOf(after.marks === '' ? other : { ...other, [marksKey]: after.marks }) } },
    ]
  }

  const isEcho = (row: Row): boolean => {
    const { trunks, marks } = trunkRow(row, marksKey)
    const mine = written.get(textOf(row.name))
    // Marks first: a list of a thousand is put in order only where they are the same.
    return mine?.endsWith(` ${marks ?? ''}`) === true && mine === signature([...trunks].sort((a, b) => a - b), marks ?? '')
  }
  const isDrift = (change: OvsdbChange): boolean =>
    change === 'all' || change.some(({ table, after, before }) => table === 'Port' && (after === undefined ? before !== undefined : !isEcho(after)))

  return {
    name: 'ovsdb',
    async observe({ ports }, signal) {
      await db.ready(AbortSignal.any([signal, AbortSignal.timeout(readyMs)]))
      return stateOf(ports)
    },
    async apply({ changes }, signal) {
      await db.ready(AbortSignal.any([signal, AbortSignal.timeout(readyMs)]))
      const operations = operationsOf(changes)
      // Open means that frames pass: ovs-vswitchd takes changes in when next_cfg is counted up, and says so in cur_cfg.
      if (operations.length > 0) await applied(db, operations, AbortSignal.any([signal, AbortSignal.timeout(appliedMs)]))
    },
    onDrift: (wake) => db.on((change) => { if (isDrift(change)) wake() }),
    close: () => Promise.resolve(db.close()),
  }
}

const signature = (trunks: readonly number[], marks: string): string => `${trunks.join()} ${marks}`

function trunkRow(row: Row, marksKey: string): TrunkRow {
  const mode = textOf(row.vlan_mode)
  return { trunks: atomsOf(row.trunks).map(Number), tag: numberOf(row.tag), vlanMode: mode === '' ? undefined : mode, marks: recordOf(row.external_ids)[marksKey] }
}

function portState(row: TrunkRow): SwitchPortState {
  const there = new Set(row.trunks)
  const ours = new Map([...readMarks(row.marks)].filter(([vlan]) => there.has(vlan)))
  const others = new Set(row.trunks.flatMap((number) => (number === parkedVlan ? [] : (parseVlan(number) ?? []))).filter((vlan) => !ours.has(vlan)))
  return { ours, others, mode: modeOf(row) }
}
