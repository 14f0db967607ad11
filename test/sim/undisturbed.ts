// The same workload once more with nothing going wrong, and what may differ in the end: what chance and order choose, and nothing else.
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import { sameJson } from '../../core/same-json.ts'
import { isOwnKind, keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { Case, Happening } from './happening.ts'
import { ofBgp } from './events/bgp.ts'
import { ofPeerings } from './events/peering.ts'
import { ofServices } from './events/service.ts'
import { happeningKinds } from './events/index.ts'
import { runCase } from './run.ts'
import type { Site } from './site.ts'

/** Whose specs people write. */
const kindsChecked: readonly Kind[] = ['Vpc', 'Subnet', 'Port', 'Subscription', 'Pod']
/** Who comes first has them, and a node that is lost, or declared gone, takes its pods along. */
const contended: readonly string[] = ['ip', 'ips', 'mac', 'portID', 'vni', 'node', 'addressed']
/** What goes takes nothing new in: a Port that came a moment before is served, a moment later refused. */
const deciding: readonly string[] = [
  'lose-node',
  'silent-node',
  'forge-port',
  'delete-namespace',
  'create-namespace',
  'delete-subnet',
  'delete-vpc',
  // Of two prefixes that overlap who comes first is advertised, and of two Subnets of one name who comes first is made.
  ...ofBgp.map(({ name }) => name),
  // Of two who want one address who comes first has it.
  ...ofServices.map(({ name }) => name),
  // Of two peers with one block who comes first has it.
  ...ofPeerings.map(({ name }) => name),
]

/** A case in which nobody asks for what another may have: whatever comes first, all can be served. */
function uncontended(given: Case): Case {
  return {
    ...given,
    happenings: given.happenings
      .filter((each) => !deciding.includes(each.name) && !unsubscribes(each))
      .map((each) => (isFault(each) ? each : { ...each, args: without(each.args) as object })),
  }
}

/** A receiver that answers 410 wants no more (RFC 9110 15.5.11): its Subscription ends, and says so ever after. */
const unsubscribes = ({ name, args }: Happening): boolean => name === 'receiver' && (args as { readonly manner?: string }).manner === 'gone'

const undisturbed = (given: Case): Case => ({ ...given, happenings: given.happenings.filter((each) => !isFault(each)) })

const isFault = ({ name }: Happening): boolean => happeningKinds.get(name)?.fault === true

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !contended.includes(name))
      .map(([name, each]) => [name, widened(without(each))]),
  )
}

/** Each block 256 times as wide, overlapping what it overlapped: in a full Subnet order decides who is refused. */
function widened(value: unknown): unknown {
  const [, start, length] = (typeof value === 'string' && /^(?:10\.0\.0\.|2001:db8::)(\w*)\/(\d+)$/.exec(value)) || []
  if (start === undefined) return value
  const wide = Number(length) - 8
  return wide > 32 ? `2001:db8::${start === '' ? '' : `${start}00`}/${wide}` : `10.0.${start}.0/${wide}`
}

/** What was asked for, and what has become of it: kind and name → spec and phase. */
function endOf({ truth }: Site): ReadonlyMap<string, string> {
  const items = kindsChecked.flatMap((kind) => [...truth.values(kind)]).filter((item) => isAskedFor(item))
  return new Map(items.map((item) => [`${item.kind} ${keyOfItem(item)}`, JSON.stringify([specOf(item), phaseOf(item)])]))
}

/** Ports of pods are made for them: their names are drawn from UIDs. */
const isAskedFor = (item: Resource): boolean => item.kind !== 'Port' || (item as Resource<'Port'>).spec.claim === undefined

function specOf({ kind, spec }: Resource): object {
  const drawn: readonly string[] = kind === 'Pod' ? ['nodeName'] : []
  return Object.fromEntries(
    Object.entries(spec)
      .filter(([name]) => !drawn.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function phaseOf(item: Resource): string | undefined {
  if (isOwnKind(item.kind)) return (item.status as { readonly phase?: string } | undefined)?.phase
  return (JSON.parse(item.metadata.annotations?.[nicStatusAnnotation] ?? '{}') as { readonly phase?: string }).phase
}

export interface Difference {
  /**
   * Both came right, and every request was answered alike: whoever was refused because a process was just being killed has asked for
   * something else.
   */
  readonly comparable: boolean
  /** What did not end alike, with both ends. */
  readonly differing: readonly (readonly [string, string | undefined, string | undefined])[]
}

export async function differenceOf(given: Case): Promise<Difference> {
  const workload = uncontended(given)
  const [storm, calm] = [await runCase(workload, { traces: false }), await runCase(undisturbed(workload), { traces: false })]
  const comparable = storm.failure === undefined && calm.failure === undefined && sameJson(storm.outside.answers, calm.outside.answers)
  if (!comparable) return { comparable, differing: [] }
  const [a, b] = [endOf(storm.site), endOf(calm.site)]
  const names = [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name))
  return { comparable, differing: names.map((name) => [name, a.get(name), b.get(name)]) }
}
