// What an edited policy would change, in words: whom it judges, how many rules, whom it moves, and which verdicts are others than before.
import { protocolNames, protocolNumbers } from '../core/kinds/policy/protocols.ts'
import type { paths } from '../openapi/types.ts'

export type PolicyPlan = paths['/v1/policy/plan']['post']['responses'][200]['content']['application/json']
type Verdict = PolicyPlan['verdicts'][number]

const nameOf = (protocol: number): string => protocolNames.find((name) => protocolNumbers[name] === protocol) ?? String(protocol)
/** As many Ports as a line holds. */
const namedMost = 4

export function linesOfPlan({ bindings, moves, verdicts, problems, more, isAudit }: PolicyPlan): readonly string[] {
  const nothing = bindings.length + moves.length + verdicts.length === 0 ? ['nothing would change'] : []
  return [
    ...(isAudit ? ['policies are in audit here: until they are enforced all passes, and is counted'] : []),
    ...problems.map(({ policy, path, message }) => `${policy.kind} ${policy.name}: ${path} ${message}`),
    ...nothing,
    ...bindings.flatMap(({ policy, gains, loses, rulesBefore, rulesAfter }) => [
      `${policy.kind} ${policy.namespace === undefined ? '' : `${policy.namespace}/`}${policy.name}: ${rulesBefore} rules before, ${rulesAfter} after`,
      ...(gains.length === 0 ? [] : [`  would judge ${portsText(gains)}`]),
      ...(loses.length === 0 ? [] : [`  would judge no more ${portsText(loses)}`]),
    ]),
    ...moves.map(({ pod, from, to }) => `Pod ${pod}: would be moved ${from === undefined ? '' : `from ${from} `}to ${to}, its address too`),
    ...verdicts.map(verdictText),
    ...(more ? ['and more'] : []),
  ]
}

const portsText = (ports: readonly string[]): string =>
  `${ports.slice(0, namedMost).join(', ')}${ports.length > namedMost ? ` and ${ports.length - namedMost} more` : ''}`

function packetText({ protocol, l4Port, etherType = 0 }: Verdict['transport']): string {
  if (protocol === undefined) return `frames of EtherType 0x${etherType.toString(16)}`
  return `${nameOf(protocol)}${l4Port === undefined ? '' : `/${l4Port}`}`
}

function verdictText({ from, to, transport, vlan, after }: Verdict): string {
  const packet = `${packetText(transport)}${vlan === undefined ? '' : ` in VLAN ${vlan}`}`
  const ends = [from, to].map(({ port, count }) => (count > 1 ? `${port} (and ${count - 1} like it)` : port))
  return `${after.isAllowed ? '+' : '-'} ${ends.join(' → ')} ${packet}: ${after.isAllowed ? 'would be allowed' : `would be denied${by(after)}`}`
}

/** The policy that denies, and its rule where one does. */
function by({ egress, ingress }: Verdict['after']): string {
  const last = (ingress ?? egress)?.tiers.at(-1)
  if (last?.says !== 'denies') return ''
  const { kind, namespace, name } = last.policy
  return ` by ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${last.rule === undefined ? '' : ` ${last.rule}`}`
}
