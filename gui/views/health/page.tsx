// How Megrez itself is: what is ready, what waits in queues, how fast it goes. From the metrics of the server that serves this page.
import { useEffect, useState } from 'preact/hooks'
import { base } from '../../contract/api.ts'
import { useHistory } from '../../live/history.ts'
import { Chart } from '../../parts/chart.tsx'
import { answerTime } from '../../parts/duration.ts'
import { Failure } from '../../parts/failure.tsx'
import { Table } from '../../parts/table.tsx'
import { quantileOf, samplesIn, sumOf, type Sample } from './exposition.ts'

const everyMs = 2_000

interface HealthAnswer {
  readonly samples: readonly Sample[]
  readonly ready: boolean
  /** In the server's words. */
  readonly why: string
}

async function ask(): Promise<HealthAnswer> {
  const [metrics, ready] = await Promise.all([fetch(`${base}/metrics`), fetch(`${base}/readyz`)])
  // Where metrics have an address of their own there are none here.
  return { samples: metrics.ok ? samplesIn(await metrics.text()) : [], ready: ready.ok, why: await ready.text() }
}

export function Page() {
  const [answer, setAnswer] = useState<HealthAnswer>()
  const [err, setErr] = useState<unknown>()
  useEffect(() => {
    const again = (): void =>
      void ask().then(
        (found) => (setAnswer(found), setErr(undefined)),
        () => setErr(new Error('the server does not answer')),
      )
    again()
    const timer = setInterval(again, everyMs)
    return () => clearInterval(timer)
  }, [])
  if (answer === undefined) return err === undefined ? <p class="waiting">Reading …</p> : <Failure err={err} />
  return (
    <div class="page">
      <header class="head">
        <div>
          <h1>Health</h1>
          <p>
            <span class="phase" data-phase={answer.ready ? 'ready' : 'error'}>
              {answer.ready ? 'ready' : 'not ready'}
            </span>{' '}
            <span class="quiet">{answer.ready ? version(answer.samples) : answer.why}</span>
          </p>
        </div>
      </header>
      {err !== undefined && <Failure err={err} />}
      {answer.samples.length === 0 ? <p class="notice">This server tells its metrics elsewhere.</p> : <Figures samples={answer.samples} />}
    </div>
  )
}

const version = (samples: readonly Sample[]): string =>
  `version ${samples.find(({ name }) => name === 'megrez_build_info')?.labels['version'] ?? 'unknown'}`

function Figures({ samples }: { readonly samples: readonly Sample[] }) {
  const reconciled = sumOf(samples, 'megrez_reconcile_seconds_count')
  const waiting = sumOf(samples, 'megrez_queue_depth')
  const memory = sumOf(samples, 'process_resident_memory_bytes') / 1_048_576
  const { times, values } = useHistory([reconciled, waiting, memory], samples)
  const rates = ratesOf(times, values[0] ?? [])
  return (
    <>
      <div class="figures" data-figures>
        <Figure name="Port: created to ready, median" value={answerTime(quantileOf(samples, 'megrez_port_create_to_ready_seconds', 0.5))} />
        <Figure name="the same, 99 of 100" value={answerTime(quantileOf(samples, 'megrez_port_create_to_ready_seconds', 0.99))} />
        <Figure name="one reconcile, 99 of 100" value={answerTime(quantileOf(samples, 'megrez_reconcile_seconds', 0.99))} />
        <Figure name="one admission review, 99 of 100" value={answerTime(quantileOf(samples, 'megrez_admission_seconds', 0.99))} />
        <Figure name="errors that nobody heard" value={String(sumOf(samples, 'megrez_unheard_errors_total'))} />
      </div>
      <div class="cards">
        <section class="card">
          <Chart label="Reconciles a second" times={times} series={[{ label: 'now', colour: 'accent', values: rates }]} />
        </section>
        <section class="card">
          <Chart label="Keys that wait in queues" times={times} series={[{ label: 'now', colour: 'pending', values: values[1] ?? [] }]} />
        </section>
        <section class="card">
          <Chart label="Memory, MiB" times={times} series={[{ label: 'now', colour: 'terminating', values: values[2] ?? [] }]} />
        </section>
      </div>
      <Controllers samples={samples} />
    </>
  )
}

/** Of a count: how much of it a second. One that is less than before has begun anew. */
const ratesOf = (times: readonly number[], counts: readonly number[]): readonly number[] =>
  counts.map((count, i) => {
    const seconds = (times[i] ?? 0) - (times[i - 1] ?? 0)
    return i === 0 || seconds <= 0 ? 0 : Math.max(0, count - (counts[i - 1] ?? count)) / seconds
  })

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div class="figure">
    <strong>{value}</strong>
    <span class="quiet">{name}</span>
  </div>
)

function Controllers({ samples }: { readonly samples: readonly Sample[] }) {
  const names = [
    ...new Set(samples.flatMap(({ name, labels }) => (name === 'megrez_reconcile_seconds_count' ? (labels['controller'] ?? []) : []))),
  ].sort()
  const outcomes = ['done', 'overtaken', 'failed']
  return (
    <Table label="Reconciles by kind" heads={['Reconciles of', ...outcomes]}>
      {names.map((controller) => (
        <tr key={controller}>
          <th scope="row">{controller}</th>
          {outcomes.map((outcome) => (
            <td key={outcome} class="value">
              {sumOf(samples, 'megrez_reconcile_seconds_count', { controller, outcome })}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}
