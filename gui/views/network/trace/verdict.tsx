// Whether it arrives; if not, where it dies, and which rule of which policy says so.
import { Questions, Tier } from '../../policy/why.tsx'
import type { TraceAnswer, Waypoint } from './question.ts'

export function TraceVerdict({ answer }: { readonly answer: TraceAnswer }) {
  const { isAllowed, from, to } = answer
  const end = answer.way.find(({ fate }) => fate === 'dies')
  const state = isAllowed ? (end === undefined ? 'allowed' : 'audited') : 'denied'
  return (
    <>
      <h2>
        <span class="verdict" data-verdict={state}>
          {words[state]}
        </span>
      </h2>
      <p>
        <bdi>{nameOf(from)}</bdi> to <bdi>{nameOf(to)}</bdi>
        {end === undefined ? '.' : isAllowed ? `: policies let it pass, and it dies at ${titleOf(end)}.` : `: it dies at ${titleOf(end)}.`}
      </p>
      <Direction title="May it send?" direction={answer.egress} />
      <Direction title="May it be reached?" direction={answer.ingress} gone={answer.egress?.isAllowed === false} />
    </>
  )
}

const words = { allowed: '✓ allowed', audited: '! allowed, and it dies', denied: '✕ denied' } as const

type End = TraceAnswer['from']
const nameOf = ({ pod, port, address }: End): string =>
  port === undefined ? address : `${port.namespace ?? ''}/${pod ?? port.name} (${address})`

interface DirectionProps {
  readonly title: string
  readonly direction: TraceAnswer['egress']
  readonly gone?: boolean
}

function Direction({ title, direction, gone = false }: DirectionProps) {
  return (
    <section>
      <h3>{title}</h3>
      {direction === undefined && <p class="quiet">{gone ? 'Nothing gets that far.' : 'No Port of yours is judged there.'}</p>}
      {direction?.tiers.length === 0 && <p>Yes: no policy has a say.</p>}
      {direction !== undefined && direction.tiers.length > 0 && (
        <ol class="tiers">
          {direction.tiers.map((each) => (
            <Tier key={each.tier} answer={each} />
          ))}
        </ol>
      )}
      <Questions inspections={direction?.inspections} />
    </section>
  )
}

/** One place of the way. */
export function titleOf({ at, namespace, name = '', vni }: Waypoint): string {
  if (at === 'Tunnel') return `the tunnel of VNI ${vni ?? ''}`
  if (at === 'Address') return `address ${name}`
  return `${at} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}
