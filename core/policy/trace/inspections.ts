// What is asked in a connection that policies let pass, of one of its ends, by the rules with `l7`: as its node's switch has it, which goes
// by who the other end is, and then as an inspector does.
import type { Inspection } from '../../kinds/policy/compiled/inspection.ts'
import { protocolNumbers } from '../../kinds/policy/protocols.ts'
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { isInBlock } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'
import { carries, type AnyJudged, type Judged } from '../verdict.ts'

export interface TracedInspection {
  /** deny: what matches is refused, allow: all else is. */
  readonly action: Inspection['action']
  readonly policy: { readonly kind: string; readonly namespace?: string; readonly name: string }
  /** A JSON pointer into the policy. */
  readonly rule: string
}

/** In order, up to what decides. @param sets that judge the end */
export function inspectionsOf(sets: readonly RuleSetSpec[], judged: AnyJudged): readonly TracedInspection[] {
  if ('etherType' in judged || judged.transport.protocol !== protocolNumbers.tcp) return []
  return sets
    .filter(({ subjects, audit }) => subjects.includes(judged.subject) && audit !== true)
    .flatMap((set) => asksOf(set.inspections ?? [], judged).map(({ action, source }) => ({ action, policy: nameOf(set), rule: source })))
}

function asksOf(inspections: readonly Inspection[], judged: Judged): readonly Inspection[] {
  const about = inspections.filter((each) => each.direction === judged.direction && isAbout(each, judged))
  const end = about.findIndex(({ l7, action }) => l7 === undefined || action === 'allow')
  const those = end < 0 ? about : about.slice(0, end + 1)
  return those.filter(({ l7 }) => l7 !== undefined)
}

function isAbout({ peers, transport, l7 }: Inspection, { peer, transport: carried }: Judged): boolean {
  if (transport?.some((each) => carries(each, carried)) === false) return false
  if (peers === undefined || peers.identities.includes(peer.identity)) return true
  // Of who is not known yet something is asked, if it is of anybody.
  if (peer.identity === unknown && l7 !== undefined && peers.identities.length > 0) return true
  const ip = parseIp(peer.address)
  return ip !== undefined && peers.blocks.some((block) => isInBlock(block, ip))
}

function nameOf({ policy: { kind, namespace, name } }: RuleSetSpec): TracedInspection['policy'] {
  return { kind, ...(namespace !== undefined && { namespace }), name }
}
