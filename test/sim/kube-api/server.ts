// An API server in memory: as much of it as our stores, webhooks and users touch, with its real semantics. What it lacks: validation by
// schema and CEL (defaults it has), RBAC other than as handed in, server-side apply, PUT, and every kind but ours and a few of Kubernetes.
import type { Uids } from '../../../platform/chance.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { KubeResponse, KubeRequest } from '../../../platform/kube/client.ts'
import { Etcd } from './etcd.ts'
import { listed } from './lists.ts'
import { jsonPatched, mergePatched, PatchFailed, strategicPatched } from './patches.ts'
import { keyOf, wired, type Raw, type RawMeta } from './raw.ts'
import {
  alreadyExists,
  badRequest,
  conflict,
  denied,
  forbidden,
  notFound,
  notMeant,
  Refusal,
  terminating,
  unknownPath,
  unprocessable,
} from './refusals.ts'
import { testOf } from './select.ts'
import { born, changed, going, isOver } from './strategy.ts'
import { placeOf, tableFor, type ResourcePath, type Table } from './tables.ts'
import { Feed } from './watches.ts'

/** What admission webhooks are asked. */
export interface Review {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly table: Table
  readonly subresource: string | undefined
  readonly who: string
  readonly dryRun: boolean
  /** Absent for a DELETE. */
  readonly object: Raw | undefined
  readonly oldObject: Raw | undefined
}
export interface ServerOptions {
  readonly clock: Clock
  readonly uids: Uids
  /** The object as webhooks leave it; a Refusal thrown is their no. Between looking and writing others may write. */
  readonly admit?: (review: Review) => Promise<Raw | undefined>
  /** Everything is allowed unless given. */
  readonly may?: (who: string, ask: KubeRequest, place: ResourcePath) => boolean
}
type ObjectRequest = ResourcePath & { readonly name: string; readonly ask: KubeRequest; readonly who: string; readonly dryRun: boolean }

interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly gracePeriodSeconds?: number
}

/** A write that a rival was faster than is tried again, as long as the caller named no version. */
const tries = 6
const formats: Readonly<Record<string, (target: Raw, patch: unknown) => unknown>> = {
  'application/json-patch+json': jsonPatched,
  'application/merge-patch+json': mergePatched,
  'application/strategic-merge-patch+json': strategicPatched,
}

export class SimulatedApi {
  readonly etcd = new Etcd()
  readonly #options: ServerOptions

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** Any answer, refusals too. A watch is asked of `watch`. */
  async serve(ask: KubeRequest, who: string): Promise<KubeResponse> {
    try {
      return { status: ask.verb === 'create' ? 201 : 200, body: await this.#served(ask, who), retryAfterMs: undefined }
    } catch (err) {
      if (err instanceof Refusal) return err.answer
      throw err
    }
  }

  watch(ask: KubeRequest, who: string): Feed | KubeResponse {
    try {
      const place = this.#placeFor(ask, who)
      return new Feed(this.etcd, this.#options.clock, {
        table: place.table,
        test: testOf(ask.query ?? {}, place.table, place.namespace),
        query: ask.query ?? {},
      })
    } catch (err) {
      if (err instanceof Refusal) return err.answer
      throw err
    }
  }

  #placeFor(ask: KubeRequest, who: string): ResourcePath {
    const place = placeOf(ask.path)
    if (place === undefined) throw unknownPath()
    if (this.#options.may?.(who, ask, place) === false) throw denied(who, ask.verb, place.table)
    return place
  }

