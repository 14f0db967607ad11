// What a table shows of each kind: our kinds' columns are those of kubectl's tables, from the table of kinds.
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Kind } from '../../core/kinds/index.ts'
import type { Column } from '../../core/kinds/kind.ts'
import { rowOf } from './names.ts'

/** An object as REST gives it. */
export interface Item {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
    readonly generation?: number
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly [more: string]: unknown
}
export interface ShownColumn {
  readonly name: string
  readonly wide: boolean
  readonly show: (item: Item, now: number) => string
}

const atPath = ({ name, type, path, wide }: Column): ShownColumn => {
  const steps = path.slice(1).split('.')
  const read = (item: Item): unknown =>
    steps.reduce<unknown>(
      (at, step) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined),
      item,
    )
  return { name, wide: wide === true, show: (item, now) => (type === 'date' ? since(read(item), now) : text(read(item))) }
}

const plain = (name: string, path: string, wide = false): ShownColumn => atPath({ name, type: 'string', path, wide })
const age: ShownColumn = atPath({ name: 'Age', type: 'date', path: '.metadata.creationTimestamp' })

/** Our report about a pod, from its annotation. */
function network(
  read: (report: {
    readonly phase?: string
    readonly message?: string
    readonly nics?: readonly { readonly name?: string; readonly addresses?: readonly string[] }[]
  }) => string,
): ShownColumn['show'] {
  return ({ metadata }) => {
    const report = metadata.annotations?.[nicStatusAnnotation]
    if (report === undefined) return ''
    try {
      return read(JSON.parse(report) as Parameters<typeof read>[0])
    } catch {
      return 'unreadable'
    }
  }
}

const foreign: Readonly<Record<string, readonly ShownColumn[]>> = {
  Pod: [
    plain('Phase', '.status.phase'),
    { name: 'Network', wide: false, show: network(({ phase = '' }) => phase) },
    {
      name: 'Addresses',
      wide: false,
      show: network(({ nics = [] }) => nics.map(({ name, addresses = [] }) => `${name}=${addresses.join('+')}`).join(',')),
    },
    plain('Node', '.spec.nodeName'),
    { name: 'Message', wide: true, show: network(({ message = '' }) => message) },
    age,
  ],
  Namespace: [plain('Phase', '.status.phase'), age],
  Event: [
    plain('Type', '.spec.type'),
    plain('Reason', '.spec.reason'),
    plain('Of', '.spec.regarding.kind'),
    plain('Name', '.spec.regarding.name'),
    plain('Note', '.spec.note'),
    age,
  ],
}

export function columnsOf(kind: Kind, wide: boolean): readonly ShownColumn[] {
  const own = rowOf(kind).columns
  const all = foreign[kind] ?? (own.length === 0 ? [age] : own.map(atPath))
  return all.filter((column) => wide || !column.wide)
}

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(String).join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
]

/** As kubectl prints ages: one or two units. */
export function since(value: unknown, now: number): string {
  const then = Date.parse(String(value))
  if (Number.isNaN(then)) return ''
  const seconds = Math.max(0, Math.floor((now - then) / 1000))
  const unit = units.find(([, size]) => seconds >= 2 * size)
  return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit[1])}${unit[0]}`
}
