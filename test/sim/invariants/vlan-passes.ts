// Packets in VLANs. None leaves or reaches a pod's interface that no rule table allowed which was in force while its agent may have gone by
// it: from what the agent last had to know on, and of an interface from when it was made on. Once all is quiet everybody is told of, and
// just those packets arrive that rules let.
import { keyOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { ruleSetName, type RuleSetSpec } from '../../../core/kinds/policy/policy-rule-set.ts'
import { unknown } from '../../../core/kinds/policy/tiers.ts'
import { attachmentSegment } from '../../../core/plan/node/external-policy.ts'
import { verdictOn, type Judged } from '../../../core/policy/verdict.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { World } from '../happening.ts'
import { podOfNetns } from '../world/netns.ts'
import { addressOf, type VlanStation } from '../world/vlan-traffic.ts'
import { Past } from './past.ts'

type Attachment = Resource<'L2ServiceAttachment'>
/** By then an agent that nothing is wrong with goes by nothing of before. */
const revokedMs = 15_000
/** From what an ADD has read to the interface that it has made. */
const addMs = 10_000
const transport = { protocol: 17, l4Port: 9 }

export const vlanPasses: Invariant = {
  name: 'vlan-passes',
  begin(world, fail) {
    const { site, machines, vlanTraffic } = world
    const attachments = new Past<Attachment>()
    const sets = new Past<RuleSetSpec>()
    /** UID of an interface → when it was made. */
    const madeAt = new Map<string, number>()
    /** Machine → since when its agent may have gone by what there was. */
    const since = new Map<string, number>()
    machines.on(({ port }, isThere) => {
      if (isThere && port.attachment.kind === 'vlan') madeAt.set(port.uid, site.scheduler.now)
    })
    const inStepAt = ({ machine }: VlanStation): number => {
      const calm = calmFor(machine, world)
      const known = since.get(machine.name) ?? 0
      const at = calm >= revokedMs ? Math.max(known, site.scheduler.now - revokedMs) : known
      since.set(machine.name, at)
      return at
    }
    /** In some moment from then on. */
    const mayHave = (station: VlanStation, direction: Judged['direction'], address: string): boolean => {
      const from = inStepAt(station)
      const told = Math.max(from, (madeAt.get(station.port.uid) ?? 0) - addMs)
      return attachments
        .from(keyOf(station.port.of), told)
        .some(
          (each) =>
            each !== undefined && judgements(station, each, (name) => sets.from(name, from)).some((judge) => judge(direction, address)),
        )
    }
    /** By what is stored at this moment. */
    const isLet = (station: VlanStation, direction: Judged['direction'], address: string): boolean => {
      const attachment = attachments.latest(keyOf(station.port.of))
      return (
        attachment === undefined ||
        judgements(station, attachment, (name) => [sets.latest(name)]).some((judge) => judge(direction, address))
      )
    }
    vlanTraffic.on((flight, at) => {
      const what = `a packet of ${flight.from === undefined ? 'a stranger' : nameOf(flight.from)} in VLAN ${flight.vlan} from ${flight.source} to ${flight.to}`
      if (at !== undefined && at.vlan !== flight.vlan) fail(`${what} came to ${nameOf(at)} in VLAN ${at.vlan}`)
      if (at !== undefined && !mayHave(at, 'ingress', flight.source)) fail(`${what} came to ${nameOf(at)}, which no rules allowed`)
      if (flight.from !== undefined && !mayHave(flight.from, 'egress', flight.to)) fail(`${what} was sent, which no rules allowed`)
    })
    return {
      landed: perKind({
        L2ServiceAttachment: (before, after) => attachments.note(keyOfItem((after ?? before)!), after, site.scheduler.now),
        PolicyRuleSet: (before, after) => sets.note(ruleSetName((after ?? before)!.spec), after?.spec, site.scheduler.now),
      }),
      atRest() {
        const all = [...vlanTraffic.stations()]
        for (const station of all) if (isUntold(station, attachments)) fail(`at rest nobody has told who judges ${nameOf(station)}`)
        for (const [from, to] of pairsOf(all)) {
          const arrives = vlanTraffic.reach(from, to.port.mac, addressOf(to)).some(({ port }) => port.uid === to.port.uid)
          const may = isLet(from, 'egress', addressOf(to)) && isLet(to, 'ingress', addressOf(from))
          const does = arrives ? 'reaches' : 'does not reach'
          if (arrives !== may)
            fail(`at rest ${nameOf(from)} ${does} ${nameOf(to)} in VLAN ${to.vlan}, which rules ${may ? 'allow' : 'deny'}`)
        }
      },
    }
  },
}

/** Two of one VLAN. */
const pairsOf = (all: readonly VlanStation[]): readonly (readonly [VlanStation, VlanStation])[] =>
  all.flatMap((from) => all.filter((to) => from.vlan === to.vlan && from.port.uid !== to.port.uid).map((to) => [from, to] as const))

const calmFor = ({ name, plane, linksMs }: VlanStation['machine'], { site }: World): number =>
  plane.up && linksMs === 0 ? Math.min(site.processOf(`agent-${name}`)?.untroubledMs ?? 0, site.scheduler.now - plane.begunAt) : 0

const podOf = ({ inside }: VlanStation) => podOfNetns(inside.netns ?? '')
const nameOf = (station: VlanStation): string =>
  `pod ${podOf(station)?.name} on ${station.machine.name} in ${keyOf(station.port.of)} (${station.port.ifcName})`

type Judge = (direction: Judged['direction'], address: string) => boolean

/** What workers have said of an interface; closed: of whom they say nothing in a VLAN where policies are in force. */
function wordOn(
  station: VlanStation,
  attachment: Attachment,
): 'free' | 'closed' | { readonly identity: number; readonly ruleSets: readonly string[] } {
  const { policy } = attachment.status ?? {}
  if (policy === undefined || attachmentSegment(attachment) === undefined) return 'free'
  const uid = podOf(station)?.uid ?? 'nobody'
  const mine = policy.judged.find(({ pods }) => pods.includes(uid))
  return mine === undefined || policy.segment !== attachmentSegment(attachment) ? 'closed' : mine
}

/** Of one word of workers: with each rule table that there was under the names that it names. Where one is not there, it is closed. */
function judgements(
  station: VlanStation,
  attachment: Attachment,
  setsNamed: (name: string) => readonly (RuleSetSpec | undefined)[],
): readonly Judge[] {
  const word = wordOn(station, attachment)
  if (word === 'free') return [() => true]
  if (word === 'closed') return []
  const { identity, ruleSets } = word
  const tables = ruleSets.reduce<readonly (readonly RuleSetSpec[])[]>(
    (some, name) =>
      some.flatMap((sets) => setsNamed(name).flatMap((set) => (set?.subjects.includes(identity) === true ? [[...sets, set]] : []))),
    [[]],
  )
  const peerOf = (address: string) => ({ identity: unknown, address })
  return tables.map(
    (sets) => (direction, address) =>
      verdictOn(sets, { subject: identity, direction, peer: peerOf(address), transport, vlan: station.vlan }).isAllowed,
  )
}

function isUntold(station: VlanStation, attachments: Past<Attachment>): boolean {
  const attachment = attachments.latest(keyOf(station.port.of))
  return attachment !== undefined && wordOn(station, attachment) === 'closed'
}