  async #served(ask: KubeRequest, who: string): Promise<object> {
    const place = this.#placeFor(ask, who)
    const { table, namespace, name } = place
    if (ask.verb === 'list') return listed(this.etcd, table, testOf(ask.query ?? {}, table, namespace), ask.query ?? {})
    const dryRun = ask.query?.['dryRun'] === 'All'
    if (ask.verb === 'create') return this.#create({ ...place, name: '', ask, who, dryRun })
    if (name === undefined) throw unknownPath()
    const asked: ObjectRequest = { ...place, name, ask, who, dryRun }
    if (ask.verb === 'get') return this.#mustHave(asked)
    return ask.verb === 'patch' ? this.#patch(asked) : this.#delete(asked)
  }

  #mustHave({ table, namespace, name }: ObjectRequest): Raw {
    const item = this.etcd.get(table.kind, keyOf(of(namespace, name)))
    if (item === undefined) throw notFound(table, name)
    return item
  }

  async #create(asked: ObjectRequest): Promise<Raw> {
    const { table, namespace, ask, dryRun } = asked
    const { uids } = this.#options
    if (table.namespaced && namespace === undefined) throw unknownPath()
    const body = wired(ask.body) as Readonly<Record<string, unknown>>
    const name = nameIn(body, namespace, uids)
    this.#roomFor(table, name, namespace)
    const made = await this.#admitted(asked, {
      operation: 'CREATE',
      object: born(table, body, name, { namespace, uid: uids(), now: this.#now() }),
      oldObject: undefined,
    })
    this.#roomFor(table, name, namespace)
    if (this.etcd.get(table.kind, keyOf(of(namespace, name))) !== undefined) throw alreadyExists(table, name)
    return dryRun ? made! : this.etcd.write(table.kind, { before: undefined, after: made!, by: asked.who })
  }

  /** @throws Refusal where its namespace is not there, or on its way out */
  #roomFor(table: Table, name: string, namespace: string | undefined): void {
    if (namespace === undefined) return
    const there = this.etcd.get('Namespace', keyOf({ name: namespace }))
    if (there === undefined) throw notFound(tableFor('Namespace'), namespace)
    if (there.metadata.deletionTimestamp !== undefined) throw terminating(table, name, namespace)
  }

  async #patch(asked: ObjectRequest): Promise<Raw> {
    const { table, subresource, name, ask, dryRun } = asked
    const format = formatOf(ask, table)
    for (let tried = 1; tried <= tries; tried++) {
      const before = this.#mustHave(asked)
      const after = changed(table, before, patchedBy(format, before, ask.body), subresource)
      const admitted = await this.#admitted(asked, { operation: 'UPDATE', object: after, oldObject: before })
      if (this.etcd.get(table.kind, keyOf(before.metadata)) !== before) continue
      const settled = admitted === after ? after : changed(table, before, admitted!, subresource)
      if (settled === before || dryRun) return settled
      const written = this.etcd.write(table.kind, { before, after: isOver(settled) ? undefined : settled, by: asked.who })
      // What goes with this write is answered as the write has left it, at the version before.
      return isOver(settled) ? settled : written
    }
    throw conflict(table, name)
  }

  async #delete(asked: ObjectRequest): Promise<object> {
    const { table, name, ask, dryRun } = asked
    const { preconditions = {}, gracePeriodSeconds } = (wired(ask.body) ?? {}) as DeleteOptions
    for (let tried = 1; tried <= tries; tried++) {
      const before = this.#mustHave(asked)
      hold(table, before, preconditions)
      await this.#admitted(asked, { operation: 'DELETE', object: undefined, oldObject: before })
      if (this.etcd.get(table.kind, keyOf(before.metadata)) !== before) continue
      const after = going(before, { now: this.#now(), graceSeconds: gracePeriodSeconds })
      const over = isOver(after)
      const { metadata } =
        dryRun || after === before ? after : this.etcd.write(table.kind, { before, after: over ? undefined : after, by: asked.who })
      return over && table.kind !== 'Pod'
        ? success(table, before)
        : { ...after, metadata: { ...after.metadata, resourceVersion: metadata.resourceVersion } }
    }
    throw conflict(table, name)
  }

  /** A namespace that has nothing left in it goes (its controller calls this, by /finalize). */
  finalizeNamespace(name: string): void {
    const before = this.etcd.get('Namespace', keyOf({ name }))
    if (before?.metadata.deletionTimestamp === undefined) throw forbidden(tableFor('Namespace'), name, 'it is not being deleted')
    const after = { ...before, spec: { ...(before['spec'] as object), finalizers: [] } }
    this.etcd.write('Namespace', { before, after: isOver(after) ? undefined : after })
  }

  async #admitted(
    { table, subresource, who, dryRun }: ObjectRequest,
    review: Pick<Review, 'operation' | 'object' | 'oldObject'>,
  ): Promise<Raw | undefined> {
    return this.#options.admit === undefined
      ? review.object
      : ((await this.#options.admit({ ...review, table, subresource, who, dryRun })) ?? review.object)
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  }
}

/** @throws Refusal */
function hold(table: Table, { metadata }: Raw, preconditions: DeleteOptions['preconditions'] & object): void {
  for (const [field, word] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = preconditions[field]
    if (wanted !== undefined && wanted !== metadata[field])
      throw notMeant(
        table,
        metadata.name,
        `Precondition failed: ${word} in precondition: ${wanted}, ${word} in object meta: ${metadata[field]}`,
      )
  }
}

const success = ({ group, plural }: Table, { metadata: { name, uid } }: Raw): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { name, ...(group !== '' && { group }), kind: plural, uid },
})

/** @throws Refusal */
function nameIn(body: Readonly<Record<string, unknown>>, namespace: string | undefined, uids: Uids): string {
  const given = (body['metadata'] ?? {}) as Partial<RawMeta>
  if (namespace !== undefined && (given.namespace ?? namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  const name = given.name ?? (given.generateName === undefined ? '' : `${given.generateName}${uids().slice(0, 5)}`)
  if (name === '') throw badRequest('name or generateName is required')
  return name
}

/** @throws Refusal */
function formatOf({ contentType = '' }: KubeRequest, table: Table): (target: Raw, patch: unknown) => unknown {
  const format = formats[contentType]
  if (format === undefined || (table.group !== '' && format === strategicPatched))
    throw new Refusal(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${Object.keys(formats).join(', ')}`,
      {},
    )
  return format
}

const of = (namespace: string | undefined, name: string): { readonly namespace?: string; readonly name: string } =>
  namespace === undefined ? { name } : { namespace, name }

function patchedBy(format: (target: Raw, patch: unknown) => unknown, before: Raw, body: unknown): Raw {
  try {
    return format(before, wired(body)) as Raw
  } catch (err) {
    throw err instanceof PatchFailed ? unprocessable() : err
  }
}
