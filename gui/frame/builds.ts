// Whether the server is of the build that this page is of: it may have been replaced since the page was opened.
import { effect, signal } from '@preact/signals'
import { base } from '../contract/api.ts'
import { connection } from '../live/connection.ts'

export interface Build {
  readonly version: string
  /** By its name, that changes with what is in it. */
  readonly script: string
}

const buildIn = (page: Document): Build => ({
  version: page.querySelector<HTMLMetaElement>('meta[name="megrez-version"]')?.content ?? 'an unknown version',
  script: (page.querySelector('script[type="module"]')?.getAttribute('src') ?? '').replace(/^.*\//, ''),
})
export const ownBuild = buildIn(document)
/** The server's, where it is another. */
export const otherBuild = signal<Build | undefined>(undefined)

/** The page as the server would give it now; where it gives none, nothing is said. */
export async function compare(): Promise<void> {
  const answer = await fetch(`${base}/`, { cache: 'no-store', headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const found = buildIn(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  if (found.script === '') return
  const isOther = found.version !== ownBuild.version || found.script !== ownBuild.script
  otherBuild.value = isOther ? found : undefined
}

// Each time that a stream begins or will not: a server that was replaced has ended the one before.
effect(() => {
  if (['live', 'away'].includes(connection.value.is)) void compare().catch(() => undefined)
})
