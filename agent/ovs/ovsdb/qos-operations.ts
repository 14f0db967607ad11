// Changes of QoS and Queue rows as operations of the OVSDB. Pure but for what it reads of the rows that are kept.
import { queueKey, type Qos, type Queue } from '../../../core/pipeline/ovsdb/queueing.ts'
import {
  byName,
  byUuid,
  mapOf,
  named as namedRow,
  setOf,
  uuid,
  type Condition,
  type MapValue,
  type Operation,
  type Row,
  type Value,
} from '../../../core/wire/ovsdb/ovsdb.ts'
import { numberColumn, portColumn, type QosRow, type QueueRow } from './qos-rows.ts'
import { ownerColumn, ownerMarks } from './rows.ts'

export interface WantedQos {
  readonly qos: readonly Qos[]
  readonly queues: readonly Queue[]
  /** Ports that were just put: a new row of a port that had a QoS has none yet. */
  readonly ports?: readonly string[]
}

export interface QosRows {
  readonly qos: ReadonlyMap<string, QosRow>
  readonly queues: ReadonlyMap<string, QueueRow>
}

const qosMarks = (port: string): MapValue => mapOf({ [ownerColumn]: ownerMarks.qos, [portColumn]: port })
const queueMarks = (port: string, number: number): MapValue =>
  mapOf({ [ownerColumn]: ownerMarks.queue, [portColumn]: port, [numberColumn]: String(number) })
const marked = (marks: MapValue): readonly Condition[] => [['external_ids', 'includes', marks]]
/** A rival that was faster makes the whole transaction stale. */
const unlessThere = (table: string, marks: MapValue): Operation => ({
  op: 'wait',
  table,
  where: marked(marks),
  columns: ['external_ids'],
  until: '==',
  rows: [],
  timeout: 0,
})
const qosColumns = ({ type, options }: Qos): Row => ({ type, other_config: mapOf(options) })
const queueColumns = ({ options, dscp }: Queue): Row => ({ other_config: mapOf(options), dscp: setOf(dscp === undefined ? [] : [dscp]) })

/** Queues of ports that have no QoS, and are to have none, are left out. */
export function putOperations(wanted: WantedQos, rows: QosRows): readonly Operation[] {
  const named = new Set(wanted.qos.map(({ port }) => port))
  const bare = (wanted.ports ?? [])
    .flatMap((port) => rows.qos.get(port) ?? [])
    .filter(({ port, on }) => !named.has(port) && !on.includes(port))
  const fresh = new Map(wanted.qos.filter(({ port }) => !rows.qos.has(port)).map(({ port }, nth) => [port, `q${nth}`]))
  return [
    ...bare.map(({ port, id }) => onPort(port, uuid(id))),
    ...wanted.qos.flatMap((qos) => putQos(qos, rows.qos.get(qos.port), fresh.get(qos.port) ?? '')),
    ...wanted.queues
      .filter(({ port }) => rows.qos.has(port) || fresh.has(port))
      .flatMap((queue, nth) => putQueue(queue, rows.queues.get(queueKey(queue.port, queue.number)), `u${nth}`)),
  ]
}

/** Those. */
export const orphans = (wanted: WantedQos, rows: QosRows): readonly Queue[] =>
  wanted.queues.filter(({ port }) => !rows.qos.has(port) && !wanted.qos.some((qos) => qos.port === port))

function putQos(qos: Qos, there: QosRow | undefined, name: string): readonly Operation[] {
  const { port } = qos
  if (there === undefined) {
    return [
      unlessThere('QoS', qosMarks(port)),
      { op: 'insert', table: 'QoS', row: { ...qosColumns(qos), external_ids: qosMarks(port) }, 'uuid-name': name },
      onPort(port, namedRow(name)),
    ]
  }
  const others = there.on.filter((each) => each !== port)
  return [
    { op: 'update', table: 'QoS', where: byUuid(there.id), row: qosColumns(qos) },
    ...others.map((each) => onPort(each, setOf([]))),
    onPort(port, uuid(there.id)),
  ]
}

const onPort = (port: string, qos: Value): Operation => ({ op: 'update', table: 'Port', where: byName(port), row: { qos } })

function putQueue(queue: Queue, there: QueueRow | undefined, name: string): readonly Operation[] {
  const { port, number } = queue
  const marks = queueMarks(port, number)
  if (there !== undefined)
    return [
      { op: 'update', table: 'Queue', where: byUuid(there.id), row: queueColumns(queue) },
      ...(there.isLinked ? [] : link(port, number, uuid(there.id))),
    ]
  return [
    unlessThere('Queue', marks),
    { op: 'insert', table: 'Queue', row: { ...queueColumns(queue), external_ids: marks }, 'uuid-name': name },
    ...link(port, number, namedRow(name)),
  ]
}

/** Inserting does not replace. */
const link = (port: string, number: number, queue: Value): readonly Operation[] => [
  unlink(port, number),
  { op: 'mutate', table: 'QoS', where: marked(qosMarks(port)), mutations: [['queues', 'insert', ['map', [[number, queue]]] as MapValue]] },
]
const unlink = (port: string, number: number): Operation => ({
  op: 'mutate',
  table: 'QoS',
  where: marked(qosMarks(port)),
  mutations: [['queues', 'delete', setOf([number])]],
})

/** What refers to a row goes first: the database keeps no reference to what is not there. */
export function dropOperations({ qos, queues }: WantedQos, rows: QosRows): readonly Operation[] {
  return [
    ...queues.flatMap(({ port, number }) => dropQueue(port, number, rows)),
    ...qos.flatMap(({ port }) => {
      const there = rows.qos.get(port)
      return there === undefined
        ? []
        : [...there.on.map((each) => onPort(each, setOf([]))), { op: 'delete', table: 'QoS', where: byUuid(there.id) } as const]
    }),
  ]
}

function dropQueue(port: string, number: number, rows: QosRows): readonly Operation[] {
  const there = rows.queues.get(queueKey(port, number))
  return there === undefined ? [] : [unlink(port, number), { op: 'delete', table: 'Queue', where: byUuid(there.id) }]
}
