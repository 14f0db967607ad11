// With whom the Ports of one identity may talk, of all rule sets that judge it together: for data planes that follow no connections, in
// which a verdict is about two ends and nothing else. Where rules need more than that its Ports are closed, or the rules left out, as their
// policy says.
import { accessOf } from '../../policy/rules/stateless.ts'
import { decisionsOf } from '../../policy/rules/decided.ts'
import { noAccess, type PeerAccess } from '../../kinds/policy/access.ts'
import type { PeerDecision } from '../../kinds/policy/peer-decision.ts'
import type { LocalPort, RuleSet } from '../../node/wanted.ts'
import { judgementItems as graphItems } from '../../graph/items.ts'
import { decidedItems, judgementItems as linuxItems } from '../../linux/judged.ts'
import type { LinuxOptions } from '../../linux/options.ts'
import type { Unsupported } from '../../node/unsupported.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { portPiece } from '../port.ts'
import { notDone } from './not-done.ts'
import { ruleSetPiece } from './rule-set.ts'

/** A Port that is judged, as much of it as matters. */
export interface JudgedPort extends Pick<LocalPort, 'ifcName' | 'number' | 'of' | 'portSecurity'> {
  /** What it sends is marked so. */
  readonly dscp?: number
}

export interface Judgement {
  readonly vni: number
  readonly identity: number
  readonly ports: readonly JudgedPort[]
  /** Those in audit among them. */
  readonly sets: readonly RuleSet[]
}

type Share = { readonly port: JudgedPort } | { readonly set: RuleSet }
export const judgementKey = (vni: number, identity: number): string => `${vni}/${identity}`

export const judgementPiece: PieceKind<Judgement> = {
  name: 'Judgement',
  key: ({ vni, identity }) => judgementKey(vni, identity),
  sources: [],
  made: madeOf([gives(portPiece, sharesOfPort), gives(ruleSetPiece, sharesOfSet)], make),
  names: ({ ports }) => ports.map(({ ifcName }) => `judged ${ifcName}`),
  failsClosed: true,
  planes: {
    ovs: 'its rules are flows of their own there',
    bess: {
      items: (judgement) => graphItems(judgement, accessBy(judgement, notDone.bess)),
      closes: (key, text) => key.startsWith('rule/may.') && text === 'drop',
    },
    linux: {
      items: (judgement, _, options) => linuxItems(judgement.ports, { vni: judgement.vni, decisions: decisionsBy(judgement, options) }),
      parts: (judgement, _, options) => decidedItems(judgement.ports, judgement.sets, decisionsBy(judgement, options)),
      // What a rule limits goes with its verdict.
      closes: (key) => /^(judged|ruled)\//.test(key),
    },
    memory: 'it is in the item of its rules',
  },
}

function sharesOfPort({ attachment, policy, ifcName, number, of, portSecurity }: LocalPort): readonly (readonly [string, Share])[] {
  if (attachment.kind !== 'vni' || policy === undefined || policy.isClosed) return []
  const dscp = policy.traffic?.dscp
  const port = { ifcName, number, of, portSecurity, ...(dscp !== undefined && { dscp }) }
  return [[judgementKey(attachment.vni, policy.identity), { port }]]
}

function sharesOfSet(set: RuleSet): readonly (readonly [string, Share])[] {
  return set.subjects.map((identity) => [judgementKey(set.vni, identity), { set }])
}

function make(key: string, shares: readonly Share[]): Judgement {
  const [vni, identity] = key.split('/').map(Number)
  return {
    vni: vni!,
    identity: identity!,
    ports: shares.flatMap((share) => ('port' in share ? [share.port] : [])),
    sets: shares.flatMap((share) => ('set' in share ? [share.set] : [])),
  }
}

type Missing = (set: RuleSet) => readonly Unsupported[]

function accessBy({ sets, identity }: Judgement, missing: Missing): readonly PeerAccess[] {
  const kept = doneOf(
    sets.filter(({ audit }) => audit !== true),
    missing,
  )
  return kept === undefined ? noAccess : accessOf(kept, identity)
}

function decisionsBy({ sets, identity }: Judgement, options: LinuxOptions): readonly PeerDecision[] {
  const kept = doneOf(sets, (set) => notDone.linux(set, options))
  return kept === undefined ? [] : decisionsOf(kept, identity)
}

/** Undefined: one is not done that may not be left out. */
function doneOf(sets: readonly RuleSet[], missing: Missing): readonly RuleSet[] | undefined {
  const done = sets.filter((set) => missing(set).length === 0)
  const mayBeLeftOut = ({ audit, onUnsupported }: RuleSet): boolean => audit === true || onUnsupported === 'allow'
  return sets.every((set) => mayBeLeftOut(set) || done.includes(set)) ? done : undefined
}
