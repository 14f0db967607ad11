// The server's picture of what is asked for: at once where the question is another, and again after something has changed, no oftener
// than the server answers with ease.
import { useEffect, useRef, useState } from 'preact/hooks'
import { pictureOf, type Picture, type PictureQuery } from '../../contract/topology.ts'
import { changes } from '../../live/changes.ts'

/** Between an answer and the next question; a server that takes long is asked more rarely. */
const [leastMs, restPerMs] = [250, 3]

export interface PictureState {
  /** Of a question before, until this one is answered: what is drawn does not go out meanwhile. */
  readonly picture: Picture | undefined
  readonly err: unknown
}

export function usePicture(query: PictureQuery): PictureState {
  const [state, setState] = useState<PictureState>({ picture: undefined, err: undefined })
  const feed = useRef<PictureFeed>(undefined)
  const version = changes.version.value
  useEffect(() => {
    const made = (feed.current = new PictureFeed(setState))
    return () => made.end()
  }, [])
  useEffect(() => feed.current?.ask(query), [JSON.stringify(query)])
  useEffect(() => feed.current?.changed(), [version])
  return state
}

class PictureFeed {
  readonly #onState: (state: PictureState) => void
  #query: PictureQuery = {}
  #running: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStale = false
  #restMs = leastMs

  constructor(onState: (state: PictureState) => void) {
    this.#onState = onState
  }

  ask(query: PictureQuery): void {
    // Of another namespace nothing stays.
    if (query.namespace !== this.#query.namespace) this.#onState({ picture: undefined, err: undefined })
    this.#query = query
    this.end()
    void this.#run()
  }

  changed(): void {
    this.#isStale = true
    if (this.#running === undefined) this.#timer ??= setTimeout(() => void this.#run(), this.#restMs)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running?.abort()
  }

  async #run(): Promise<void> {
    this.#timer = undefined
    this.#isStale = false
    const running = (this.#running = new AbortController())
    const began = performance.now()
    const state = await pictureOf(this.#query, running.signal).then(
      (picture) => ({ picture, err: undefined }),
      (err: unknown) => ({ picture: undefined, err }),
    )
    if (running.signal.aborted) return
    this.#running = undefined
    this.#restMs = Math.max(leastMs, restPerMs * (performance.now() - began))
    this.#onState(state)
    if (this.#isStale) this.changed()
  }
}
