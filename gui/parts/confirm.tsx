// What changes something is asked first: the server's answer to a dry run is shown, and only then there is a button that
// does it; where the server has no dry run, what is said above must say all.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WriteAnswer } from '../contract/api.ts'
import { Failure } from './failure.tsx'

interface ConfirmProps {
  readonly title: string
  readonly act: string
  /** Absent where the server has none: nothing is claimed then. */
  readonly dryRun?: () => Promise<WriteAnswer>
  readonly run: () => Promise<WriteAnswer>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

export function Confirm({ title, act, dryRun, run, onClose, children }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [answer, setAnswer] = useState<WriteAnswer>()
  const [err, setErr] = useState<unknown>()
  useEffect(() => {
    dialog.current?.showModal()
    dryRun?.().then(setAnswer, setErr)
  }, [])
  const take = (): void => {
    run().then(() => dialog.current?.close(), setErr)
  }
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <h2>{title}</h2>
      {children}
      <div aria-live="polite" data-dry-run>
        {err !== undefined ? (
          <Failure err={err} />
        ) : dryRun === undefined ? (
          <p class="quiet">The server has no dry run of this: it is done when you say so.</p>
        ) : answer === undefined ? (
          <p class="quiet">Asking what would come of it …</p>
        ) : (
          <p>The server would do it.</p>
        )}
        {answer?.warnings.map((warning) => (
          <p key={warning} class="notice warn">
            {warning}
          </p>
        ))}
      </div>
      <p class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Leave it
        </button>
        <button
          type="button"
          class="danger"
          disabled={(dryRun !== undefined && answer === undefined) || err !== undefined}
          onClick={take}
          data-do
        >
          {act}
        </button>
      </p>
    </dialog>
  )
}
