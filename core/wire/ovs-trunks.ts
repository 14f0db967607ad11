// What a Port row of Open vSwitch says of VLANs, and how ours are marked in it (ovs-vswitchd.conf.db(5), "Port", VLAN configuration).
import { parseVlan, type VlanId } from '../net/segment.ts'

export interface TrunkRow {
  readonly trunks: readonly number[]
  readonly tag: number | undefined
  readonly vlanMode: string | undefined
  readonly marks: string | undefined
}

/** VLAN 4095 is reserved (IEEE 802.1Q-2018, table 9-2: not to be sent), so a trunk of it alone carries nothing. */
export const parkedVlan = 4095

/** `100=abc,200=def`: VLAN and the token of whom it is open for. */
export function readMarks(text: string | undefined): Map<VlanId, string> {
  const marks = new Map<VlanId, string>()
  for (const each of (text ?? '').split(',')) {
    const cut = each.indexOf('=')
    // '' and what is no number come to 0 or NaN, which are no VLANs.
    const vlan = parseVlan(Number(each.slice(0, Math.max(0, cut))))
    if (vlan !== undefined) marks.set(vlan, each.slice(cut + 1))
  }
  return marks
}
export const writeMarks = (marks: ReadonlyMap<VlanId, string>): string => [...marks].sort(([a], [b]) => a - b).map(([vlan, token]) => `${vlan}=${token}`).join(',')

export function modeOf({ trunks, tag, vlanMode }: TrunkRow): 'trunk' | 'closed' | 'unrestricted' | 'access' {
  if (vlanMode === 'access' || vlanMode === 'dot1q-tunnel' || (vlanMode === undefined && tag !== undefined)) return 'access'
  if (trunks.length === 0) return 'unrestricted'
  return trunks.length === 1 && trunks[0] === parkedVlan ? 'closed' : 'trunk'
}

export interface TrunkChange {
  readonly do: 'open' | 'close'
  readonly vlan: VlanId
  readonly of: string
}

/** The trunk list and marks after some changes; the list is never empty, since an empty one carries every VLAN. */
export function changed(row: TrunkRow, changes: readonly TrunkChange[]): { readonly trunks: readonly number[]; readonly marks: string } {
  const trunks = new Set(row.trunks)
  const marks = readMarks(row.marks)
  for (const { do: what, vlan, of } of changes) {
    if (what === 'open' && (!trunks.has(vlan) || marks.has(vlan))) {
      trunks.add(vlan)
      marks.set(vlan, of)
    } else if (what === 'close' && marks.get(vlan) === of) {
      trunks.delete(vlan)
      marks.delete(vlan)
    }
  }
  if (trunks.size > 1) trunks.delete(parkedVlan)
  if (trunks.size === 0) trunks.add(parkedVlan)
  return { trunks: [...trunks].sort((a, b) => a - b), marks: writeMarks(marks) }
}
