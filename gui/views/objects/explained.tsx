// What the node's data plane does for a Port: what is there, solid; what is about to be, dotted; each with its reason. The node is asked.
import { useState } from 'preact/hooks'
import { create, read, remove } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { Failure } from '../../parts/failure.tsx'

type Answer = NonNullable<NonNullable<Item<'Inquiry'>['status']>['answer']>

export function Explained({ item }: { readonly item: Item }) {
  const [answer, setAnswer] = useState<Answer>()
  const [err, setErr] = useState<unknown>()
  const [asking, setAsking] = useState(false)
  const { namespace = '', name } = item.metadata
  if (item.kind !== 'Port' || !may('create', 'Inquiry', namespace)) return null
  const ask = async (): Promise<void> => {
    setAsking(true)
    setErr(undefined)
    try {
      setAnswer(await explain(namespace, name))
    } catch (why) {
      setErr(why)
    }
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
      {answer !== undefined && <Items answer={answer} />}
    </section>
  )
}

const Items = ({ answer }: { readonly answer: Answer }) => (
  <>
    <p class="quiet">{answer.outcome === 'answered' ? `With ${answer.dataplane}:` : answer.message}</p>
    <ul class="receipt">
      {(answer.items ?? []).map(({ key, where, match, does, because, state, instead, packets }) => (
        <li key={key} data-state={state}>
          <span class="where">{where}</span>
          <code>{match}</code>
          <span>
            → {does}
            {instead !== undefined && <em> instead of {instead}</em>}
          </span>
          <span class="quiet">
            because {because} · {state}
            {packets !== undefined && ` · ${packets} packets`}
          </span>
        </li>
      ))}
    </ul>
  </>
)

const [askedEvery, askedMost] = [250, 80]

/** @throws what the server or the node refuses it with */
export async function explain(namespace: string, port: string): Promise<Answer> {
  const { item } = await create('Inquiry', namespace, {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Inquiry',
    metadata: { generateName: 'doppler-' },
    spec: { about: 'explain', port, ttlSeconds: 60 },
  })
  const name = item?.metadata.name ?? ''
  try {
    for (let i = 0; i < askedMost; i++) {
      const { status } = (await read('Inquiry', { namespace, name })).item as Item<'Inquiry'>
      if (status?.answer !== undefined) return status.answer
      if (status?.phase === 'error') throw new Error(status.message ?? 'the node refuses it')
      await new Promise((resolve) => setTimeout(resolve, askedEvery))
    }
    throw new Error('its node has not answered within twenty seconds')
  } finally {
    await remove('Inquiry', { namespace, name }).catch(() => undefined)
  }
}
