// What switches carry: in the end the VLANs of those who are attached, where they are attached, and none of ours that nobody wants; no VLAN
// is closed by us that somebody relies on, none is free for others while a switch has it open for who had it, and others' stay theirs.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { VlanId } from '../../../core/net/segment.ts'
import { vlansIn } from '../../../core/plan/l2/definitions.ts'
import { tokenOf } from '../../../core/plan/l2/fabric.ts'
import { domainNameOf } from '../../../core/plan/l2/service.ts'
import type { MemoryPort } from '../../../workers/drivers/fabric/memory.ts'
import { perKind, type Invariant } from '../invariant.ts'
import { connectionPoints, placeOf, portOf, type Switches } from '../world/switches.ts'
import type { Truth } from '../truth.ts'

type Attachment = Resource<'L2ServiceAttachment'>
type Domain = Resource<'L2BridgeDomain'>

export const fabric: Invariant = {
  name: 'fabric',
  begin({ site: { truth }, switches }, fail) {
    switches.on(({ address, port, vlan, by }) => {
      if (switches.revived.has(placeOf(address, port, vlan))) return
      const user = [...truth.values('L2ServiceAttachment')].find(
        (each) => reliesOn(each, vlan) && portsOf(each).some(([a, p]) => a === address && p === port),
      )
      if (user !== undefined)
        fail(`${by} closed VLAN ${vlan} at ${address}/${port}, and L2ServiceAttachment ${keyOfItem(user)} is told that it has it`)
    })
    return {
      landed: perKind({
        SegmentLock(before, after) {
          if (after === undefined && before?.spec.vlan !== undefined) isClosed(before, switches, fail)
        },
      }),
      atRest() {
        const dry = dryIn(truth)
        isWanted(switches, { wanted: wantedBy(truth), dry }, fail)
        for (const domain of truth.values('L2BridgeDomain')) if (isDryRun(domain)) isOpenElsewhere(domain, { switches, truth, dry }, fail)
        for (const attachment of truth.values('L2ServiceAttachment'))
          if (attachment.status?.phase === 'ready') isCarried(attachment, switches, fail)
        for (const definition of truth.values('NetworkAttachmentDefinition')) isHeld(definition, truth, fail)
      },
    }
  },
}

/**
 * Whoever takes the VLAN next would be in one network with who had it. What a switch carries again since it began anew nobody could know
 * of, and it may be another's.
 */
function isClosed(
  { metadata: { name }, spec: { vlan, holder } }: Resource<'SegmentLock'>,
  switches: Switches,
  fail: (what: string) => void,
): void {
  const token = holder && tokenOf({ metadata: { name: domainNameOf({ metadata: holder } as unknown as Resource<'L2Service'>) } })
  for (const [address, { ports }] of switches.all)
    for (const [port, there] of ports)
      if (tokensOf(there, vlan as VlanId).includes(token) && !switches.revived.has(placeOf(address, port, vlan ?? 0)))
        fail(`the lock ${name} was freed while ${address}/${port} has the VLAN open for ${holder?.name}`)
}

/** Whose it is there, carried or in a VRF. */
const tokensOf = ({ ours, routed }: MemoryPort, vlan: VlanId): readonly (string | undefined)[] => [ours.get(vlan), routed?.get(vlan)?.of]

/** Pods take their VLANs from it: what it says nobody else may be given. */
function isHeld(definition: Resource<'NetworkAttachmentDefinition'>, truth: Truth, fail: (what: string) => void): void {
  const attachment = [...truth.values('L2ServiceAttachment')].find((each) => keyOfItem(each) === keyOfItem(definition))
  const held = [...truth.values('SegmentLock')].filter(
    ({ spec: { holder } }) =>
      holder?.namespace === definition.metadata.namespace && attachment?.spec.l2Services.includes(holder?.name ?? '') === true,
  )
  const free = vlansIn(definition).find((vlan) => held.every(({ spec }) => spec.vlan !== vlan))
  if (free !== undefined) fail(`NetworkAttachmentDefinition ${keyOfItem(definition)} says VLAN ${free}, which none of its L2Services holds`)
}

const isGoing = ({ metadata }: Resource): boolean => metadata.deletionTimestamp !== undefined
const vlansOf = ({ status }: Attachment): readonly number[] => status?.vlans ?? []
const reliesOn = (each: Attachment, vlan: VlanId): boolean =>
  !isGoing(each) && each.status?.phase === 'ready' && vlansOf(each).includes(vlan)
