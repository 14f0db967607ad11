// The store of one machine: all objects in memory, every change on disk before anybody hears of it.
import type {
  WatchEvent,
  Draft,
  Fence,
  IdentityGiver,
  Page,
  Preconditions,
  StatusSections,
  Store,
  Within,
  Write,
} from '../../core/contracts/store.ts'
import { keyOf, type Foreign, type Kind, type OwnKind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { NotFound, Stale } from '../../core/errors.ts'
import { applyWrite, type Effect, type Giver, type View } from './apply.ts'
import { changesOf, History } from './history.ts'
import { Journal, type Synchronous } from './journal.ts'
import { Order, type OrderedItem } from './order.ts'
import { inOrder, isAfter, parsePosition, printPosition, testOf } from './selection.ts'
import { sameJson } from '../../core/same-json.ts'
import { realUids, type Uids } from '../chance.ts'
import { realClock, type Clock } from '../clock.ts'

/** What a commit does to the objects as those before it leave them. */
type Doing = (view: View) => Iterable<Effect>
interface Waiting {
  readonly doing: Doing
  readonly done: () => void
  readonly failed: (err: unknown) => void
}
/** An effect with its version given. */
interface Stamped {
  readonly version: number
  readonly kind: Kind
  readonly key: string
  readonly after: Resource | undefined
}
export interface SqliteOptions {
  /** NORMAL may lose the last commits on power loss, never on kill -9. */
  readonly synchronous?: Synchronous
  /** Freezes what is stored, so that a test sees who changes shared objects. */
  readonly freeze?: boolean
  readonly clock?: Clock
  readonly uids?: Uids
}

export class SqliteStore implements Store, IdentityGiver {
  #journal: Journal
  #items = new Map<Kind, Map<string, Resource>>()
  #orders = new Map<Kind, Order>()
  #history = new History()
  /** Of what can be seen; `#given` runs ahead while a group is on its way to the disk. */
  #version: number
  #given: number
  #waiting: Waiting[] = []
  #scheduled = false
  #flushing: Promise<void> | undefined
  #freeze: boolean
  readonly #clock: Clock
  readonly #giver: Giver

  /** @param file a path, or `:memory:` */
  static open(file: string, options: SqliteOptions = {}): SqliteStore {
    return new SqliteStore(file, options)
  }

  private constructor(file: string, options: SqliteOptions) {
    this.#journal = new Journal(file, options.synchronous ?? 'FULL')
    const clock = (this.#clock = options.clock ?? realClock)
    this.#giver = { uid: options.uids ?? realUids, now: () => new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z') }
    this.#freeze = options.freeze ?? file === ':memory:'
    this.#version = this.#given = this.#journal.version()
    this.#history.forgetUpTo(this.#version)
    for (const item of this.#journal.read()) this.#of(item.kind).set(keyOf(item.metadata), item)
  }

  async get<K extends Kind>(ref: Ref<K>): Promise<Resource<K> | undefined> {
    return this.#of(ref.kind).get(keyOf(ref)) as Resource<K> | undefined
  }

  async list<K extends Kind>(kind: K, within: Within & { limit?: number; continue?: string } = {}): Promise<Page<K>> {
    const test = testOf(kind, within)
    const place = within.continue === undefined ? undefined : parsePosition(within.continue)
    const resourceVersion = place?.resourceVersion ?? String(this.#version)
    if (within.limit === undefined)
      return { items: this.#found<K>(kind, (item) => test(item) && (place === undefined || isAfter(item, place))), resourceVersion }
    const { page, more } = this.#page(kind, test, { ...within, limit: within.limit, place })
    const last = page.at(-1)?.metadata
    const next =
      last === undefined || !more ? {} : { continue: printPosition({ namespace: last.namespace ?? '', name: last.name, resourceVersion }) }
    return { items: page as Resource<K>[], resourceVersion, ...next }
  }

  #found<K extends Kind>(kind: K, test: (item: Resource) => boolean): Resource<K>[] {
    return [...this.#of(kind).values()].filter(test).sort(inOrder) as Resource<K>[]
  }

  /** The first so many, and whether there are more. */
  #page(
    kind: Kind,
    test: (item: Resource) => boolean,
    { limit, namespace, place }: { readonly limit: number; readonly namespace?: string; readonly place: OrderedItem | undefined },
  ): { readonly page: readonly Resource[]; readonly more: boolean } {
    const items = this.#of(kind)
    const page: Resource[] = []
    for (const key of this.#orderOf(kind).after(place, namespace, (each) => items.has(each))) {
      const item = items.get(key)
      if (item === undefined || !test(item)) continue
      if (page.length === limit) return { page, more: true }
      page.push(item)
    }
    return { page, more: false }
  }

  /** Kept only for kinds that somebody pages through. */
  #orderOf(kind: Kind): Order {
    const known = this.#orders.get(kind)
    if (known !== undefined) return known
    const made = new Order()
    for (const [key, { metadata }] of this.#of(kind)) made.add(key, metadata)
    this.#orders.set(kind, made)
    return made
  }

  async *watch<K extends Kind>(kind: K, within: Within & { from?: string }, signal: AbortSignal): AsyncGenerator<WatchEvent<K>> {
    const test = testOf(kind, within)
    if (signal.aborted) return
    const watcher = this.#history.open(kind)
    const wake = (): void => watcher.wake()
    signal.addEventListener('abort', wake)
    try {
      const missed = within.from === undefined ? undefined : this.#since(kind, within.from)
      if (missed === undefined) yield this.#all(kind, test)
      else yield* changesOf<K>(missed, test)
      while (!signal.aborted) {
        const events = await watcher.next()
        if (signal.aborted) return
        if (events === 'lost') yield this.#all(kind, test)
        else yield* changesOf<K>(events, test)
      }
    } finally {
      watcher.close()
      signal.removeEventListener('abort', wake)
    }
  }

  async create<K extends Kind>(draft: Draft<K>): Promise<Resource<K>> {
    await this.commit([{ do: 'create', draft: draft as unknown as Draft }])
    return this.#mustHave({ kind: draft.kind, ...draft.metadata })
  }

  async update<K extends Kind>(item: Resource<K>): Promise<Resource<K>> {
    await this.commit([{ do: 'update', item: item as unknown as Resource }])
    return this.#mustHave({ kind: item.kind, ...item.metadata })
  }

  async delete(ref: Ref, preconditions: Preconditions = {}): Promise<Resource | undefined> {
    const there = this.#of(ref.kind).get(keyOf(ref))
    if (there === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
    if (preconditions.uid !== undefined && preconditions.uid !== there.metadata.uid) throw new Stale({ kind: ref.kind, key: keyOf(ref) })
    await this.commit([{ do: 'delete', ref, preconditions }])
    const left = this.#of(ref.kind).get(keyOf(ref))
    return left?.metadata.uid === there.metadata.uid ? left : undefined
  }

  async patchStatus<K extends OwnKind>(
    item: { ref: Ref<K>; uid: string; resourceVersion?: string; fence?: Fence },
    sections: StatusSections<K>,
  ): Promise<Resource<K>> {
    await this.commit([{ do: 'patchStatus', ...item, sections }])
    return this.#mustHave(item.ref)
  }

  /** Commits that wait together share one transaction, and so one flush of the disk. */
  commit(writes: readonly Write[]): Promise<void> {
    return writes.length === 0
      ? Promise.resolve()
      : this.#commit((view) =>
          writes
            .values()
            .map((write) => applyWrite(write, view, this.#giver))
            .filter((effect) => effect !== undefined),
        )
  }

  identify<K extends OwnKind | keyof Foreign>(draft: Draft<K>): Draft<K> {
    const { generateName } = draft.metadata
    const name =
      draft.metadata.name !== '' || generateName === undefined
        ? draft.metadata.name
        : generateName + this.#giver.uid().replaceAll('-', '').slice(0, 5)
    return { ...draft, metadata: { ...draft.metadata, name, uid: this.#giver.uid() } }
  }

  /** What a kubelet writes in a cluster: the status of a Kubernetes object, whole. */
  async replaceForeignStatus<K extends keyof Foreign>(ref: Ref<K>, uid: string, status: Foreign[K]['status']): Promise<Resource<K>> {
    const key = keyOf(ref)
    await this.#commit((view) => {
      const before = view.get(ref.kind, key)
      if (before === undefined) throw new NotFound({ kind: ref.kind, key })
      if (before.metadata.uid !== uid) throw new Stale({ kind: ref.kind, key })
      return sameJson(before.status, status) ? [] : [{ key, before, after: { ...before, status } }]
    })
    return this.#mustHave(ref)
  }

  async close(): Promise<void> {
    while (this.#scheduled || this.#flushing !== undefined) await (this.#flushing ?? this.#flush())
    this.#journal.close()
  }

  #of(kind: Kind): Map<string, Resource> {
    const known = this.#items.get(kind)
    if (known !== undefined) return known
    const made = new Map<string, Resource>()
    this.#items.set(kind, made)
    return made
  }

  async #mustHave<K extends Kind>(ref: Ref<K>): Promise<Resource<K>> {
    const item = await this.get(ref)
    if (item === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
    return item
  }

  #all<K extends Kind>(kind: K, test: (item: Resource) => boolean): WatchEvent<K> {
    return { type: 'all', items: this.#found<K>(kind, test), resourceVersion: String(this.#version) }
  }

  #since(kind: Kind, from: string): ReturnType<History['since']> {
    const version = Number(from)
    return Number.isInteger(version) && version <= this.#version ? this.#history.since(kind, version) : undefined
  }

  #commit(doing: Doing): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ doing, done, failed })
      this.#schedule()
    })
  }

  /** One group at a time: who comes while one is on its way to the disk is in the next. */
  #schedule(): void {
    if (this.#scheduled || this.#flushing !== undefined) return
    this.#scheduled = true
    this.#clock.soon(() => {
      if (this.#scheduled) void this.#flush()
    })
  }

  /** Never rejects: who waits is told. */
  #flush(): Promise<void> {
    this.#scheduled = false
    this.#flushing = this.#flushGroup().finally(() => {
      this.#flushing = undefined
      if (this.#waiting.length > 0) this.#schedule()
    })
    return this.#flushing
  }

  async #flushGroup(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const staged = new Map<string, Resource | undefined>()
    const group: { readonly commit: Waiting; readonly changes: readonly Stamped[] }[] = []
    for (const commit of waiting) {
      try {
        group.push({ commit, changes: this.#stage(commit.doing, staged) })
      } catch (err) {
        commit.failed(err)
      }
    }
    try {
      await this.#land(group.flatMap((each) => each.changes))
    } catch (err) {
      for (const { commit } of group) commit.failed(err)
      return
    }
    for (const { commit } of group) commit.done()
  }

  /** One commit's effects on top of those staged before it; none of them is staged when one write is refused. */
  #stage(doing: Doing, staged: Map<string, Resource | undefined>): Stamped[] {
    const mine = new Map<string, Resource | undefined>()
    const view: View = {
      get: <K extends Kind>(kind: K, key: string) => {
        const name = `${kind} ${key}`
        const found =
          mine.get(name) ?? (mine.has(name) ? undefined : (staged.get(name) ?? (staged.has(name) ? undefined : this.#of(kind).get(key))))
        return found as Resource<K> | undefined
      },
    }
    const effects: Effect[] = []
    for (const effect of doing(view)) {
      effects.push(effect)
      mine.set(`${kindOf(effect)} ${effect.key}`, effect.after)
    }
    // Given here, so that a later commit of the group sees the version that this one makes. A number lost to a refusal is no harm.
    const stamped = effects.map((effect) => this.#stamp(effect))
    for (const { kind, key, after } of stamped) staged.set(`${kind} ${key}`, after)
    return stamped
  }

  #stamp(effect: Effect): Stamped {
    const version = ++this.#given
    return { version, kind: kindOf(effect), key: effect.key, after: effect.after && this.#versioned(effect.after, version) }
  }

  /** Disk, memory, watchers: in that order. */
  async #land(changes: readonly Stamped[]): Promise<void> {
    if (changes.length === 0) return
    const last = new Map(changes.map((change) => [`${change.kind} ${change.key}`, change.after]))
    await this.#journal.write(last, this.#given)
    this.#version = this.#given
    for (const { version, kind, key, after } of changes) {
      const of = this.#of(kind)
      const before = of.get(key)
      if (after === undefined) of.delete(key)
      else of.set(key, after)
      if (after === undefined) this.#orders.get(kind)?.drop()
      else if (before === undefined) this.#orders.get(kind)?.add(key, after.metadata)
      this.#history.add({ version, kind, before, after })
    }
  }

  #versioned(item: Resource, version: number): Resource {
    const made = { ...item, metadata: { ...item.metadata, resourceVersion: String(version) } }
    return this.#freeze ? deepFreeze(made) : made
  }
}

const kindOf = (effect: Effect): Kind => (effect.after ?? effect.before!).kind

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}
