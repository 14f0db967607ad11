// The store's truth: the objects there are, what was ever written, and who listens. By the same rules as SQLite's.
import type { Write } from '../../core/contracts/store.ts'
import { NotFound } from '../../core/errors.ts'
import { withDefaults } from '../../core/admit/object/schema.ts'
import { isOwnKind, keyOf, type Kind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { bodyOf, resourceOf } from '../../platform/kube/objects.ts'
import { applyWrite, type Effect, type Giver, type View } from '../../platform/store/apply.ts'
import type { Event } from '../../platform/store/history.ts'
import type { Etcd, Step } from './kube-api/etcd.ts'
import { keyOf as etcdKeyOf, wired, type Raw } from './kube-api/raw.ts'

/** One write as it was taken, with who wrote it. */
export interface Landed extends Event {
  readonly by: string
}
export type LandedListener = (landed: Landed) => void

export class Truth {
  version = 0
  readonly #giver: Giver
  readonly #items = new Map<Kind, Map<string, Resource>>()
  /** All that ever happened, in order of version. */
  readonly log: Landed[] = []
  readonly #listeners: LandedListener[] = []
  /** Of what each kind's log is at which place: a watch goes on from there. */
  readonly #byKind = new Map<Kind, Landed[]>()
  readonly #etcd: Etcd | undefined

  /** @param etcd where objects are kept and others write too: what lands there is the truth, and what is written here lands there */
  constructor(giver: Giver, etcd?: Etcd) {
    this.#giver = giver
    this.#etcd = etcd
    etcd?.on((step) => this.#took(step))
  }

  on(listener: LandedListener): void {
    this.#listeners.push(listener)
  }

  get<K extends Kind>(ref: Ref<K>): Resource<K> | undefined {
    return this.of(ref.kind).get(keyOf(ref)) as Resource<K> | undefined
  }

  at<K extends Kind>(kind: K, key: string): Resource<K> | undefined {
    return this.of(kind).get(key) as Resource<K> | undefined
  }

  values<K extends Kind>(kind: K): Iterable<Resource<K>> {
    return this.of(kind).values() as Iterable<Resource<K>>
  }

  of(kind: Kind): Map<string, Resource> {
    const known = this.#items.get(kind)
    if (known !== undefined) return known
    const made = new Map<string, Resource>()
    this.#items.set(kind, made)
    return made
  }

  /** Changes of a kind, in order. */
  changesOf(kind: Kind): readonly Landed[] {
    return this.#byKind.get(kind) ?? none
  }

  /** What there was of a kind at an earlier version. */
  asOf(kind: Kind, version: number): Resource[] {
    const items = new Map<string, Resource>()
    for (const { version: at, before, after } of this.changesOf(kind)) {
      if (at > version) break
      if (after === undefined) items.delete(keyOf(before!.metadata))
      else items.set(keyOf(after.metadata), after)
    }
    return [...items.values()]
  }

  /** All of them or none. @throws what the rules refuse */
  commit(writes: readonly Write[], by: string): void {
    this.change(
      (view) =>
        writes
          .values()
          .map((write) => applyWrite(write, view, this.#giver))
          .filter((effect) => effect !== undefined),
      by,
    )
  }

  change(doing: (view: View) => Iterable<Effect>, by: string): void {
    const mine = new Map<string, Resource | undefined>()
    const view: View = {
      get: <K extends Kind>(kind: K, key: string) => {
        const name = `${kind} ${key}`
        return (mine.has(name) ? mine.get(name) : this.of(kind).get(key)) as Resource<K> | undefined
      },
    }
    const effects: Effect[] = []
    for (const effect of doing(view)) {
      effects.push(effect)
      mine.set(`${(effect.after ?? effect.before)!.kind} ${effect.key}`, effect.after)
    }
    if (this.#etcd !== undefined) for (const effect of effects) this.#mustHaveRoom(effect)
    // Versions are given last: within one commit an object without one is one that was made in it.
    for (const { key, before, after } of effects) this.#land(key, (after ?? before)!.kind, after, by)
  }

  /** An API server takes nothing into a namespace that is not there. */
  #mustHaveRoom({ before, after }: Effect): void {
    const namespace = before === undefined ? after?.metadata.namespace : undefined
    if (namespace !== undefined && !this.of('Namespace').has(namespace)) throw new NotFound({ kind: 'Namespace', key: namespace })
  }

  #land(key: string, kind: Kind, after: Resource | undefined, by: string): void {
    const before = this.of(kind).get(key)
    if (this.#etcd === undefined) return this.#landed({ version: this.version + 1, kind, before, after, by })
    const there = this.#etcd.get(kind, etcdKeyOf((after ?? before)!.metadata))
    this.#etcd.write(kind, { before: there, after: after && rawOf(after), by })
  }

  #took({ revision, kind, before, after, by }: Step): void {
    const key = keyOf((after ?? before)!.metadata)
    this.#landed({ version: revision, kind, before: this.of(kind).get(key), after: after && resourceOf(kind, after), by })
  }

  #landed({ version, kind, before, after, by }: Landed): void {
    const items = this.of(kind)
    const key = keyOf((after ?? before)!.metadata)
    const made = after && frozen({ ...after, metadata: { ...after.metadata, resourceVersion: String(version) } })
    if (made === undefined) items.delete(key)
    else items.set(key, made)
    this.version = version
    const landed: Landed = { version, kind, before, after: made, by }
    this.log.push(landed)
    const ofKind = this.#byKind.get(kind) ?? []
    this.#byKind.set(kind, ofKind)
    ofKind.push(landed)
    for (const listener of this.#listeners) listener(landed)
  }
}

/** As an API server keeps it: with the defaults of its schema, whoever wrote it. */
function rawOf(item: Resource): Raw {
  const { kind } = item
  const raw = wired({ ...bodyOf(item), metadata: item.metadata, status: item.status }) as Raw
  return isOwnKind(kind) ? withDefaults(kind, raw) : raw
}

const none: readonly never[] = []

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) frozen(each)
  }
  return value
}
