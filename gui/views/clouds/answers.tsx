// How fast the providers of clouds answer, from the metrics of the server that serves this page; where workers run elsewhere it has none.
import { useEffect, useState } from 'preact/hooks'
import { base } from '../../contract/api.ts'
import { answerTime } from '../../parts/duration.ts'
import { Table } from '../../parts/table.tsx'
import { quantileOf, samplesIn, sumOf, type Sample } from '../health/exposition.ts'

const everyMs = 5_000
const metric = 'megrez_provider_seconds'

export function Answers({ providers }: { readonly providers: readonly string[] }) {
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
  const answering = providers.filter((provider) => sumOf(samples, `${metric}_count`, { provider }) > 0)
  if (answering.length === 0) return null
  return (
    <Table label="How providers answer" heads={['Provider', 'an answer, median', '99 of 100', 'failed']}>
      {answering.map((provider) => {
        const own = samples.filter(({ labels }) => labels['provider'] === provider)
        return (
          <tr key={provider} data-answers={provider}>
            <th scope="row">{provider}</th>
            <td class="value">{answerTime(quantileOf(own, metric, 0.5))}</td>
            <td class="value">{answerTime(quantileOf(own, metric, 0.99))}</td>
            <td class="value">{sumOf(own, `${metric}_count`, { outcome: 'failed' })}</td>
          </tr>
        )
      })}
    </Table>
  )
}
