// A line over time, by uPlot; what it says in words stands beside it.
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colour, theme } from '../frame/theme.ts'

export interface Series {
  readonly label: string
  readonly colour: string
  readonly values: readonly number[]
  /** It stays as it is until it changes. */
  readonly stepped?: boolean
}
interface ChartProps {
  readonly label: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
}
const height = 150
/** A chart that has just begun shows that it has. */
const leastSeconds = 120

export function Chart({ label, times, series }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(undefined)
  const names = series.map((each) => each.label).join()
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const axis = {
      stroke: colour('muted'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { show: false },
      font: '11px Inter, system-ui',
    }
    const made = new UPlot(
      {
        width: current.clientWidth,
        height,
        cursor: { show: false },
        legend: { show: false },
        scales: {
          x: { range: (_, least, most) => [Math.min(least, most - leastSeconds), most] },
          y: { range: (_, least, most) => [Math.min(0, least), Math.max(1, most * 1.1)] },
        },
        axes: [axis, { ...axis, size: 46 }],
        series: [{}, ...series.map(lineOf)],
      },
      [[], ...series.map(() => [])],
      current,
    )
    chart.current = made
    const sizes = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height }))
    sizes.observe(current)
    return () => {
      sizes.disconnect()
      made.destroy()
    }
  }, [names, theme.value])
  useEffect(() => chart.current?.setData([[...times], ...series.map(({ values }) => [...values])]))
  const last = series
    .map((each) => `${each.label} ${(each.values.at(-1) ?? 0).toLocaleString('en', { maximumFractionDigits: 1 })}`)
    .join(', ')
  return (
    <figure class="chart">
      <figcaption>
        <strong>{label}</strong> <span class="quiet">{last}</span>
      </figcaption>
      <div ref={box} aria-hidden="true" />
    </figure>
  )
}

const lineOf = ({ label, colour: name, stepped = false }: Series): UPlot.Series => ({
  label,
  stroke: colour(name),
  width: 1.75,
  points: { show: false },
  ...(stepped && UPlot.paths.stepped !== undefined && { paths: UPlot.paths.stepped({ align: 1 }) }),
})
