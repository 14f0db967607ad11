// Boxes in two rows, and lines between them: who is joined to whom, and how that stands. Lines within the lower row hang below it.
interface Spot {
  readonly x: number
  readonly y: number
}
export interface RowBox {
  readonly id: string
  readonly name: string
  /** In small letters below the name. */
  readonly note: string
  /** Said of it as a whole. */
  readonly title: string
  readonly href?: string
  /** Stands out. */
  readonly isMarked?: boolean
}
export interface RowLine {
  /** Ids of boxes. */
  readonly from: string
  readonly to: string
  readonly isGood: boolean
  /** In one word. */
  readonly state: string
  readonly title: string
}
interface TwoRowsProps {
  /** Said to whoever does not see it. */
  readonly label: string
  readonly upper: readonly RowBox[]
  readonly lower: readonly RowBox[]
  readonly lines: readonly RowLine[]
}

/** In the units of the drawing, which is as wide as its longer row. */
const [boxWidth, boxHeight, gap, rise] = [150, 46, 22, 130]
/** What a drawing has room for; tables have all. */
export const drawnMost = 24

export function TwoRows({ label, upper, lower, lines }: TwoRowsProps) {
  const width = Math.max(upper.length, lower.length, 2) * (boxWidth + gap) + gap
  const top = upper.length === 0 ? gap : gap + boxHeight + rise
  const spots = new Map([...rowOf(upper, width, gap), ...rowOf(lower, width, top)])
  const hangs = lines.some(({ from, to }) => spots.get(from)?.y === spots.get(to)?.y)
  const height = top + boxHeight + (hangs ? 40 + 10 * Math.min(lower.length, 12) : gap)
  return (
    <svg class="two-rows" viewBox={`0 0 ${width} ${height}`} style={{ maxWidth: `${width}px` }} role="group" aria-label={label}>
      {lines.map((line) => (
        <Line key={`${line.from} ${line.to}`} line={line} from={spots.get(line.from)} to={spots.get(line.to)} />
      ))}
      {[...upper, ...lower].map((box) => (
        <Box key={box.id} box={box} spot={spots.get(box.id)!} />
      ))}
    </svg>
  )
}

const rowOf = (boxes: readonly RowBox[], width: number, y: number): readonly (readonly [string, Spot])[] =>
  boxes.map(({ id }, i) => [id, { x: (width * (i + 0.5)) / boxes.length, y }] as const)

interface LineProps {
  readonly line: RowLine
  readonly from: Spot | undefined
  readonly to: Spot | undefined
}

function Line({ line, from, to }: LineProps) {
  if (from === undefined || to === undefined) return null
  const [a, b] = [from.y + boxHeight / 2, to.y + boxHeight / 2]
  const depth = 40 + (Math.abs(from.x - to.x) / (boxWidth + gap)) * 10
  const way =
    from.y === to.y
      ? `M${from.x} ${from.y + boxHeight} Q${(from.x + to.x) / 2} ${from.y + boxHeight + depth} ${to.x} ${to.y + boxHeight}`
      : `M${from.x} ${a} L${to.x} ${b}`
  return (
    <path d={way} class="line" data-line={`${line.from} ${line.to}`} data-state={line.state} data-good={line.isGood}>
      <title>{line.title}</title>
    </path>
  )
}

function Box({ box: { id, name, note, title, href, isMarked }, spot }: { readonly box: RowBox; readonly spot: Spot }) {
  const drawn = (
    <g class="end" data-end={id} data-marked={isMarked === true} transform={`translate(${spot.x - boxWidth / 2} ${spot.y})`}>
      <title>{title}</title>
      <rect width={boxWidth} height={boxHeight} rx="8" />
      <text x={boxWidth / 2} y="20">
        {shortened(name)}
      </text>
      <text class="quiet" x={boxWidth / 2} y="36">
        {shortened(note)}
      </text>
    </g>
  )
  return href === undefined ? drawn : <a href={href}>{drawn}</a>
}

const shortened = (text: string): string => (text.length > 22 ? `${text.slice(0, 21)}…` : text)
