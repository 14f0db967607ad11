// What a switch does with a frame: the flows of one table after the other, as OpenFlow 1.4 section 5 has it. As much of it as our
// pipeline uses; what it does not is an error, so that a new feature comes here too.
import { backToSender, normal, type Action } from '../openflow/actions.ts'
import {
  conjId,
  ctIpv4Dst,
  ctIpv4Src,
  ctIpv6Dst,
  ctIpv6Src,
  ctL4Dst,
  ctL4Src,
  ctLabel,
  ctMark,
  ctProto,
  ctState,
  ctZone,
  inPort,
  ipTtl,
  vlanVid,
  type Field,
} from '../openflow/fields.ts'
import type { Flow, Term } from '../openflow/flow.ts'
import type { Bucket, Group } from '../openflow/group.ts'
import type { FieldValue } from '../openflow/values.ts'
import type { Connections } from './conntrack.ts'
import { readBits, readField, writeBits, type Frame, type Written } from './frame.ts'

export interface Out {
  readonly number: number
  readonly frame: Frame
}

export interface Tables {
  /** Of a table, the strongest first. */
  flowsOf(table: number): readonly Flow[]
  group(id: number): Group | undefined
  /** Whether a port's link is up. */
  isUp(number: number): boolean
  readonly connections: Connections
  /** A flow sends the frame as it is to whoever listens; absent: nobody does. */
  toController?(flow: Flow, frame: Frame): void
  /** What the switch's own learning switch gives out of a frame that came to a port; absent: there is none. */
  normal?(frame: Frame, number: number): readonly Out[]
  /** A frame finds no flow in a table: there it is dropped. Absent: nobody asks. */
  missed?(table: number): void
}

/** @param met told of each flow that it meets: then it is only tried out */
export function through(tables: Tables, given: Frame, number: number, met?: (flow: Flow) => void): readonly Out[] {
  const frame: Written = new Map(given)
  frame.set(inPort, number)
  const run = new Run(tables, number, met)
  run.from(frame, 0)
  return run.outs
}

function isMatched(frame: Frame, { field, value, mask }: Term): boolean {
  const has = readField(frame, field)
  if (mask === undefined) return has === value
  if (isWord(has) && isWord(mask) && isWord(value)) return (has & mask) >>> 0 === value
  return (BigInt(has) & BigInt(mask)) === BigInt(value)
}

/** Most fields are: no large number is made for them. */
const isWord = (value: FieldValue): value is number => typeof value === 'number' && value >>> 0 === value

const matches =
  (frame: Frame) =>
  (flow: Flow): boolean =>
    flow.match.every((term) => isMatched(frame, term))

type Dimension = Extract<Action, { do: 'conjunction' }>
const dimensions = new WeakMap<Flow, readonly Dimension[]>()
function dimensionsOf(flow: Flow): readonly Dimension[] {
  const known = dimensions.get(flow) ?? flow.actions.filter((action) => action.do === 'conjunction')
  dimensions.set(flow, known)
  return known
}

/** Two of one conjunction in one flow count as one. */
function isDimension(flow: Flow): boolean {
  const ids = dimensionsOf(flow).map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw new TypeError(`a flow is two dimensions of one conjunction: ${ids.join(' ')}`)
  return ids.length > 0
}

const joined = new WeakMap<readonly Flow[], boolean>()
/** Whether a table has conjunctions: most have none, and frames are many. */
function isJoined(flows: readonly Flow[]): boolean {
  const known = joined.get(flows) ?? flows.filter(isDimension).length > 0
  joined.set(flows, known)
  return known
}

/** The strongest flow; of the same strength, one that matches by itself before one by a conjunction (ovs-actions(7), conjunction). */
export function strongest(flows: readonly Flow[], frame: Frame): Flow | undefined {
  if (!isJoined(flows)) return flows.find(matches(frame))
  const there = flows.filter(matches(frame))
  const single = there.find((flow) => dimensionsOf(flow).length === 0)
  const priorities = [...new Set(there.filter((flow) => dimensionsOf(flow).length > 0).map(({ priority }) => priority))]
  for (const priority of priorities.filter((each) => each > (single?.priority ?? -1))) {
    const found = joint(flows, frame, there.filter((flow) => flow.priority === priority).flatMap(dimensionsOf))
    if (found !== undefined) return found
  }
  return single
}

/** What matches as conj_id once each dimension has a flow. */
function joint(flows: readonly Flow[], frame: Frame, met: readonly Dimension[]): Flow | undefined {
  const whole = [...new Set(met.map(({ id }) => id))].filter((id) => {
    const mine = met.filter((each) => each.id === id)
    return new Set(mine.map(({ clause }) => clause)).size === mine[0]!.of
  })
  const found = whole.flatMap(
    (id) => flows.filter((flow) => dimensionsOf(flow).length === 0).find(matches(new Map(frame).set(conjId, id))) ?? [],
  )
  return found.find(({ match }) => match.some(({ field }) => field === conjId))
}

