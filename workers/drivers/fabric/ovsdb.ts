// A switch that is managed over OVSDB, as Open vSwitch is: VLANs are the trunk lists of its Port rows. Which of them are ours stands
// beside each list in external_ids, written by the same transaction, so that it needs no memory of ours. The last VLAN to
// leave puts the reserved VLAN 4095 in its place: an empty list would carry every VLAN.
import type { FabricDriver, SwitchPortState, SwitchState, VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { SwitchRefused } from '../../../core/errors.ts'
import { changed, openOn, readTrunk, sameTrunks, type Trunk, type TrunkRow } from '../../../core/wire/ovsdb/trunks.ts'
import {
  atomsOf,
  byName,
  mapOf,
  numberOf,
  recordOf,
  setOf,
  textOf,
  uuidsOf,
  type Operation,
  type Row,
} from '../../../core/wire/ovsdb/ovsdb.ts'
import { timeLimit, type Clock } from '../../../platform/clock.ts'
import type { Ovsdb, OvsdbChange } from '../../../platform/ovsdb/database.ts'
import { applied, configColumns } from '../../../platform/ovsdb/vswitch.ts'
import { vlansAlone } from './vlans-alone.ts'

export const switchTables = {
  ...configColumns,
  Port: ['name', 'trunks', 'tag', 'vlan_mode', 'external_ids'],
  Bridge: ['name', 'ports'],
} as const

export interface OvsdbSwitchOptions {
  /** Whose marks are ours: two Megrezes may share a fabric. */
  readonly owner: string
  readonly clock: Clock
  readonly bridge?: string | undefined
  /** How long a switch may take to come into step, in milliseconds. */
  readonly readyMs?: number
}
/** How long ovs-vswitchd may take to put a change into effect. */
const appliedMs = 10_000

interface MatchedRow {
  readonly id: string
  readonly row: Row
}

const absent: SwitchPortState = { ours: new Map(), others: new Set(), mode: 'absent' }

export function ovsdb(db: Ovsdb, { owner, bridge, clock, readyMs = 3_000 }: OvsdbSwitchOptions): FabricDriver {
  const marksKey = `${owner}-vlans`
  /** What we have written last, by port: its echo is no drift. */
  const written = new Map<string, Trunk>()
  const trunks = new WeakMap<Row, Trunk>()

  /** Rows are never changed, so each is read once; one that says what we have written is not read at all. */
  function trunkOf(row: Row): Trunk {
    const there = trunks.get(row)
    if (there !== undefined) return there
    const mine = written.get(textOf(row.name))
    const trunk = mine !== undefined && isEcho(row, mine, marksKey) ? mine : readTrunk(trunkRow(row, marksKey))
    trunks.set(row, trunk)
    return trunk
  }

  function portsByName(): ReadonlyMap<string, MatchedRow> {
    const allowed = bridge === undefined ? undefined : portsOf(bridge)
    const found = new Map<string, MatchedRow>()
    for (const [id, row] of db.rows('Port')) if (allowed?.has(id) !== false) found.set(textOf(row.name), { id, row })
    return found
  }

  function portsOf(name: string): ReadonlySet<string> {
    for (const row of db.rows('Bridge').values()) if (textOf(row.name) === name) return new Set(uuidsOf(row.ports))
    return new Set()
  }

  const states = new WeakMap<Trunk, SwitchPortState>()
  const stateOfRow = (row: Row): SwitchPortState => {
    const trunk = trunkOf(row)
    const there = states.get(trunk) ?? openOn(trunk)
    states.set(trunk, there)
    return there
  }

  function stateOf(names: readonly string[]): SwitchState {
    const rows = portsByName()
    const state = new Map<string, SwitchPortState>(names.map((name) => [name, absent]))
    for (const [name, { row }] of rows)
      if (state.has(name) || recordOf(row.external_ids)[marksKey] !== undefined) state.set(name, stateOfRow(row))
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
    const before = trunkOf(row)
    if (before.mode === 'access') throw new SwitchRefused({ target: db.address, reason: `${on} is an access port` })
    const after = changed(before, changes)
    if (after === before) return []
    written.set(on, after)
    const where = byName(on)
    const { trunks: list = setOf([]), tag = setOf([]), vlan_mode: mode = setOf([]), external_ids: ids = mapOf({}) } = row
    const other = Object.fromEntries(Object.entries(recordOf(ids)).filter(([key]) => key !== marksKey))
    return [
      // The fence: nothing is changed unless the row is still as it was read.
      {
        op: 'wait',
        table: 'Port',
        where,
        columns: ['trunks', 'tag', 'vlan_mode', 'external_ids'],
        until: '==',
        rows: [{ trunks: list, tag, vlan_mode: mode, external_ids: ids }],
        timeout: 0,
      },
      {
        op: 'update',
        table: 'Port',
        where,
        row: { trunks: setOf(after.trunks), external_ids: mapOf(after.text === '' ? other : { ...other, [marksKey]: after.text }) },
      },
    ]
  }

  const isDrift = (change: OvsdbChange): boolean =>
    change === 'all' ||
    change.some(
      ({ table, after, before }) =>
        table === 'Port' && (after === undefined ? before !== undefined : trunkOf(after) !== written.get(textOf(after.name))),
    )

  return {
    name: 'ovsdb',
    async observe({ ports }, signal) {
      await db.ready(AbortSignal.any([signal, timeLimit(readyMs, clock)]))
      return stateOf(ports)
    },
    async apply({ changes }, signal) {
      await db.ready(AbortSignal.any([signal, timeLimit(readyMs, clock)]))
      const operations = operationsOf(vlansAlone(changes, { driver: 'ovsdb', target: db.address }))
      // Open means that frames pass: ovs-vswitchd takes changes in when next_cfg is counted up, and says so in cur_cfg.
      if (operations.length > 0) await applied(db, operations, AbortSignal.any([signal, timeLimit(appliedMs, clock)]))
    },
    onDrift: (wake) =>
      db.on((change) => {
        if (isDrift(change)) wake()
      }),
    close: () => Promise.resolve(db.close()),
  }
}

function trunkRow(row: Row, marksKey: string): TrunkRow {
  const mode = textOf(row.vlan_mode)
  return {
    trunks: atomsOf(row.trunks).map(Number),
    tag: numberOf(row.tag),
    vlanMode: mode === '' ? undefined : mode,
    marks: recordOf(row.external_ids)[marksKey],
  }
}

/** Marks first: a list of a thousand is put in order only where they are the same. */
function isEcho(row: Row, mine: Trunk, marksKey: string): boolean {
  const { trunks, tag, vlanMode, marks } = trunkRow(row, marksKey)
  return (marks ?? '') === mine.text && tag === mine.tag && vlanMode === mine.vlanMode && sameTrunks(trunks, mine.trunks)
}
