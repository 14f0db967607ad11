// What each node was told of BGP: now, and by words that may still be in force there.
import type { SpecOf, Resource } from '../../../../core/kinds/index.ts'

export type SpeakerSpec = SpecOf<'BGPSpeaker'>
export type SpeakerGroup = SpeakerSpec['groups'][number]

interface SpokenSpec {
  readonly groups: readonly SpeakerGroup[]
  /** When something else was said. */
  until: number
}

export class Speakers {
  readonly #said = new Map<string, SpokenSpec[]>()
  readonly #changedAt = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  take(before: Resource<'BGPSpeaker'> | undefined, after: Resource<'BGPSpeaker'> | undefined): void {
    if (JSON.stringify(before?.spec) === JSON.stringify(after?.spec)) return
    const { name } = (after ?? before)!.metadata
    const all = this.#said.get(name) ?? []
    const last = all.at(-1)
    if (last !== undefined) last.until = this.#now()
    this.#said.set(name, [...all, { groups: after?.spec.groups ?? [], until: Number.POSITIVE_INFINITY }])
    this.#changedAt.set(name, this.#now())
  }

  /** In virtual milliseconds; nothing was ever said: from the beginning. */
  changedAt(node: string): number {
    return this.#changedAt.get(node) ?? 0
  }

  now(node: string): readonly SpeakerGroup[] {
    return this.#said.get(node)?.at(-1)?.groups ?? []
  }

  /** From now on what was over by then counts no more. */
  forget(node: string, until: number): void {
    const all = this.#said.get(node)
    if (all !== undefined)
      this.#said.set(
        node,
        all.filter((said) => said.until >= until),
      )
  }

  /** Whatever may still be in force. */
  possible(node: string): readonly SpeakerGroup[] {
    return (this.#said.get(node) ?? []).flatMap(({ groups }) => groups)
  }
}
