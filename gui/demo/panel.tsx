// How far the demo is, above the network that it makes, and how to be rid of it.
import { useState } from 'preact/hooks'
import { demoNamespaces } from '../../examples/demo-steps.ts'
import { Refusal } from '../contract/api.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/failure.tsx'
import { Phase } from '../parts/phase.tsx'
import { noticesOfDemo } from './notices.ts'
import { demo, hideDemo, mayRemove, removeDemo, tryRemoving, type DemoState, type ShownStep } from './play.ts'

/** @param isThere objects of the demo are, whoever has played it */
export function DemoPanel({ isThere }: { readonly isThere: boolean }) {
  const { value: state } = demo
  const [removing, setRemoving] = useState(false)
  if (state.is === 'hidden' || (state.is === 'idle' && !isThere)) return null
  return (
    <section class="demo" aria-label="The demo" data-demo={state.is}>
      <p role="status">{saidOf(state)}</p>
      {state.steps.length > 0 && (
        <ol>
          {state.steps.map((step) => (
            <Shown key={step.is} step={step} />
          ))}
        </ol>
      )}
      <Notices of={state} />
      {state.is === 'failed' && <Failed err={state.err} />}
      {!isBusy(state) && (
        <p class="actions">
          {mayRemove() && (
            <button type="button" class="danger" onClick={() => setRemoving(true)}>
              Remove the demo's objects …
            </button>
          )}
          {state.is !== 'idle' && (
            <button type="button" onClick={hideDemo}>
              Close
            </button>
          )}
        </p>
      )}
      {removing && (
        <Confirm
          title="Remove the demo's objects?"
          act="Remove"
          dryRun={tryRemoving}
          run={() => removeDemo().finally(() => setRemoving(false))}
          onClose={() => setRemoving(false)}
        >
          <p>
            In {demoNamespaces.join(', ')}: the pods first, then the Ports, Subnets and Vpcs that they use, then the Subscriptions that told
            of them. What the demo has not made stays.
          </p>
        </Confirm>
      )}
    </section>
  )
}

/** The latest first: it is what has just come. */
function Notices({ of }: { readonly of: DemoState }) {
  const { value: all } = noticesOfDemo
  if (of.is === 'idle') return null
  return (
    <details open data-demo-notices={all.length}>
      <summary>Notices: {all.length}</summary>
      <ol class="notices" reversed tabIndex={0} aria-label="Notices of the demo, the latest first">
        {all.toReversed().map(({ id, what, sequence, phase }) => (
          <li key={id}>
            <bdi>{what}</bdi> <Phase of={phase} /> <span class="quiet">its change {sequence}</span>
          </li>
        ))}
      </ol>
      <p class="quiet">
        As a receiver is sent them, signed and in order. A browser receives nothing, so a Subscription without a sink keeps them in each
        namespace, and this page pulls them.
      </p>
    </details>
  )
}

const Shown = ({ step: { is, state, said, isRefused } }: { readonly step: ShownStep }) => (
  <li data-step={state} data-refused={isRefused} aria-current={state === 'now' ? 'step' : undefined}>
    {is}
    {said !== undefined && <span class={isRefused ? 'refused' : 'quiet'}>{said}</span>}
  </li>
)

const Failed = ({ err }: { readonly err: unknown }) => (
  <>
    <Failure err={err} />
    {err instanceof Refusal && err.status === 409 && (
      <p>The demo wants its names for itself. Remove what has them, or play it on an empty server.</p>
    )}
  </>
)

const isBusy = ({ is }: DemoState): boolean => is === 'playing' || is === 'removing'

function saidOf({ is, steps }: DemoState): string {
  if (is === 'playing') return `The demo plays: ${steps.filter(({ state }) => state === 'done').length} of ${steps.length} steps are done.`
  if (is === 'removing') return "The demo's objects are removed, the pods first."
  if (is === 'failed') return 'The demo stopped.'
  if (is === 'idle') return "The demo's objects are here."
  return 'The demo is over: five pods have their NICs, and one that wanted a taken address was refused. Choose any of them below.'
}