const portsOf = ({ spec }: Attachment): readonly (readonly [string, string])[] =>
  (connectionPoints[spec.connectionPoint] ?? []).map((node) => portOf[node]!)

/**
 * VLANs of L2Services that somebody is attached to. One that is going, or that is refused another VLAN, keeps what it has; and so does an
 * attachment that cannot follow, as one of its L2Services is going, for pods that have what its definition said.
 */
function wantedBy(truth: Truth): ReadonlySet<number> {
  const stuck = [...truth.values('L2ServiceAttachment')].filter((each) => !isGoing(each) && each.status?.phase !== 'ready').flatMap(vlansOf)
  const named = new Set(
    [...truth.values('L2ServiceAttachment')].flatMap((each) => each.spec.l2Services.map((name) => `${each.metadata.namespace}/${name}`)),
  )
  const users = [...truth.values('L2Service')].filter((each) => named.has(keyOfItem(each)))
  const keeping = new Set(users.filter((each) => isGoing(each) || each.status?.phase === 'error').map(({ metadata }) => metadata.uid))
  const kept = [...truth.values('L2BridgeDomain')]
    .filter(({ spec }) => keeping.has(spec.holder.uid))
    .flatMap(({ spec }) => [spec.vlan, ...(spec.draining ?? []).map(({ vlan }) => vlan)])
  return new Set([...users.map(({ spec }) => spec.segmentationID), ...kept, ...stuck])
}

/** Switches of Fabrics in which nothing is changed any more: what is open there stays. */
const dryIn = (truth: Truth): ReadonlySet<string> =>
  new Set([...truth.values('Fabric')].flatMap(({ spec }) => (spec.dryRun === true ? spec.switches.map(({ address }) => address) : [])))

function isWanted(
  switches: Switches,
  { wanted, dry }: { readonly wanted: ReadonlySet<number>; readonly dry: ReadonlySet<string> },
  fail: (what: string) => void,
): void {
  for (const [address, { ports }] of switches.all) {
    if (dry.has(address)) continue
    for (const [port, { ours }] of ports) {
      const left = [...ours.keys()].find((vlan) => !wanted.has(vlan))
      if (left !== undefined) fail(`VLAN ${left} is open at ${address}/${port}, and nobody wants it`)
    }
  }
}

const isDryRun = ({ metadata, status }: Domain): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.conditions?.some(({ type, reason }) => type === 'Ready' && reason === 'DryRun') === true

interface Elsewhere {
  readonly switches: Switches
  readonly truth: Truth
  readonly dry: ReadonlySet<string>
}

/** A Fabric in which nothing is changed holds no switch of another up. */
function isOpenElsewhere(domain: Domain, { switches, truth, dry }: Elsewhere, fail: (what: string) => void): void {
  const [vlan, token] = [domain.spec.vlan as VlanId, tokenOf(domain)]
  for (const [address, port] of domain.spec.connectionPoints.flatMap((point) => placesOf(point, truth))) {
    const all = switches.all.get(address)!.ports
    const isElses = [...all.values()].some(({ ours }) => ours.has(vlan) && ours.get(vlan) !== token)
    const there = all.get(port)
    if (dry.has(address) || isElses || there?.ours.has(vlan) === true || there?.others.has(vlan) === true) continue
    fail(`VLAN ${vlan} of ${domain.metadata.name} is not open at ${address}/${port}, though only another Fabric is a dry run`)
  }
}

const placesOf = (point: string, truth: Truth): readonly (readonly [string, string])[] => {
  const pool = truth.at('NodePool', point)
  return pool === undefined || isGoing(pool) ? [] : (connectionPoints[point] ?? []).map((node) => portOf[node]!)
}

function isCarried(attachment: Attachment, switches: Switches, fail: (what: string) => void): void {
  for (const vlan of vlansOf(attachment)) {
    const dark = portsOf(attachment).find(([address, port]) => {
      const there = switches.all.get(address)?.ports.get(port)
      return there === undefined || (!there.ours.has(vlan as VlanId) && !there.others.has(vlan as VlanId))
    })
    if (dark !== undefined)
      fail(`L2ServiceAttachment ${keyOfItem(attachment)} is told that it has VLAN ${vlan}, and ${dark.join('/')} does not carry it`)
  }
}
