// The store as one process reaches it. Two modes of three are here: `sqlite`, where a commit is all or nothing and identities are given
// out; `kube`, where a commit goes write by write, with whatever else happens in between. The third, `api`, is kube's own code
// (./kube-way.ts).
import type {
  WatchEvent,
  Draft,
  IdentityGiver,
  Page,
  Preconditions,
  StatusSections,
  Store,
  Within,
  Write,
} from '../../core/contracts/store.ts'
import { createdHere } from '../../core/contracts/store.ts'
import { NotFound, Stale, StoreUnavailable } from '../../core/errors.ts'
import { keyOf, type Foreign, type Kind, type OwnKind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { sameJson } from '../../core/same-json.ts'
import { inOrder, isAfter, parsePosition, printPosition, testOf } from '../../platform/store/selection.ts'
import type { CallFault, Laid, Process } from './process.ts'
import type { Truth } from './truth.ts'
import { watch, type WatchSignals } from './watch.ts'

export type Mode = 'sqlite' | 'kube' | 'api'

export interface StoreDeps {
  readonly truth: Truth
  readonly signals: WatchSignals
  readonly process: Process
  readonly mode: Mode
  readonly uid: () => string
}

/** Longest that an answer is late, and how long a request is waited for that nobody answers. */
export const lateMs = 30_000
export const givenUpMs = 10_000

export class SimulatedStore implements Store {
  readonly #deps: StoreDeps

  constructor(deps: StoreDeps) {
    this.#deps = deps
  }

  async get<K extends Kind>(ref: Ref<K>): Promise<Resource<K> | undefined> {
    return this.#call(`get ${ref.kind} ${keyOf(ref)}`, () => this.#deps.truth.get(ref))
  }

  async list<K extends Kind>(kind: K, within: Within & { readonly limit?: number; readonly continue?: string } = {}): Promise<Page<K>> {
    const test = testOf(kind, within)
    const place = within.continue === undefined ? undefined : parsePosition(within.continue)
    return this.#call(`list ${kind}`, () => {
      const { truth } = this.#deps
      const found = [...truth.of(kind).values()].filter((item) => test(item) && (place === undefined || isAfter(item, place))).sort(inOrder)
      const resourceVersion = place?.resourceVersion ?? String(truth.version)
      const items = found.slice(0, within.limit ?? found.length)
      const last = items.at(-1)?.metadata
      const next =
        last === undefined || items.length === found.length
          ? {}
          : { continue: printPosition({ namespace: last.namespace ?? '', name: last.name, resourceVersion }) }
      return { items: items as Resource<K>[], resourceVersion, ...next }
    })
  }

  watch<K extends Kind>(kind: K, within: Within & { readonly from?: string }, signal: AbortSignal): AsyncIterable<WatchEvent<K>> {
    return watch(this.#deps, kind, within, signal)
  }

  async create<K extends Kind>(draft: Draft<K>): Promise<Resource<K>> {
    return this.#write({ do: 'create', draft: draft as unknown as Draft }, { kind: draft.kind, ...draft.metadata })
  }

  async update<K extends Kind>(item: Resource<K>): Promise<Resource<K>> {
    return this.#write({ do: 'update', item: item as unknown as Resource }, { kind: item.kind, ...item.metadata })
  }

  async patchStatus<K extends OwnKind>(
    item: { readonly ref: Ref<K>; readonly uid: string; readonly resourceVersion?: string },
    sections: StatusSections<K>,
  ): Promise<Resource<K>> {
    return this.#write({ do: 'patchStatus', ...item, sections }, item.ref)
  }

  async delete(ref: Ref, preconditions: Preconditions = {}): Promise<Resource | undefined> {
    const { truth, process } = this.#deps
    return this.#call(
      `delete ${ref.kind} ${keyOf(ref)}`,
      () => {
        const there = truth.get(ref)
        if (there === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
        if (preconditions.uid !== undefined && preconditions.uid !== there.metadata.uid)
          throw new Stale({ kind: ref.kind, key: keyOf(ref) })
        truth.commit([{ do: 'delete', ref, preconditions }], process.name)
        const left = truth.get(ref)
        return left?.metadata.uid === there.metadata.uid ? left : undefined
      },
      [ref.kind],
    )
  }

  async commit(writes: readonly Write[]): Promise<void> {
    const { truth, process, mode } = this.#deps
    if (writes.length === 0) return
    if (mode === 'sqlite') return this.#call(`commit ${textOf(writes)}`, () => truth.commit(writes, process.name), writes.map(kindOf))
    const made = new Map<string, string>()
    for (const write of writes) {
      await this.#call(
        `write ${textOf([write])}`,
        () => {
          const meant = identified(write, made)
          truth.commit([meant], process.name)
          if (meant.do === 'create')
            made.set(
              `${meant.draft.kind} ${keyOf(meant.draft.metadata)}`,
              truth.at(meant.draft.kind, keyOf(meant.draft.metadata))?.metadata.uid ?? '',
            )
        },
        [kindOf(write)],
      )
    }
  }

  /** What a kubelet writes: the status of a Kubernetes object, whole. */
  async replaceForeignStatus<K extends keyof Foreign>(ref: Ref<K>, uid: string, status: Foreign[K]['status']): Promise<Resource<K>> {
    const { truth, process } = this.#deps
    const key = keyOf(ref)
    return this.#call(
      `status of ${ref.kind} ${key}`,
      () => {
        truth.change((view) => {
          const before = view.get(ref.kind, key)
          if (before === undefined) throw new NotFound({ kind: ref.kind, key })
          if (before.metadata.uid !== uid) throw new Stale({ kind: ref.kind, key })
          return sameJson(before.status, status) ? [] : [{ key, before, after: { ...before, status } }]
        }, process.name)
        return truth.at(ref.kind, key)!
      },
      [ref.kind],
    )
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #write<K extends Kind>(write: Write, ref: Ref<K>): Promise<Resource<K>> {
    const { truth, process } = this.#deps
    return this.#call(
      `write ${textOf([write])}`,
      () => {
        truth.commit([write], process.name)
        const item = truth.get(ref)
        if (item === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
        return item
      },
      [ref.kind],
    )
  }

  /** There, done, and back; whatever goes wrong on the way is a fault that was laid for this process. */
  async #call<T>(label: string, doing: () => T, written: readonly Kind[] = []): Promise<T> {
    const { process } = this.#deps
    await process.pass(process.way(), label)
    if (process.isCut) await this.#givenUp(label)
    const fault = faultFor(process.faults, written)
    if (fault !== undefined) process.scheduler.say(process.name, `fault ${fault}: ${label}`)
    if (fault !== undefined) process.trouble()
    if (fault === 'conflict') throw new Stale({ kind: 'object', key: 'of a rival' })
    if (fault === 'lost-request') await this.#givenUp(label)
    const answer = doing()
    if (fault === 'lost-answer') await this.#givenUp(label)
    if (fault === 'late') await process.suffer(process.dice.next() * lateMs, `late answer: ${label}`)
    return answer
  }

  async #givenUp(label: string): Promise<never> {
    const { process } = this.#deps
    await process.suffer(process.dice.next() * givenUpMs, `no answer: ${label}`)
    throw new StoreUnavailable({ reason: 'the connection was cut' })
  }
}

