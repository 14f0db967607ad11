// The keyboard all through: / searches, g and a letter goes to a view, t changes the colours, ? shows all of them.
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { views } from '../views/index.ts'
import { goTo, link } from './place.ts'
import { otherTheme } from './theme.ts'

export const helpOpen = signal(false)
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
/** A question that is open has the keyboard for itself. */
const hasQuestion = (): boolean => document.querySelector('dialog[open]:not([data-help])') !== null

export function useShortcuts(): void {
  useEffect(() => {
    let afterG = false
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || hasQuestion() || event.ctrlKey || event.metaKey || event.altKey) return
      const wasAfterG = afterG
      afterG = event.key === 'g'
      const done = wasAfterG ? toView(event.key) : single(event.key)
      if (done) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function toView(letter: string): boolean {
  const view = views.find((each) => each.letter === letter)
  if (view === undefined) return false
  helpOpen.value = false
  goTo(link(view.name))
  return true
}

function single(key: string): boolean {
  if (key === '/') toSearch()
  else if (key === 't') otherTheme()
  else if (key === '?') helpOpen.value = !helpOpen.value
  else return false
  return true
}

function toSearch(): void {
  // At once: it gives back the focus that it had taken, and the next letter is for the search.
  helpOpen.value = false
  document.querySelector<HTMLDialogElement>('[data-help]')?.close()
  document.querySelector<HTMLInputElement>('[data-search]')?.focus()
}

const keysOfFrame = [
  ['/', 'search'],
  ['t', 'dark or light colours'],
  ['?', 'this panel'],
  ['Esc', 'close what is open'],
] as const
const keysOfLists = [
  ['↑ ↓', 'from row to row'],
  ['← →', 'close and open a group'],
  ['Enter', 'choose'],
] as const

/** A dialog of the browser's own: it keeps the focus inside, Escape closes it, and the focus goes back to where it was. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = helpOpen.value
  // After each picture: Escape may have closed it, and a key have opened it anew, before one was drawn.
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal()
    else if (!open) dialog.current?.close()
  })
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onCancel={() => (helpOpen.value = false)} data-help>
      <h2 id="help-title">Keys</h2>
      <KeyTable name="Views" rows={views.map(({ letter, title }) => [`g ${letter}`, title] as const)} />
      <KeyTable name="Everywhere" rows={keysOfFrame} />
      <KeyTable name="In lists and trees" rows={keysOfLists} />
      <p class="actions">
        <button type="button" onClick={() => (helpOpen.value = false)}>
          Close
        </button>
      </p>
    </dialog>
  )
}

const KeyTable = ({ name, rows }: { readonly name: string; readonly rows: readonly (readonly [string, string])[] }) => (
  <section aria-label={name}>
    <h3>{name}</h3>
    <dl>
      {rows.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </section>
)
