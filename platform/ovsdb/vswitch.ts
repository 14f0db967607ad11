// The database of ovs-vswitchd: a change of it is one thing, that the switch has taken it in is another.
import { numberOf, type Operation, type Result } from '../../core/wire/ovsdb/ovsdb.ts'
import type { Ovsdb } from './database.ts'

/** Columns that `applied` needs among the tables of the Ovsdb. */
export const configColumns: Readonly<Record<string, readonly string[]>> = { Open_vSwitch: ['cur_cfg', 'next_cfg'] }

/**
 * A transaction, and the wait until ovs-vswitchd has put it into effect: next_cfg is counted up in it, and the switch sets cur_cfg to what
 * it
 * has done (ovs-vswitchd.conf.db(5)). One wait serves as many operations as are given.
 *
 * @returns the results of `operations`
 * @throws as Ovsdb.transact and Ovsdb.until: when the signal ends the waiting the transaction stands, and the switch will still do it
 */
export async function applied(db: Ovsdb, operations: readonly Operation[], signal: AbortSignal): Promise<readonly Result[]> {
  const results = await db.transact([
    ...operations,
    { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['next_cfg', '+=', 1]] },
    { op: 'select', table: 'Open_vSwitch', where: [], columns: ['next_cfg'] },
  ])
  const wanted = numberOf(results[operations.length + 1]?.rows?.[0]?.next_cfg) ?? 0
  await db.until(() => (currentConfig(db) >= wanted ? true : undefined), 'ovs-vswitchd has not put the change into effect', signal)
  return results.slice(0, operations.length)
}

function currentConfig(db: Ovsdb): number {
  for (const row of db.rows('Open_vSwitch').values()) return numberOf(row.cur_cfg) ?? 0
  return 0
}
