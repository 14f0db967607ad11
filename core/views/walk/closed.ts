// Which Port is closed on its node although policies let a packet pass: its data plane does not do all that one of them asks.
import { policyText, ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { ruleSetPiece } from '../../pieces/policy/rule-set.ts'
import { policyHere, policyNamed } from '../../plan/node/policy.ts'
import type { TraceEnd } from '../../policy/trace/trace.ts'
import type { WalkedPlane } from './walked.ts'

type Plane = Pick<WalkedPlane, 'renderer'> & { readonly name: string }

/** @param ends on one node. @returns a sentence; undefined: none is closed for that */
export function closedBecause(ends: readonly TraceEnd[], sets: readonly RuleSet[], plane: Plane): string | undefined {
  const [why] = ends.flatMap((end) => closingOf(end, sets, plane))
  return why
}

function closingOf({ port }: TraceEnd, sets: readonly RuleSet[], { renderer, name }: Plane): readonly string[] {
  const named = port && policyNamed(port)
  if (named === undefined) return []
  const unsupported = (set: RuleSet) => renderer.unsupported(ruleSetPiece, set)
  return sets.flatMap((set) => {
    const ruleSets = named.ruleSets.filter((each) => each === ruleSetName(set))
    if (ruleSets.length === 0 || !policyHere({ ...named, ruleSets }, { ruleSet: () => set, unsupported }).isClosed) return []
    const { namespace = '', name: of } = port!.metadata
    return unsupported(set)
      .slice(0, 1)
      .map(({ why }) => `port/${namespace}/${of} is closed there: ${policyText(set)} is not done by ${name}: ${why}`)
  })
}
