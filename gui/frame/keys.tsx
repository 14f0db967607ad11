// The keyboard all through: / searches, g and a letter goes to a view, t changes the colours, ? shows this.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { views } from '../views/index.ts'
import { goTo, link } from './place.ts'
import { otherTheme } from './theme.ts'

export const helpOpen = signal(false)
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

export function useShortcuts(): void {
  useEffect(() => {
    let afterG = false
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
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
  if (view !== undefined) goTo(link(view.name))
  return view !== undefined
}

function single(key: string): boolean {
  if (key === '/') document.querySelector<HTMLInputElement>('[data-search]')?.focus()
  else if (key === 't') otherTheme()
  else if (key === '?') helpOpen.value = !helpOpen.value
  else return false
  return true
}
