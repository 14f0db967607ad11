// What would change: whom a policy would judge, how many rules it has then, and each verdict that is another one.
import { Table } from '../../parts/table.tsx'
import type { Plan, PlannedVerdict } from './plan.ts'
import type { Protocol } from './question.ts'

export function Planned({ plan: { bindings, moves, verdicts, problems, more, isAudit } }: { readonly plan: Plan }) {
  return (
    <div data-planned={verdicts.length}>
      {isAudit && <p class="notice">Policies are in audit here: until they are enforced all passes, and is counted.</p>}
      {problems.length > 0 && (
        <ul class="notice bad">
          {problems.map(({ policy, path, message }) => (
            <li key={`${policy.name} ${path}`}>
              {policy.kind} <bdi>{policy.name}</bdi>: <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {bindings.length + moves.length + verdicts.length === 0 && (
        <p>{more ? 'Nothing of what was looked at would change.' : 'Nothing would change.'}</p>
      )}
      {bindings.map(({ policy, gains, loses, rulesBefore, rulesAfter }) => (
        <p key={`${policy.kind} ${policy.namespace}/${policy.name}`} data-binding={policy.name}>
          {policy.kind} <bdi>{policy.name}</bdi>: {rulesBefore} rules before, {rulesAfter} after
          <Ports what="would judge" ports={gains} />
          <Ports what="would judge no more" ports={loses} />
        </p>
      ))}
      {moves.length > 0 && (
        <ul data-moves={moves.length}>
          {moves.slice(0, movesMost).map(({ pod, from, to }) => (
            <li key={pod}>
              <bdi>{pod}</bdi> would be moved{from !== undefined && ` from ${from}`} to <bdi>{to}</bdi>, address included
            </li>
          ))}
          {moves.length > movesMost && <li class="quiet">and {moves.length - movesMost} more</li>}
        </ul>
      )}
      {verdicts.length > 0 && (
        <Table label="Verdicts that would be others" heads={['From', 'To', 'What', 'Now', 'Then']}>
          {verdicts.map((each) => (
            <Verdict key={`${each.from.port} ${each.to.port} ${packetOf(each)}`} of={each} />
          ))}
        </Table>
      )}
      {more && <p class="quiet">There may be more than are shown.</p>}
    </div>
  )
}

const namedMost = 6
const movesMost = 20
const Ports = ({ what, ports }: { readonly what: string; readonly ports: readonly string[] }) =>
  ports.length === 0 ? null : (
    <span>
      ; {what} <bdi>{ports.slice(0, namedMost).join(', ')}</bdi>
      {ports.length > namedMost && ` and ${ports.length - namedMost} more`}
    </span>
  )

function Verdict({ of }: { readonly of: PlannedVerdict }) {
  const { from, to, before, after } = of
  return (
    <tr data-planned-verdict={after.isAllowed ? 'allowed' : 'denied'}>
      {[from, to].map(({ port, count }, i) => (
        <td key={i}>
          <bdi>{port}</bdi>
          {count > 1 && <span class="quiet"> and {count - 1} more</span>}
        </td>
      ))}
      <td>{packetOf(of)}</td>
      {[before, after].map(({ isAllowed }, i) => (
        <td key={i}>
          <span class="verdict" data-verdict={isAllowed ? 'allowed' : 'denied'}>
            {isAllowed ? '✓ allowed' : '✕ denied'}
          </span>
        </td>
      ))}
    </tr>
  )
}

/** By IP's numbers of them, as a matrix is asked about them. */
const protocolNames: Readonly<Record<number, Protocol>> = { 1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmpv6', 132: 'sctp' }

function packetOf({ transport: { protocol, l4Port, icmpType, etherType = 0 } }: PlannedVerdict): string {
  if (protocol === undefined) return `frames of EtherType 0x${etherType.toString(16)}`
  const name = protocolNames[protocol] ?? `protocol ${protocol}`
  if (l4Port !== undefined) return `${name} ${l4Port}`
  return icmpType === undefined ? name : `${name} type ${icmpType}`
}
