// What a Port row of Open vSwitch says of VLANs, and how ours are marked in it (ovs-vswitchd.conf.db(5), "Port", VLAN configuration).
// A switch may carry thousands on each of its ports, and every batch changes a few of them: a row is read once, and what a change makes of
// it is made from what was read.
import { parseVlan, type VlanId } from '../../net/segment.ts'

interface Mode {
  readonly tag: number | undefined
  readonly vlanMode: string | undefined
}
export interface TrunkRow extends Mode {
  readonly trunks: readonly number[]
  /** `100=abc,200=def`: VLAN and the token of the domain that it is open for. */
  readonly marks: string | undefined
}

interface Mark {
  readonly vlan: VlanId
  readonly of: string
  readonly text: string
}

/** A row that has been read. Shared, and never changed. */
export interface Trunk extends Mode {
  readonly mode: 'trunk' | 'closed' | 'unrestricted' | 'access'
  /** In order; an empty list carries every VLAN. */
  readonly trunks: readonly number[]
  /** In order, one for each VLAN. A VLAN that somebody has taken off the list is marked still. */
  readonly marks: readonly Mark[]
  readonly text: string
}

/** VLAN 4095 is reserved (IEEE 802.1Q-2018, table 9-2: not to be sent), so a trunk of it alone carries nothing. */
export const parkedVlan = 4095

export function readTrunk(row: TrunkRow): Trunk {
  const trunks = [...row.trunks].sort((a, b) => a - b)
  const { tag, vlanMode } = row
  return { mode: modeOf(row), tag, vlanMode, trunks, marks: readMarks(row.marks), text: row.marks ?? '' }
}

function readMarks(text = ''): Mark[] {
  const marks = new Map<VlanId, Mark>()
  for (const each of text.split(',')) {
    const cut = each.indexOf('=')
    // '' and what is no number come to 0 or NaN, which are no VLANs.
    const vlan = parseVlan(Number(each.slice(0, Math.max(0, cut))))
    if (vlan !== undefined) marks.set(vlan, mark(vlan, each.slice(cut + 1)))
  }
  return [...marks.values()].sort((a, b) => a.vlan - b.vlan)
}
const mark = (vlan: VlanId, of: string): Mark => ({ vlan, of, text: `${vlan}=${of}` })

function modeOf({ trunks, tag, vlanMode }: Mode & Pick<TrunkRow, 'trunks'>): Trunk['mode'] {
  if (vlanMode === 'access' || vlanMode === 'dot1q-tunnel' || (vlanMode === undefined && tag !== undefined)) return 'access'
  if (trunks.length === 0) return 'unrestricted'
  return trunks.length === 1 && trunks[0] === parkedVlan ? 'closed' : 'trunk'
}

/** What is open: for us, and for others. */
export function openOn({ mode, trunks, marks }: Trunk): {
  readonly ours: ReadonlyMap<VlanId, string>
  readonly others: ReadonlySet<VlanId>
  readonly mode: Trunk['mode']
} {
  const ours = new Map<VlanId, string>()
  const others = new Set<VlanId>()
  let at = 0
  for (const number of trunks) {
    while (at < marks.length && marks[at]!.vlan < number) at++
    const marked = marks[at]
    const vlan = marked?.vlan === number ? marked.vlan : parseVlan(number)
    if (marked?.vlan === number) ours.set(marked.vlan, marked.of)
    else if (vlan !== undefined) others.add(vlan)
  }
  return { ours, others, mode }
}

export interface TrunkChange {
  readonly do: 'open' | 'close'
  readonly vlan: VlanId
  readonly of: string
}
interface Draft {
  readonly trunks: number[]
  readonly marks: Mark[]
}

/**
 * The row after some changes, and the same where they change nothing; the list is never empty then, since an empty one carries every VLAN.
 */
export function changed(before: Trunk, changes: readonly TrunkChange[]): Trunk {
  const draft: Draft = { trunks: [...before.trunks], marks: [...before.marks] }
  let isOther = false
  for (const change of changes) isOther = (change.do === 'open' ? open(draft, change) : shut(draft, change)) || isOther
  if (!isOther) return before
  const { trunks, marks } = draft
  if (trunks.length > 1 && trunks.at(-1) === parkedVlan) trunks.pop()
  if (trunks.length === 0) trunks.push(parkedVlan)
  const { tag, vlanMode } = before
  return { mode: modeOf({ trunks, tag, vlanMode }), tag, vlanMode, trunks, marks, text: marks.map(({ text }) => text).join(',') }
}

/** What others have opened stays theirs. */
function open({ trunks, marks }: Draft, { vlan, of }: TrunkChange): boolean {
  const [at, place] = [markPlace(marks, vlan), placeOf(trunks, vlan)]
  const [marked, carried] = [marks[at]?.vlan === vlan, trunks[place] === vlan]
  if (carried && (!marked || marks[at]!.of === of)) return false
  if (!carried) trunks.splice(place, 0, vlan)
  marks.splice(at, marked ? 1 : 0, mark(vlan, of))
  return true
}

function shut({ trunks, marks }: Draft, { vlan, of }: TrunkChange): boolean {
  const [at, place] = [markPlace(marks, vlan), placeOf(trunks, vlan)]
  if (marks[at]?.vlan !== vlan || marks[at].of !== of) return false
  marks.splice(at, 1)
  if (trunks[place] === vlan) trunks.splice(place, 1)
  return true
}

/** Whether a list in any order holds what a list in order holds. */
export function sameTrunks(list: readonly number[], inOrder: readonly number[]): boolean {
  return (
    list.length === inOrder.length &&
    Uint16Array.from(list)
      .sort()
      .every((number, i) => number === inOrder[i])
  )
}

const placeOf = (list: readonly number[], number: number): number => firstNot(list.length, (i) => list[i]! < number)
const markPlace = (marks: readonly Mark[], vlan: number): number => firstNot(marks.length, (i) => marks[i]!.vlan < vlan)

/** The first place, of so many in order, for which it does not hold. */
function firstNot(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
