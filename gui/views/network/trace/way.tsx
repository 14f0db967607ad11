// The way in words, in its order: each place leads to its element of the picture.
import type { Picture } from '../../../contract/topology.ts'
import { choose } from '../../../frame/place.ts'
import { elementsOf } from './marks.ts'
import type { TraceAnswer, Waypoint } from './question.ts'
import { titleOf } from './verdict.tsx'

export function Way({ answer, picture }: { readonly answer: TraceAnswer; readonly picture: Picture | undefined }) {
  return (
    <section>
      <h3>Its way</h3>
      <ol class="way">
        {answer.way.map((waypoint, i) => (
          <Place key={i} waypoint={waypoint} element={picture && elementsOf(answer, i, picture).at(-1)?.[0]} />
        ))}
      </ol>
      <LiveTrace answer={answer} />
    </section>
  )
}

interface PlaceProps {
  readonly waypoint: Waypoint
  /** Absent: it is not drawn. */
  readonly element: string | undefined
}

function Place({ waypoint, element }: PlaceProps) {
  const { at, fate, message, judges, from, to } = waypoint
  return (
    <li data-fate={fate} data-at={at}>
      <Title waypoint={waypoint} element={element} />
      {(from ?? to) !== undefined && ` from ${from ?? '?'} to ${to ?? '?'}`}
      {judges !== undefined && <span class="quiet"> policies judge {judges.map((each) => judgedWho[each]).join(' and ')}</span>}
      {fate !== 'passes' && <strong> {fateWords[fate]}</strong>}
      {message !== undefined && <p>{message}</p>}
      <Tables waypoint={waypoint} />
    </li>
  )
}

/** What it meets on a node, and what connection tracking says of it there. */
function Tables({ waypoint: { tables, conntrack = [], untold } }: { readonly waypoint: Waypoint }) {
  if (tables === undefined) return untold === undefined ? null : <p class="quiet">Tables: {untold}</p>
  return (
    <>
      <p class="quiet">Tables {tables.join(', ')}</p>
      {conntrack.map(({ port: { namespace = '', name }, says, isKept }) => (
        <p key={name} class="quiet">
          Conntrack: {says} in the zone of <bdi>{`${namespace}/${name}`}</bdi>
          {isKept && ', and kept: what follows is established'}
        </p>
      ))}
    </>
  )
}

function Title({ waypoint, element }: PlaceProps) {
  const title = <bdi>{titleOf(waypoint)}</bdi>
  if (element !== undefined)
    return (
      <button type="button" class="plain" onClick={() => choose({ chosen: element }, 'replace')}>
        {title}
      </button>
    )
  return (
    <>
      {title}
      {waypoint.at !== 'Address' && <span class="quiet"> (not drawn)</span>}
    </>
  )
}

const judgedWho = { egress: 'who sends', ingress: 'who receives' } as const
const fateWords = { dies: '✕ dies here', unreached: 'not reached' } as const

/** What its nodes would do now, nobody can know but them. */
function LiveTrace({ answer: { from, to, protocol, l4Port } }: { readonly answer: TraceAnswer }) {
  const flag = { 1: '--icmp', 6: `--tcp ${l4Port}`, 17: `--udp ${l4Port}`, 58: '--icmp' }[protocol ?? -1]
  if (flag === undefined) return null
  return (
    <p class="quiet">
      By what is stored. What its nodes say: <code>{`megrez trace ${wordOf(from)} ${wordOf(to)} ${flag} --live`}</code>
    </p>
  )
}

const wordOf = ({ address, port }: TraceAnswer['from']): string =>
  port === undefined ? address : `port/${port.namespace ?? ''}/${port.name}`
