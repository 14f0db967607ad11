// How fast clouds answer, from the metrics of the server that serves this page; where workers run elsewhere it has none.
import { useEffect, useState } from 'preact/hooks'
import { base } from '../../contract/api.ts'
import { answerTime } from '../../parts/duration.ts'
import { Table } from '../../parts/table.tsx'
import { quantileOf, samplesIn, sumOf, type Sample } from '../health/exposition.ts'

const everyMs = 5_000
const metric = 'megrez_cloud_seconds'

export function Answers({ clouds }: { readonly clouds: readonly string[] }) {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    const again = (): void =>
      void fetch(`${base}/metrics`).then(
        async (answer) => setSamples(answer.ok ? samplesIn(await answer.text()) : []),
        () => setSamples([]),
      )
    again()
    const timer = setInterval(again, everyMs)
    return () => clearInterval(timer)
  }, [])
  const answering = clouds.filter((cloud) => sumOf(samples, `${metric}_count`, { cloud }) > 0)
  if (answering.length === 0) return null
  return (
    <Table label="How clouds answer" heads={['Cloud', 'an answer, median', '99 of 100', 'failed']}>
      {answering.map((cloud) => {
        const own = samples.filter(({ labels }) => labels['cloud'] === cloud)
        return (
          <tr key={cloud} data-answers={cloud}>
            <th scope="row">
              <bdi>{cloud}</bdi>
            </th>
            <td class="value">{answerTime(quantileOf(own, metric, 0.5))}</td>
            <td class="value">{answerTime(quantileOf(own, metric, 0.99))}</td>
            <td class="value">{sumOf(own, `${metric}_count`, { outcome: 'failed' })}</td>
          </tr>
        )
      })}
    </Table>
  )
}
