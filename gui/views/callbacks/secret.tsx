// Another secret for what a sink is sent: until when the one before signs too is asked of the server first, and the new one is shown once.
import { useEffect, useRef, useState } from 'preact/hooks'
import { client, taken, type WriteAnswer } from '../../contract/api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ago, now } from '../../parts/when.tsx'

interface ReplaceSecretProps {
  readonly path: { readonly namespace: string; readonly name: string }
  readonly sink: string
}
interface Overlap {
  readonly seconds: number
  readonly word: string
}
const overlaps: readonly Overlap[] = [
  { seconds: 86_400, word: 'a day' },
  { seconds: 3_600, word: 'an hour' },
  { seconds: 604_800, word: 'a week' },
  { seconds: 0, word: 'no longer: it has leaked' },
]

export function ReplaceSecret({ path, sink }: ReplaceSecretProps) {
  const [stage, setStage] = useState<'closed' | 'asking' | readonly string[]>('closed')
  const [seconds, setSeconds] = useState(overlaps[0]!.seconds)
  const [until, setUntil] = useState<readonly string[]>()
  const ask = async (dryRun: boolean): Promise<WriteAnswer> => {
    const answer = taken(
      await client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/rotate-secret', {
        params: { path, query: { dryRun } },
        body: { overlapSeconds: seconds },
      }),
    )
    setUntil(answer.previous.map((each) => each.until))
    if (!dryRun) setStage(answer.secrets)
    return { item: undefined, warnings: [] }
  }
  return (
    <>
      <button type="button" class="small" onClick={() => setStage('asking')} data-act="rotate">
        Replace the secret …
      </button>
      {stage === 'asking' && (
        <Confirm
          key={seconds}
          title={`Replace the secret: ${path.name}`}
          act="Replace it"
          dryRun={() => ask(true)}
          run={() => ask(false)}
          onClose={() => setStage((now) => (now === 'asking' ? 'closed' : now))}
        >
          <p>
            What is sent to <code>{sink}</code> is signed with a new secret, which is shown once.
          </p>
          <p>
            <label>
              The one before goes on to sign{' '}
              <select value={seconds} onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))} data-overlap>
                {overlaps.map((each) => (
                  <option key={each.seconds} value={each.seconds}>
                    {each.word}
                  </option>
                ))}
              </select>
            </label>
          </p>
          {until !== undefined && <Until until={until} />}
        </Confirm>
      )}
      {typeof stage === 'object' && <NewSecret secrets={stage} until={until ?? []} onClose={() => setStage('closed')} />}
    </>
  )
}

/** A receiver takes either: every notice has a signature of each. */
function Until({ until }: { readonly until: readonly string[] }) {
  const last = [...until].sort().at(-1)
  if (last === undefined) return <p data-until="">A receiver that has not the new one takes nothing from now on.</p>
  return (
    <p data-until={last}>
      Receivers that have {until.length === 1 ? 'the one before' : `one of the ${until.length} before`} verify with it until{' '}
      <time dateTime={last}>{new Date(last).toLocaleString()}</time>, {ago(Date.parse(last), now.value)}.
    </p>
  )
}

interface NewSecretProps {
  readonly secrets: readonly string[]
  readonly until: readonly string[]
  readonly onClose: () => void
}

function NewSecret({ secrets, until, onClose }: NewSecretProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="The new secret">
      <h2>The new secret</h2>
      <p>Give it to the receiver now: nobody can see it again.</p>
      {secrets.map((secret) => (
        <pre key={secret} tabIndex={0} class="secret">
          <code data-secret>{secret}</code>
        </pre>
      ))}
      <Until until={until} />
      <p class="actions">
        <button type="button" onClick={() => void navigator.clipboard.writeText(secrets.join(' '))}>
          Copy it
        </button>
        <button type="button" onClick={onClose}>
          I have it
        </button>
      </p>
    </dialog>
  )
}
