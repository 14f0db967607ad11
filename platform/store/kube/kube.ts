// The store of a cluster: objects in the Kubernetes API. Reads that repeat belong on watches, and a commit is a row of requests.
import {
  createdHere,
  type WatchEvent,
  type Draft,
  type Fence,
  type Page,
  type Parted,
  type Preconditions,
  type StatusSections,
  type Store,
  type Within,
  type Write,
} from '../../../core/contracts/store.ts'
import { messageOf, Stale, StoreUnavailable } from '../../../core/errors.ts'
import { keyOf, pluralOf, type Kind, type OwnKind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { realRandom } from '../../chance.ts'
import { realClock, type Clock } from '../../clock.ts'
import { absent, ok, problemOf, RbacDenied } from '../../kube/answers.ts'
import type { KubeApi } from '../../kube/client.ts'
import { noMeter, type KubeMeter } from '../../kube/watch/meter.ts'
import { objectPath, resourceOf, selection } from '../../kube/objects.ts'
import { listOf, listWhole, ListRefused } from '../../kube/watch/pages.ts'
import { Reflector } from '../../kube/watch/reflector.ts'
import { WatchEnded } from '../../kube/watch/watch-stream.ts'
import { silentLog, type Log } from '../../log.ts'
import { CallerStore } from '../kube-caller.ts'
import { KubeWrites } from './writes.ts'
import { inOrder } from '../selection.ts'

export interface KubeStoreOptions {
  readonly clock?: Clock
  /** In [0, 1): parts the timing of rivals. */
  readonly random?: () => number
  readonly meter?: KubeMeter
  readonly log?: Log
  /** Reads are those of another account: where RBAC denies it, its watch ends with RbacDenied; a watch of ours waits for its right. */
  readonly asGuest?: boolean
}

const reviews = {
  tokenreviews: { group: 'authentication.k8s.io', kind: 'TokenReview' },
  subjectaccessreviews: { group: 'authorization.k8s.io', kind: 'SubjectAccessReview' },
  selfsubjectaccessreviews: { group: 'authorization.k8s.io', kind: 'SelfSubjectAccessReview' },
} as const

/** Objects fetched at once where everything is asked for. */
const pageSize = 500

/** Not known any more, or not allowed any more. */
const isDenial = (err: unknown): boolean =>
  [401, 403].includes(err instanceof ListRefused ? err.answer.status : err instanceof WatchEnded ? (err.status ?? 0) : 0)

export class KubeStore implements Store {
  #client: KubeApi
  #options: Required<KubeStoreOptions>
  #reflectors = new Map<Kind, Set<Reflector<Kind>>>()
  #writes: KubeWrites
  #closing = new AbortController()

  constructor(
    client: KubeApi,
    { clock = realClock, random = realRandom, meter = noMeter, log = silentLog(), asGuest = false }: KubeStoreOptions = {},
  ) {
    this.#client = client
    this.#options = { clock, random, meter, log, asGuest }
    this.#writes = new KubeWrites({ client, clock, seen: (ref) => this.#seen(ref), get: (ref) => this.get(ref) })
  }

  /** For what is no kind here. Ends with the store. */
  get client(): KubeApi {
    return this.#client
  }

  /** Requests so far, by `verb resource`: what the kube figures of the benchmarks count. */
  get requests(): Readonly<Record<string, number>> {
    return this.#client.counts
  }

  /** The same objects, as the bearer of this Authorization header may see and write them. Ends with this one. */
  as(authorization: string): Store {
    return new CallerStore(new KubeStore(this.#client.as(authorization), { ...this.#options, asGuest: true }))
  }

  /**
   * Has the API server judge something that is kept nowhere: a token, an access (authentication.k8s.io/v1, authorization.k8s.io/v1).
   *
   * @param authorization header of the account that asks about itself; absent: we ask
   */
  async review<T>(resource: keyof typeof reviews, spec: object, authorization?: string): Promise<T> {
    const { group, kind } = reviews[resource]
    const client = authorization === undefined ? this.#client : this.#client.as(authorization)
    const answer = await client.ask({
      verb: 'create',
      resource,
      path: `/apis/${group}/v1/${resource}`,
      body: { apiVersion: `${group}/v1`, kind, spec },
    })
    if (!ok(answer)) throw new StoreUnavailable({ reason: `${resource}: ${answer.status}` })
    return (answer.body as { readonly status: T }).status
  }

  async get<K extends Kind>(ref: Ref<K>): Promise<Resource<K> | undefined> {
    const answer = await this.#client.ask({ verb: 'get', resource: pluralOf(ref.kind), path: objectPath(ref) })
    if (absent(answer)) return undefined
    if (!ok(answer)) throw problemOf(answer, ref)
    return resourceOf(ref.kind, answer.body)
  }

  /** A page of a limited list is in the API server's order, which differs from ours where one namespace's name begins another's. */
  async list<K extends Kind>(kind: K, within: Within & { readonly limit?: number; readonly continue?: string } = {}): Promise<Page<K>> {
    const { path, query } = selection(kind, within)
    const page = (more: Readonly<Record<string, string | undefined>>) =>
      this.#client.ask({ verb: 'list', resource: pluralOf(kind), path, query: { ...query, ...more } })
    try {
      if (within.limit === undefined && within.continue === undefined) {
        const { items, resourceVersion } = await listWhole(page, { pageSize }, (raw) => resourceOf(kind, raw))
        return { items: [...items].sort(inOrder), resourceVersion }
      }
      const { items, metadata } = listOf(await page({ limit: within.limit?.toString(), continue: within.continue }))
      const more = metadata.continue === undefined || metadata.continue === '' ? {} : { continue: metadata.continue }
      return { items: items.map((raw) => resourceOf(kind, raw)), resourceVersion: metadata.resourceVersion, ...more }
    } catch (err) {
      throw err instanceof ListRefused ? problemOf(err.answer, { kind, name: '' }) : err
    }
  }

  watch<K extends Kind>(
    kind: K,
    within: Within & { readonly from?: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    return this.#follow({ kind, within, remembers: true }, signal, (reflector, stop) => reflector.changes(stop))
  }

  /** Nothing of it is remembered either: what was seen costs no memory. */
  watchParts<K extends Kind>(kind: K, within: Within, signal: AbortSignal): AsyncGenerator<Parted<K>, void, undefined> {
    return this.#follow({ kind, within, remembers: false }, signal, (reflector, stop) => reflector.parts(stop))
  }

  async *#follow<K extends Kind, Said>(
    { kind, within, remembers }: { readonly kind: K; readonly within: Within & { readonly from?: string }; readonly remembers: boolean },
    signal: AbortSignal,
    events: (reflector: Reflector<K>, stop: AbortSignal) => AsyncGenerator<Said, void, undefined>,
  ): AsyncGenerator<Said, void, undefined> {
    const { path, query } = selection(kind, within)
    const { log, asGuest, ...given } = this.#options
    const resource = pluralOf(kind)
    const stop = new AbortController()
    let denied: RbacDenied | undefined
    const reflector = new Reflector<K>({
      ...given,
      kind,
      from: within.from,
      list: (more, stop) => this.#client.ask({ verb: 'list', resource, path, query: { ...query, ...more } }, stop),
      watch: (more, stop) => this.#client.open({ verb: 'watch', resource, path, query: { ...query, ...more } }, stop),
      read: (raw) => resourceOf(kind, raw),
      remembers,
      onProblem(err, waitMs) {
        if (asGuest && isDenial(err)) denied = new RbacDenied({ reason: messageOf(err), cause: err })
        if (denied === undefined) log.warn({ kind, waitMs, err: err }, 'watch begins again')
        else stop.abort()
      },
    })
    const open = this.#reflectors.get(kind) ?? new Set()
    this.#reflectors.set(kind, open.add(reflector))
    const end = () => stop.abort()
    const signals = [signal, this.#closing.signal]
    for (const each of signals) each.addEventListener('abort', end)
    if (signals.some((each) => each.aborted)) end()
    try {
      yield* events(reflector, stop.signal)
      if (denied !== undefined) throw denied
    } finally {
      open.delete(reflector)
      for (const each of signals) each.removeEventListener('abort', end)
    }
  }

  create<K extends Kind>(draft: Draft<K>): Promise<Resource<K>> {
    return this.#writes.create(draft)
  }

  update<K extends Kind>(item: Resource<K>): Promise<Resource<K>> {
    return this.#writes.update(item)
  }

  delete(ref: Ref, preconditions: Preconditions = {}): Promise<Resource | undefined> {
    return this.#writes.delete(ref, preconditions)
  }

  patchStatus<K extends OwnKind>(
    item: { readonly ref: Ref<K>; readonly uid: string; readonly resourceVersion?: string; readonly fence?: Fence },
    sections: StatusSections<K>,
  ): Promise<Resource<K>> {
    return this.#writes.patchStatus(item, sections)
  }

  /** One request after the other: what a later write relies on is there when it is sent. */
  async commit(writes: readonly Write[]): Promise<void> {
    const made = new Map<string, string>()
    for (const write of writes) await this.#commitOne(write, made)
  }

  /** Ends the watches, and what is under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client.close()
  }

  /** @param made UIDs of what this commit has created, by kind and key */
  async #commitOne(write: Write, made: Map<string, string>): Promise<void> {
    const uidOf = (ref: Ref, uid: string): string => {
      const meant = uid === createdHere ? made.get(`${ref.kind} ${keyOf(ref)}`) : uid
      if (meant === undefined) throw new Stale({ kind: ref.kind, key: keyOf(ref) })
      return meant
    }
    switch (write.do) {
      case 'create': {
        const { kind, metadata } = await this.#writes.create(write.draft)
        made.set(`${kind} ${keyOf(metadata)}`, metadata.uid)
        return
      }
      case 'update':
        return void (await this.#writes.update(write.item))
      case 'patchStatus':
        return void (await this.#writes.patchStatus({ ...write, uid: uidOf(write.ref, write.uid) }, write.sections))
      case 'patchPodStatus':
        return this.#writes.patchPodStatus({ ...write, uid: uidOf(write.pod, write.uid) })
      case 'patchServiceStatus':
        return this.#writes.patchServiceStatus(write)
      case 'addFinalizer':
        return this.#writes.addFinalizer({ ...write, uid: uidOf(write.ref, write.uid) })
      case 'removeFinalizer':
        return this.#writes.removeFinalizer({ ...write, uid: uidOf(write.ref, write.uid) })
      case 'delete':
        return this.#writes.deleteIfMeant(write.ref, write.preconditions ?? {})
    }
  }

  /** What a watch of ours gave out last: may be old, costs nothing. */
  #seen<K extends Kind>(ref: Ref<K>): Resource<K> | undefined {
    const key = keyOf(ref)
    for (const reflector of this.#reflectors.get(ref.kind) ?? []) {
      const item = reflector.known(key)
      if (item !== undefined) return item as unknown as Resource<K>
    }
    return undefined
  }
}
