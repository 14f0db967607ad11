// What rules of policies have done for a Port, as its node counts it: packets, and when the last one was seen.
import { useQuestion } from '../../parts/question.ts'
import { Failure } from '../../parts/failure.tsx'
import { When } from '../../parts/when.tsx'
import { inquire, type InquiryAnswer, type InquiryItem } from '../node/inquire.ts'
import { short } from '../node/rates.ts'

/** Of rules and of what isolates; what rules ask about is of the node. */
const decides = ({ because }: InquiryItem): boolean => because.includes('PolicyRuleSet')

export function RuleHits({ namespace, port }: { readonly namespace: string; readonly port: string }) {
  const { answer, err, isAsking = false, ask } = useQuestion<InquiryAnswer>()
  const rules = (answer?.items ?? []).filter(decides)
  return (
    <div data-rule-hits={answer === undefined ? 'unasked' : rules.length}>
      <button type="button" class="small" disabled={isAsking} onClick={() => ask(() => inquire(namespace, { about: 'explain', port }))}>
        What has its node counted for <bdi>{port}</bdi>?
      </button>
      {err !== undefined && <Failure err={err} />}
      {answer !== undefined && rules.length === 0 && <p class="quiet">{answer.message ?? 'No rule judges it there.'}</p>}
      <ul class="receipt">
        {rules.map(({ key, because, state, packets, lastUsed }) => (
          <li key={key} data-state={state}>
            <span>{because}</span>
            <span class="counted">
              {packets === undefined ? 'not counted' : `${short(packets)} packets`}, last <When at={lastUsed} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
