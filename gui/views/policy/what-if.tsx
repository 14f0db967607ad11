// A policy is edited, and what it would change is shown before anybody stores it.
import { useState } from 'preact/hooks'
import { useQuestion } from '../../parts/question.ts'
import { Failure } from '../../parts/failure.tsx'
import { editables, planned, refOf, textOf, titleOf, type Plan } from './plan.ts'
import { Planned } from './planned.tsx'

/** More would be a list that nobody scrolls through. */
const listedMost = 1_000

export function WhatIf({ vpc }: { readonly vpc: string }) {
  const [text, setText] = useState('')
  const [begun, setBegun] = useState('')
  const { answer: plan, err, isAsking = false, ask, forget } = useQuestion<Plan>()
  const policies = [...editables()].sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1))
  const chosen = policies.find((each) => titleOf(each) === begun)
  const begin = (title: string): void => {
    const policy = policies.find((each) => titleOf(each) === title)
    setBegun(title)
    forget()
    if (policy !== undefined) setText(textOf(policy))
  }
  return (
    <section class="card wide" data-what-if>
      <h2>What if …</h2>
      <p class="quiet">An edited policy, or a new one, as YAML. What it would change is worked out; nothing is stored.</p>
      <label class="filter">
        <span>Begin with</span>
        <select value={begun} onChange={(event) => begin(event.currentTarget.value)}>
          <option value="">nothing</option>
          {policies.slice(0, listedMost).map((each) => (
            <option key={titleOf(each)} value={titleOf(each)}>
              {titleOf(each)}
            </option>
          ))}
        </select>
        {policies.length > listedMost && (
          <span class="quiet">
            the first {listedMost} of {policies.length}: of another one write its name, and the rest of it
          </span>
        )}
      </label>
      <textarea
        class="policy-text"
        aria-label="The policy as it would be"
        rows={14}
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          // What was worked out is of another text.
          forget()
        }}
      />
      <p class="buttons">
        <button type="button" disabled={isAsking || text.trim() === ''} onClick={() => ask(() => planned(vpc, { text }))}>
          What would change?
        </button>
        {chosen !== undefined && (
          <button type="button" disabled={isAsking} onClick={() => ask(() => planned(vpc, { gone: refOf(chosen) }))}>
            And if it were deleted?
          </button>
        )}
      </p>
      {isAsking && <p class="waiting">Working it out …</p>}
      {err !== undefined && <Failure err={err} />}
      {plan !== undefined && <Planned plan={plan} />}
    </section>
  )
}
