// Where one is: all of it in the address, so that a link shows to others what one sees oneself.
import { signal } from '@preact/signals'

/** Parameters of the address, by name. */
export type PagePlace = Readonly<Record<string, string>>

const read = (): PagePlace => Object.fromEntries(new URLSearchParams(location.search))
export const place = signal<PagePlace>(read())
window.addEventListener('popstate', () => (place.value = read()))

/** Parameters of a view, or of all of them; undefined takes one away. */
export type PlaceChange = Readonly<Record<string, string | undefined>>

const changed = (from: PagePlace, change: PlaceChange): PagePlace =>
  Object.fromEntries(
    Object.entries({ ...from, ...change }).filter((each): each is [string, string] => each[1] !== undefined && each[1] !== ''),
  )

const text = (of: PagePlace): string => {
  const query = new URLSearchParams(of).toString()
  return query === '' ? location.pathname : `?${query}`
}

/** A view's own parameters go when another view comes; the namespace stays. */
export const link = (view: string, of: PlaceChange = {}): string => text(changed({ view }, { namespace: place.value['namespace'], ...of }))
export const linkHere = (change: PlaceChange): string => text(changed(place.value, change))
export const linkTo = (kind: string, namespace: string | undefined, name?: string): string => link('objects', { kind, of: namespace, name })

export function goTo(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', href)
  else history.replaceState(null, '', href)
  place.value = read()
}
/** Here, with something else chosen. */
export const choose = (change: PlaceChange, how: 'push' | 'replace' = 'push'): void => goTo(linkHere(change), how)

/** Links of this page change what is shown, and load nothing. */
export function followLinks(event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest('a') : null
  if (anchor === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const href = anchor.getAttribute('href')
  if (href === null || !href.startsWith('?')) return
  event.preventDefault()
  goTo(href)
}
