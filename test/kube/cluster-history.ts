// What really happened on an API server, by watches that nothing delays, in the order of resourceVersions: the invariants of the
// simulation are asked of it, write by write.
import assert from 'node:assert/strict'
import { keyOf, keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'
import { pause, realClock } from '../../platform/clock.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import type { Following } from '../sim/invariant.ts'
import { ofStore } from '../sim/invariants/index.ts'
import { Truth } from '../sim/truth.ts'

export const watched = ['Vpc', 'Subnet', 'Port', 'IPLock', 'SegmentLock', 'Pod'] as const satisfies readonly Kind[]

/** Nothing is listed while somebody writes. */
const quietMs = 60

interface Happened {
  readonly item: Resource
  readonly gone: boolean
}
/** A lock of the cluster is where its holder is. */
const spaceOf = (item: Resource): string | undefined =>
  item.kind === 'SegmentLock' ? (item as Resource<'SegmentLock'>).spec.holder.namespace : item.metadata.namespace
const versionOf = ({ metadata }: Resource): bigint => BigInt(metadata.resourceVersion)

export class ClusterHistory {
  readonly truth = new Truth({ uid: () => '', now: () => '' })
  /** What did not hold when it was written. */
  readonly breaches: string[] = []
  readonly #store: KubeStore
  readonly #isOurs: (namespace: string | undefined) => boolean
  readonly #following: readonly Following[]
  /** As each watch has it by now: kind and key → version. */
  readonly #there = new Map<string, string>()
  #atRest: string[] = []
  #fresh: Happened[] = []
  #count = 0

  /** @param isOurs of a namespace: the server is shared, what else is on it is no matter of ours */
  constructor(store: KubeStore, isOurs: (namespace: string | undefined) => boolean) {
    this.#store = store
    this.#isOurs = isOurs
    let place = this.breaches
    this.#following = ofStore.map(({ name, begin }) => begin({ site: this }, (what) => place.push(`${name}: ${what}`)))
    this.truth.on((landed) => {
      for (const each of this.#following) each.landed?.(landed)
    })
    this.askAtRest = () => {
      place = this.#atRest = []
      for (const each of this.#following) each.atRest?.()
      place = this.breaches
      return this.#atRest
    }
  }

  time(): string {
    return new Date().toISOString()
  }

  /** What does not hold of what there is, nothing being under way. */
  readonly askAtRest: () => readonly string[]

  /** Resolves once every watch has begun. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(watched.map((kind) => new Promise<void>((begun) => void this.#follow(kind, signal, begun))))
  }

  async #follow(kind: Kind, signal: AbortSignal, begun: () => void): Promise<void> {
    let isBegun = false
    for await (const change of this.#store.watch(kind, {}, signal)) {
      if (change.type === 'mark') continue
      if (change.type === 'all') {
        assert.equal(isBegun, false, `the watch of ${kind} has a gap: what happened cannot be told`)
        isBegun = true
        for (const item of change.items) this.#take({ item, gone: false })
        begun()
      } else this.#take({ item: change.item, gone: change.type === 'gone' })
    }
  }

  #take(happened: Happened): void {
    const { item, gone } = happened
    const name = `${item.kind} ${keyOfItem(item)}`
    // A lock of the cluster may go from a namespace of ours to another.
    const isOurs = !gone && this.#isOurs(spaceOf(item))
    if (!isOurs && !this.#there.has(name)) return
    if (isOurs) this.#there.set(name, item.metadata.resourceVersion)
    else this.#there.delete(name)
    this.#count++
    this.#fresh.push({ item, gone: !isOurs })
  }

  /**
   * Plays back what is new, where the watches have told of everything up to now: none then comes later that was before it.
   *
   * @returns false: they are behind, or something is being written
   */
  async caughtUp(): Promise<boolean> {
    const before = this.#count
    await pause(quietMs, realClock)
    if (this.#count !== before) return false
    const listed = await Promise.all(watched.map((kind) => this.#store.list(kind)))
    const now = listed.flatMap(({ items }): readonly Resource[] => items).filter((item) => this.#isOurs(spaceOf(item)))
    const isTold = (item: Resource): boolean => this.#there.get(`${item.kind} ${keyOfItem(item)}`) === item.metadata.resourceVersion
    if (this.#count !== before || now.length !== this.#there.size || !now.every(isTold)) return false
    const fresh = this.#fresh.sort((a, b) => (versionOf(a.item) < versionOf(b.item) ? -1 : 1))
    this.#fresh = []
    for (const { item, gone } of fresh) {
      const key = keyOf(item.metadata)
      this.truth.change(() => [{ key, before: this.truth.at(item.kind, key), after: gone ? undefined : structuredClone(item) }], 'watch')
    }
    return true
  }

  get writes(): number {
    return this.#count
  }
}
