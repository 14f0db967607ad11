// Who can talk to whom as arrows between groups on a circle: what is allowed both ways has a head at both ends. What is denied has none.
import { nameOf, type MatrixAnswer } from './question.ts'

const [size, radius] = [520, 190]
const middle = size / 2
/** More would be a ball of wool: the matrix shows all. */
const groupsMost = 24

interface GraphPoint {
  readonly x: number
  readonly y: number
}
function placeOf(i: number, of: number, from = radius): GraphPoint {
  const angle = (2 * Math.PI * i) / of - Math.PI / 2
  return { x: middle + from * Math.cos(angle), y: middle + from * Math.sin(angle) }
}

export function Graph({ answer: { groups, cells } }: { readonly answer: MatrixAnswer }) {
  const shown = groups.slice(0, groupsMost)
  const may = (from: number, to: number): boolean => cells[from]?.[to]?.isAllowed === true
  const pairs = shown
    .flatMap((_, a) => shown.slice(a + 1).map((__, i) => [a, a + 1 + i] as const))
    .filter(([a, b]) => may(a, b) || may(b, a))
  return (
    <figure class="who" data-graph={pairs.length}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={pairs.map(([a, b]) => sentence(shown.map(nameOf), a, b, may)).join('; ')}>
        <defs>
          <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {pairs.map(([a, b]) => (
          <Arrow key={`${a}.${b}`} from={placeOf(a, shown.length)} to={placeOf(b, shown.length)} there={may(a, b)} back={may(b, a)} />
        ))}
        {shown.map((group, i) => {
          const { x, y } = placeOf(i, shown.length)
          const label = placeOf(i, shown.length, radius + 18)
          return (
            <g key={nameOf(group)}>
              <circle cx={x} cy={y} r={7} data-alone={!shown.some((_, other) => other !== i && (may(i, other) || may(other, i)))} />
              <text x={label.x} y={label.y} text-anchor={Math.abs(x - middle) < 5 ? 'middle' : x < middle ? 'end' : 'start'}>
                {nameOf(group)}
                {group.count > 1 && ` +${group.count - 1}`}
              </text>
            </g>
          )
        })}
      </svg>
      {groups.length > groupsMost && <figcaption class="quiet">The first {groupsMost} groups: the matrix has all.</figcaption>}
    </figure>
  )
}

function sentence(names: readonly string[], a: number, b: number, may: (from: number, to: number) => boolean): string {
  if (may(a, b) && may(b, a)) return `${names[a]} and ${names[b]} may talk to each other`
  return may(a, b) ? `${names[a]} may talk to ${names[b]}` : `${names[b]} may talk to ${names[a]}`
}

interface ArrowProps {
  readonly from: GraphPoint
  readonly to: GraphPoint
  readonly there: boolean
  readonly back: boolean
}

/** A little bent to the middle, and ended before the circles. */
function Arrow({ from, to, there, back }: ArrowProps) {
  const bent = { x: (from.x + to.x + middle) / 3, y: (from.y + to.y + middle) / 3 }
  const short = (end: GraphPoint): string => {
    const [dx, dy] = [bent.x - end.x, bent.y - end.y]
    const length = Math.hypot(dx, dy) || 1
    return `${end.x + (dx * 11) / length} ${end.y + (dy * 11) / length}`
  }
  return (
    <path
      class="arrow"
      d={`M${short(from)} Q${bent.x} ${bent.y} ${short(to)}`}
      marker-end={there ? 'url(#head)' : undefined}
      marker-start={back ? 'url(#head)' : undefined}
    />
  )
}
