// One batch of changes as one Set: which lists, which VLANs, what is deleted.
import type { VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { SwitchRefused } from '../../../core/errors.ts'
import { parsePath, quoteKey, valueOf, type PathDraft, type UpdateDraft } from '../../../core/wire/gnmi/gnmi.ts'
import type { VlanId } from '../../../core/net/segment.ts'
import { changedEntries, type SwitchVlans, type TrunkEntry, type VlanPort } from '../../../core/wire/gnmi/openconfig-vlans.ts'

export interface SetDraft {
  readonly delete: readonly PathDraft[]
  readonly replace: readonly UpdateDraft[]
  readonly update: readonly UpdateDraft[]
}
export interface SetOptions {
  readonly owner: string
  readonly vlansPath: string
  /** For messages. */
  readonly target: string
  readonly encoding: number
}

/** All of them as one; undefined where there is none. */
export function joinedSets(drafts: readonly (SetDraft | undefined)[]): SetDraft | undefined {
  const all = drafts.filter((each) => each !== undefined)
  if (all.length === 0) return undefined
  return {
    delete: all.flatMap((each) => each.delete),
    replace: all.flatMap((each) => each.replace),
    update: all.flatMap((each) => each.update),
  }
}

/** The name of a VLAN of ours; OpenConfig puts no limit on it, switches take 32 characters. */
export const markOf = (owner: string, token: string): string => `${owner}-${token}`
export const tokenIn = (name: string | undefined, owner: string): string | undefined =>
  name?.startsWith(`${owner}-`) === true ? name.slice(owner.length + 1) : undefined

/** Undefined where nothing differs. @throws SwitchRefused where a VLAN or a port is somebody else's */
export function planSet(there: SwitchVlans, changes: readonly VlanChange[], options: SetOptions): SetDraft | undefined {
  const after = new Map<string, readonly TrunkEntry[]>()
  const names = new Map<number, string>()
  for (const [on, mine] of Map.groupBy(changes, (change) => change.on)) {
    const at = there.ports.get(on)
    if (at === undefined) continue
    if (at.mode === 'ACCESS') throw new SwitchRefused({ target: options.target, reason: `${on} is an access port` })
    const entries = entriesAfter(at, mine, { there, options, names })
    if (JSON.stringify(entries) !== JSON.stringify(at.entries)) after.set(on, entries)
  }
  const gone = goneVlans(there, changes, { after, owner: options.owner })
  if (after.size + names.size + gone.length === 0) return undefined
  const drafts = [...after].map(([on, entries]) => portDrafts(there.ports.get(on)!, entries, options.encoding))
  return {
    delete: [...drafts.flatMap((each) => each.delete), ...gone.map((vlan) => parsePath(`${options.vlansPath}/vlan[vlan-id=${vlan}]`))],
    replace: drafts.flatMap((each) => each.replace),
    update: [...[...names].map(([vlan, name]) => vlanDraft(vlan, name, options)), ...drafts.flatMap((each) => each.update)],
  }
}

interface Around {
  readonly there: SwitchVlans
  readonly options: SetOptions
  /** VLANs that are to bear our name. */
  readonly names: Map<number, string>
}

function entriesAfter(
  at: VlanPort,
  changes: readonly VlanChange[],
  { there, options: { owner, target }, names }: Around,
): readonly TrunkEntry[] {
  const open = new Set<number>()
  const close = new Set<number>()
  for (const { do: what, vlan, of } of changes) {
    const name = there.names.get(vlan)
    const mine = markOf(owner, of)
    if (what === 'close') {
      if (name === mine) close.add(vlan)
    } else if (name !== undefined && tokenIn(name, owner) === undefined) {
      throw new SwitchRefused({ target, reason: `VLAN ${vlan} is somebody else's there, by the name of ${JSON.stringify(name)}` })
    } else {
      open.add(vlan)
      if (name !== mine) names.set(vlan, mine)
    }
  }
  return changedEntries(at.entries, open, close)
}

/** VLANs of ours that no port lists any more; a range of somebody's that spans them is none of ours. */
function goneVlans(
  there: SwitchVlans,
  changes: readonly VlanChange[],
  { after, owner }: { readonly after: ReadonlyMap<string, readonly TrunkEntry[]>; readonly owner: string },
): number[] {
  const left = new Set(
    changes
      .filter((change) => change.do === 'close' && there.names.get(change.vlan) === markOf(owner, change.of))
      .map((change) => change.vlan),
  )
  for (const { do: what, vlan } of changes) if (what === 'open') left.delete(vlan)
  for (const [name, { entries }] of left.size === 0 ? [] : there.ports)
    for (const entry of after.get(name) ?? entries) left.delete(entry as VlanId)
  return [...left]
}

function portDrafts({ name, under, mode, native }: VlanPort, entries: readonly TrunkEntry[], encoding: number): SetDraft {
  const switched = `/interfaces/interface[name=${quoteKey(name)}]/${under}/switched-vlan`
  const trunks = parsePath(`${switched}/config/trunk-vlans`)
  if (entries.length > 0) {
    const toTrunk = mode === 'TRUNK' ? [] : [{ path: parsePath(`${switched}/config/interface-mode`), val: valueOf('TRUNK', encoding) }]
    return { delete: [], replace: [{ path: trunks, val: valueOf(entries, encoding) }], update: toTrunk }
  }
  // Nothing is left. With a native VLAN the port goes on carrying that one; without, it is no trunk any more.
  if (native !== undefined) return { delete: [], replace: [{ path: trunks, val: valueOf([native], encoding) }], update: [] }
  return { delete: [parsePath(switched)], replace: [], update: [] }
}

function vlanDraft(vlan: number, name: string, { vlansPath, encoding }: SetOptions): UpdateDraft {
  return {
    path: parsePath(`${vlansPath}/vlan[vlan-id=${vlan}]`),
    val: valueOf({ 'vlan-id': vlan, config: { 'vlan-id': vlan, name, status: 'ACTIVE' } }, encoding),
  }
}