/** The mode in which identities are given out, as SQLite does. */
export class IdentifyingStore extends SimulatedStore implements IdentityGiver {
  readonly #uid: () => string

  constructor(deps: StoreDeps) {
    super(deps)
    this.#uid = deps.uid
  }

  identify<K extends keyof Foreign | OwnKind>(draft: Draft<K>): Draft<K> {
    const { generateName } = draft.metadata
    const name = draft.metadata.name !== '' || generateName === undefined ? draft.metadata.name : generateName + this.#uid().slice(0, 5)
    return { ...draft, metadata: { ...draft.metadata, name, uid: this.#uid() } }
  }
}

export const storeOf = (deps: StoreDeps): Store => (deps.mode === 'sqlite' ? new IdentifyingStore(deps) : new SimulatedStore(deps))

/** The next fault that this call can have; one for writes waits for a write. */
function faultFor(faults: Laid[], written: readonly Kind[]): CallFault | undefined {
  const at = faults.findIndex(({ fault, of }) =>
    of === undefined ? written.length > 0 || fault === 'late' || fault === 'lost-request' : written.includes(of),
  )
  return at < 0 ? undefined : faults.splice(at, 1)[0]!.fault
}

/** A write that means what an earlier one of the same commit has made. */
function identified(write: Write, made: ReadonlyMap<string, string>): Write {
  if (!('uid' in write) || write.uid !== createdHere) return write
  const ref = write.do === 'patchPodStatus' ? write.pod : write.ref
  const uid = made.get(`${ref.kind} ${keyOf(ref)}`)
  if (uid === undefined) throw new Stale({ kind: ref.kind, key: keyOf(ref) })
  return { ...write, uid }
}

const textOf = (writes: readonly Write[]): string => writes.map((write) => `${write.do} ${refText(write)}`).join(', ')
const kindOf = (write: Write): Kind =>
  write.do === 'create'
    ? write.draft.kind
    : write.do === 'update'
      ? write.item.kind
      : write.do === 'patchPodStatus'
        ? 'Pod'
        : write.ref.kind
function refText(write: Write): string {
  if (write.do === 'create') return `${write.draft.kind} ${keyOf(write.draft.metadata)}`
  if (write.do === 'update') return `${write.item.kind} ${keyOf(write.item.metadata)}`
  const ref = write.do === 'patchPodStatus' ? write.pod : write.ref
  return `${ref.kind} ${keyOf(ref)}`
}
