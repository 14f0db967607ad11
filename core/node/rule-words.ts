// What is said of a rule, or of what its policy lets nothing else pass, whatever data plane does it.
import type { Because } from './because.ts'
import { policyText, ruleSetName, type CompiledRule, type RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'

type Named = Pick<RuleSetSpec, 'vni' | 'number' | 'policy'> & { readonly namespace: string }
const of = ({ namespace, ...set }: Named): Because['of'] => ({ kind: 'PolicyRuleSet', namespace, name: ruleSetName(set) })

export function becauseOfRule(set: Named & Pick<RuleSetSpec, 'audit'>, rule: CompiledRule): Because {
  const word = { allow: 'allowed', deny: 'denied', pass: 'passed on' }[rule.action]
  const isAudit = set.audit === true || rule.audit === true
  return { rule: `${isAudit ? 'would be ' : ''}${word} by ${rule.source} of ${policyText(set)}`, of: of(set) }
}

export const becauseOfIsolation = (set: Named, isAudit: boolean): Because => ({
  rule: `${isAudit ? 'would be denied' : 'denied'}: no rule of ${policyText(set)} or another of its tier allows it`,
  of: of(set),
})
