// Dark or light: as the machine has it, unless somebody has chosen. The choice is this browser's.
import { effect, signal } from '@preact/signals'

export type Theme = 'dark' | 'light'
const key = 'doppler.theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

const kept = (): Theme | undefined => {
  const value = read()
  return value === 'dark' || value === 'light' ? value : undefined
}
/** A browser may keep nothing for us. */
function read(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export const theme = signal<Theme>(kept() ?? (system.matches ? 'dark' : 'light'))
system.addEventListener('change', ({ matches }) => {
  if (kept() === undefined) theme.value = matches ? 'dark' : 'light'
})
effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})

export function otherTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem(key, theme.value)
  } catch {
    // It is dark, or light, as long as the page is open.
  }
}

/** A colour of the style sheet, for what is drawn on a canvas. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
