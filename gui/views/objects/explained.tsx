// What the node's data plane does for a Port; the node is asked.
import { useState } from 'preact/hooks'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { Failure } from '../../parts/failure.tsx'
import { inquire, type InquiryAnswer } from '../node/inquire.ts'
import { Tables } from '../node/tables.tsx'

export function Explained({ item }: { readonly item: Item }) {
  const [answer, setAnswer] = useState<InquiryAnswer>()
  const [err, setErr] = useState<unknown>()
  const [asking, setAsking] = useState(false)
  const { namespace = '', name } = item.metadata
  if (item.kind !== 'Port' || !may('create', 'Inquiry', namespace)) return null
  const ask = async (): Promise<void> => {
    setAsking(true)
    setErr(undefined)
    await inquire(namespace, { about: 'explain', port: name }).then(setAnswer, setErr)
    setAsking(false)
  }
  return (
    <section class="card wide">
      <h2>What its node does for it</h2>
      {item.spec.node === undefined ? (
        <p class="quiet">It is on no node: no data plane does anything for it.</p>
      ) : (
        <button type="button" onClick={() => void ask()} disabled={asking} data-ask>
          {asking ? 'Asking …' : `Ask ${item.spec.node}`}
        </button>
      )}
      {err !== undefined && <Failure err={err} />}
      {answer !== undefined && <Tables answer={answer} />}
    </section>
  )
}
