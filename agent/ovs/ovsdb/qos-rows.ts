// QoS and Queue rows of the OVSDB that are ours. Nothing deletes them with their port: their own marks say which one they are for.
import { qosKey, qosText, queueKey, queueText, type Qos } from '../../../core/pipeline/ovsdb/queueing.ts'
import { numberOf, recordOf, textOf, uuidsOf, type MapValue, type Row, type Uuid } from '../../../core/wire/ovsdb/ovsdb.ts'
import type { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { ownerColumn, ownerMarks, rowsSeen } from './rows.ts'

/** In external_ids of both, and of queues alone. */
export const portColumn = 'megrez-port'
export const numberColumn = 'megrez-queue'

export interface QosRow {
  readonly id: string
  readonly port: string
  readonly row: Row
  /** The ports that have it. */
  readonly on: readonly string[]
}

export interface QueueRow {
  readonly id: string
  readonly port: string
  readonly number: number
  readonly row: Row
  /** Under its number in its port's QoS. */
  readonly isLinked: boolean
}

/** By port. */
export function qosRows(db: Ovsdb): ReadonlyMap<string, QosRow> {
  const found = new Map<string, QosRow>()
  const rows = db.rows('QoS')
  if (rows.size === 0) return found
  const on = portsByQos(db)
  for (const [id, row] of rows) {
    const { [ownerColumn]: mark, [portColumn]: port } = recordOf(row.external_ids)
    if (mark === ownerMarks.qos && port !== undefined) found.set(port, { id, port, row, on: on.get(id) ?? [] })
  }
  return found
}

function portsByQos(db: Ovsdb): ReadonlyMap<string, string[]> {
  const by = new Map<string, string[]>()
  for (const port of db.rows('Port').values()) for (const id of uuidsOf(port.qos)) by.set(id, [...(by.get(id) ?? []), textOf(port.name)])
  return by
}

/** By key. */
export function queueRows(db: Ovsdb, qos: ReadonlyMap<string, QosRow>): ReadonlyMap<string, QueueRow> {
  const found = new Map<string, QueueRow>()
  for (const [id, row] of db.rows('Queue')) {
    const { [ownerColumn]: mark, [portColumn]: port, [numberColumn]: nth } = recordOf(row.external_ids)
    if (mark !== ownerMarks.queue || port === undefined) continue
    const number = Number(nth)
    const isLinked = queuesOf(qos.get(port)?.row).some(([at, queue]) => at === number && queue[1] === id)
    found.set(queueKey(port, number), { id, port, number, row, isLinked })
  }
  return found
}

export const queuesOf = (qos: Row | undefined): readonly (readonly [number, Uuid])[] =>
  Array.isArray(qos?.queues) && qos.queues[0] === 'map' ? ((qos.queues as MapValue)[1] as readonly (readonly [number, Uuid])[]) : []

/** All rows of ours: bridges, ports and their queues. */
export function everythingSeen(db: Ovsdb): Map<string, string> {
  const seen = rowsSeen(db)
  for (const [key, text] of qosSeen(db)) seen.set(key, text)
  return seen
}

/** What is there of ours; what its port does not have is otherwise than it should be. */
function qosSeen(db: Ovsdb): ReadonlyMap<string, string> {
  const seen = new Map<string, string>()
  const rows = qosRows(db)
  for (const { port, row, on } of rows.values()) {
    const text = qosText({ port, type: textOf(row.type) as Qos['type'], options: recordOf(row.other_config) })
    seen.set(qosKey(port), on.length === 1 && on[0] === port ? text : `${text},on=${on.join(' ')}`)
  }
  for (const [key, { port, number, row, isLinked }] of queueRows(db, rows)) {
    const dscp = numberOf(row.dscp)
    const text = queueText({ port, number, options: recordOf(row.other_config), ...(dscp !== undefined && { dscp }) })
    seen.set(key, isLinked ? text : `${text},linked=no`)
  }
  return seen
}