const tracking: readonly Field[] = [
  ...[ctState, ctZone, ctMark, ctLabel, ctProto],
  ...[ctIpv4Src, ctIpv4Dst, ctIpv6Src, ctIpv6Dst, ctL4Src, ctL4Dst],
]

class Run {
  readonly outs: Out[] = []
  readonly #tables: Tables
  readonly #number: number
  readonly #met: ((flow: Flow) => void) | undefined

  constructor(tables: Tables, number: number, met: ((flow: Flow) => void) | undefined) {
    this.#tables = tables
    this.#number = number
    this.#met = met
  }

  from(frame: Written, first: number): void {
    for (let table: number | undefined = first; table !== undefined;) {
      const flow: Flow | undefined = strongest(this.#tables.flowsOf(table), frame)
      if (flow === undefined) return this.#tables.missed?.(table)
      table = undefined
      this.#met?.(flow)
      for (const action of flow.actions) {
        if (action.do === 'controller') this.#tell(flow, frame)
        table = this.#act(frame, action) ?? table
      }
    }
  }

  #tell(flow: Flow, frame: Frame): void {
    if (this.#met === undefined) this.#tables.toController?.(flow, frame)
  }

  /** @returns the table that is next, where the action says one */
  #act(frame: Written, action: Action): number | undefined {
    switch (action.do) {
      case 'goto':
        return action.table
      case 'set':
        return void frame.set(action.field, action.value)
      case 'load':
        return void writeBits(frame, action.to, BigInt(action.value))
      case 'move':
        return void writeBits(frame, action.to, readBits(frame, action.of))
      case 'decTtl':
        return void frame.set(ipTtl, Number(readField(frame, ipTtl)) - 1)
      case 'popVlan':
        return void frame.set(vlanVid, 0)
      case 'resubmit':
        return void this.from(frame, action.table)
      default:
        return void this.#send(frame, action)
    }
  }

  #send(frame: Written, action: Action): void {
    switch (action.do) {
      case 'output':
        return this.#out(frame, action.number)
      case 'outputTo':
        return this.#out(frame, Number(readBits(frame, action.of)))
      case 'group':
        return this.#group(frame, action.group)
      case 'ctClear':
        return tracking.forEach((field) => frame.delete(field))
      case 'ct':
        return this.#track(frame, action)
      // A rate that is not reached; no place left for what could be learnt, so that it is flooded; and who listens has been told by `from`.
      case 'meter':
      case 'learn':
      case 'controller':
        return undefined
      // Queues need time.
      default:
        throw new TypeError(`the model of a switch does not do ${action.do}`)
    }
  }

  /** A copy goes on in the table that is named; this one without what the copy knows, and without what was known before. */
  #track(frame: Written, action: Extract<Action, { do: 'ct' }>): void {
    const tracked = this.#tables.connections.tracked(frame, action)
    if (action.table !== undefined) this.from(tracked, action.table)
    tracking.forEach((field) => frame.delete(field))
  }

  /** What a bucket does to a packet is forgotten after it. */
  #group(frame: Frame, id: number): void {
    const group = this.#tables.group(id)
    if (group === undefined) throw new TypeError(`a flow uses group ${id}, which is not there`)
    for (const { actions } of this.#chosen(group, frame)) {
      const own = new Map(frame)
      for (const action of actions) this.#act(own, action)
    }
  }

  #chosen({ type, buckets, hash }: Group, frame: Frame): readonly Bucket[] {
    if (type === 'all') return buckets
    if (type === 'ff') return buckets.filter(({ watch }) => watch === undefined || this.#tables.isUp(watch)).slice(0, 1)
    if (type === 'indirect') return buckets.slice(0, 1)
    return [
      buckets.map((bucket) => ({ bucket, score: scoreOf(bucket, hash ?? [...frame.keys()], frame) })).sort((a, b) => b.score - a.score)[0]
        ?.bucket ?? [],
    ].flat()
  }

  /** Never where it came from, save where it is told so by name. */
  #out(frame: Frame, number: number): void {
    if (number === this.#number) return
    if (number === normal && this.#tables.normal !== undefined) return void this.outs.push(...this.#tables.normal(frame, this.#number))
    this.outs.push({ number: number === backToSender ? this.#number : number, frame: new Map(frame) })
  }
}

/** The highest wins: a bucket that goes moves its own packets alone, as in Open vSwitch. */
function scoreOf({ id, weight = 1 }: Bucket, fields: readonly Field[], frame: Frame): number {
  let hash = 0x811c9dc5
  for (const letter of [id, ...fields.map((field) => readField(frame, field))].join(' '))
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0
  return (hash % 65_521) * weight
}
