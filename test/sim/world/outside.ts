// The outside of Megrez: an API server that runs admission and keeps its rules, and whoever asks it. Where the store is SQLite there
// is no API server: everybody uses REST.
import type { FastifyInstance } from 'fastify'
import type { Draft, Write } from '../../../core/contracts/store.ts'
import { withDefaults } from '../../../core/admit/object/schema.ts'
import {
  apiVersionOf,
  isOwnKind,
  keyOf,
  pluralOf,
  refOf,
  type Foreign,
  type Kind,
  type OwnKind,
  type Ref,
  type Resource,
} from '../../../core/kinds/index.ts'
import { applyPatch, type Operation } from '../../../core/wire/json-patch.ts'
import { Process } from '../process.ts'
import { answering } from '../roles/webhooks.ts'
import type { Site } from '../site.ts'

/** What somebody was answered. */
export type Answer = { readonly ok: true; readonly item?: Resource } | { readonly ok: false; readonly why: string }
/** What a tenant was answered, in the very words. */
export interface OutsideAnswer {
  readonly tenant: string
  /** The request, with all that the tenant has said. */
  readonly asked: string
  readonly said: string
}

/** An update keeps the finalizers that are stored: those that admission has added come beside it. */
function addedFinalizers(item: Resource, there: Resource): readonly Write[] {
  const added = item.metadata.finalizers?.filter((each) => there.metadata.finalizers?.includes(each) !== true) ?? []
  return added.map((finalizer) => ({ do: 'addFinalizer', ref: refOf(there), uid: there.metadata.uid, finalizer }))
}

const unpatched: ReviewAnswer = { ok: true, patch: [] } as const
const refused = (why: string): Answer => ({ ok: false, why })

/** A pod is kept until its kubelet has taken its sandbox down. */
export const kubeletFinalizer = 'simulation/kubelet'

type ReviewAnswer = { readonly ok: true; readonly patch: readonly Operation[] } | { readonly ok: false; readonly why: string }

export class Outside {
  readonly site: Site
  readonly process: Process
  /** What became of each request, in the order in which they were made. */
  readonly answers: ('none' | 'done' | 'refused')[] = []
  readonly #listeners: ((told: OutsideAnswer) => void)[] = []
  /** What was done although nobody may. */
  readonly trespasses: string[] = []
  /** UIDs of pods that nobody meant to store. */
  readonly tried = new Set<string>()

  constructor(site: Site) {
    this.site = site
    this.process = new Process('outside', { scheduler: site.scheduler, dice: site.dice.fork('outside') })
  }

  /** Lets somebody do something whose end nobody waits for. */
  spawn(what: string, doing: () => Promise<unknown>): void {
    const { scheduler } = this.site
    const at = this.answers.push('none') - 1
    doing().then(
      (answer) => {
        const why = (answer as Answer | undefined)?.ok === false ? (answer as { readonly why: string }).why : undefined
        this.answers[at] = why === undefined ? 'done' : 'refused'
        scheduler.say('outside', `${what}: ${why ?? 'done'}`)
      },
      (err: unknown) => this.site.crash('outside', what, err),
    )
  }

  /** What nobody may do: that it was done is a fault. */
  forbidden(what: string, doing: () => Promise<Answer>): void {
    this.spawn(what, async () => {
      const answer = await doing()
      if (answer.ok) this.trespasses.push(what)
      return answer
    })
  }

  onAnswer(listener: (told: OutsideAnswer) => void): void {
    this.#listeners.push(listener)
  }

  /** Only what tenants are told counts: their names say their namespace. */
  #tell(by: string, asked: string, said: string): void {
    const [, tenant] = /^(?:operator|provider):(.+)$/.exec(by) ?? []
    if (tenant !== undefined) for (const listener of this.#listeners) listener({ tenant, asked, said })
  }

  /** As a tenant makes an object: through REST, or kubectl where there is an API server. */
  async create<K extends Kind>(draft: Draft<K>, by: string, { rest = false }: { readonly rest?: boolean } = {}): Promise<Answer> {
    const { namespace, name } = draft.metadata
    if (rest || this.site.mode === 'sqlite') {
      const path = namespace === undefined ? `/v1/${pluralOf(draft.kind)}` : `/v1/namespaces/${namespace}/${pluralOf(draft.kind)}`
      return this.#rest('POST', path, by, {
        apiVersion: apiVersionOf(draft.kind),
        kind: draft.kind,
        metadata: { ...draft.metadata, name },
        spec: draft.spec,
      })
    }
    return draft.kind === 'Pod' ? this.createPod(draft as Draft<'Pod'>, by) : this.#kubectl(draft, by)
  }

  /** What changes is given to the object as it is when the request comes. @param judged a pod's change is too: else it comes past that */
  async edit<K extends Kind>(
    ref: Ref<K>,
    by: string,
    change: (item: Resource<K>) => Resource<K> | undefined,
    { rest = false, judged = false }: { readonly rest?: boolean; readonly judged?: boolean } = {},
  ): Promise<Answer> {
    await this.process.pass(this.process.way(), `${by} reads ${ref.kind} ${keyOf(ref)}`)
    const there = this.site.truth.get(ref)
    const item = there && change(structuredClone(there))
    if (there === undefined || item === undefined) return refused('nothing to change')
    if (rest || this.site.mode === 'sqlite') return this.#rest('PUT', pathOf(ref), by, item)
    const review = await this.#admitEdit(ref, { operation: 'UPDATE', object: item, oldObject: there, namespace: ref.namespace }, judged)
    if (!review.ok) return review
    // An update keeps the finalizers that are stored: those that admission has added come beside it.
    const guards = addedFinalizers(applyPatch(item, review.patch), there)
    return this.#commit(() => this.site.truth.commit([{ do: 'update', item: item as unknown as Resource }, ...guards], by))
  }

  #admitEdit({ kind }: Ref, request: Readonly<Record<string, unknown>>, judged: boolean): Promise<ReviewAnswer> {
    if (isOwnKind(kind)) return this.#admit(kind, 'objects', request)
    return judged ? this.#review('/validate-pods', { kind, ...request }) : Promise.resolve(unpatched)
  }

  read(ref: Ref, by: string): Promise<Answer> {
    return this.#rest('GET', pathOf(ref), by)
  }

  async remove(ref: Ref, by: string, { rest = false }: { readonly rest?: boolean } = {}): Promise<Answer> {
    if (rest || (this.site.mode === 'sqlite' && ref.kind !== 'Pod')) return this.#rest('DELETE', pathOf(ref), by)
    await this.process.pass(this.process.way(), `${by} deletes ${ref.kind} ${keyOf(ref)}`)
    return this.#commit(() => this.site.truth.commit([{ do: 'delete', ref }], by))
  }

  /**
   * As an API server takes a pod: mutating, then validating admission, each maybe twice; then it stores it, or does not.
   *
   * @param fate what becomes of the pod after admission has let it through
   */
  async createPod(
    draft: Draft<'Pod'>,
    by: string,
    { fate = 'stored', twice = false }: { readonly fate?: 'stored' | 'refused' | 'dry-run'; readonly twice?: boolean } = {},
  ): Promise<Answer> {
    const { namespace = '', name } = draft.metadata
    let pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...draft.metadata, uid: this.site.uid() }, spec: draft.spec }
    if (fate === 'dry-run') this.tried.add(pod.metadata.uid)
    const admitted = await this.#admitPod(pod, { kind: 'Pod', operation: 'CREATE', namespace, dryRun: fate === 'dry-run' }, twice ? 2 : 1)
    if ('why' in admitted) return admitted
    pod = admitted
    if (fate !== 'stored') return refused(`${fate} after admission: ${name}`)
    const metadata = { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), kubeletFinalizer] }
    return this.#commit(() =>
      this.site.truth.commit([{ do: 'create', draft: { kind: 'Pod', metadata, spec: pod.spec } as unknown as Draft }], by),
    )
  }

  async #admitPod<P extends object>(
    given: P,
    asked: Readonly<Record<string, unknown>>,
    rounds: number,
  ): Promise<P | { readonly ok: false; readonly why: string }> {
    let pod = given
    for (let round = 0; round < rounds; round++) {
      const mutated = await this.#review('/mutate-pods', { ...asked, object: pod })
      if (!mutated.ok) return mutated
      pod = applyPatch(pod, mutated.patch)
    }
    for (let round = 0; round < rounds; round++) {
      const judged = await this.#review('/validate-pods', { ...asked, object: pod })
      if (!judged.ok) return judged
    }
    return pod
  }

  /** What Kubernetes' own components write: no admission of ours is asked. */
  write(by: string, doing: () => void): void {
    try {
      doing()
    } catch (err) {
      this.site.scheduler.say(by, String(err))
    }
  }

  status<K extends keyof Foreign>(
    kind: K,
    key: string,
    status: (was: Foreign[K]['status'] | undefined) => Foreign[K]['status'],
    by: string,
  ): void {
    const { truth } = this.site
    const before = truth.at(kind, key)
    if (before !== undefined) truth.change(() => [{ key, before, after: { ...before, status: status(before.status) } }], by)
  }

  #commit(doing: () => void): Answer {
    try {
      doing()
      return { ok: true }
    } catch (err) {
      return refused(String(err))
    }
  }

  async #kubectl(draft: Draft, by: string): Promise<Answer> {
    if (!isOwnKind(draft.kind)) return this.#commit(() => this.site.truth.commit([{ do: 'create', draft }], by))
    // The defaults of the schema are there before anybody is asked.
    const object = withDefaults(draft.kind, {
      apiVersion: apiVersionOf(draft.kind),
      kind: draft.kind,
      metadata: { ...draft.metadata },
      spec: draft.spec,
    })
    const review = await this.#admit(draft.kind, 'objects', { operation: 'CREATE', object, namespace: draft.metadata.namespace })
    if (!review.ok) return review
    const made = applyPatch(object, review.patch)
    return this.#commit(() => this.site.truth.commit([{ do: 'create', draft: { ...draft, metadata: made.metadata, spec: made.spec } }], by))
  }

  async #admit(kind: OwnKind, group: 'objects', request: Readonly<Record<string, unknown>>): Promise<ReviewAnswer> {
    const mutated = await this.#review(`/mutate-${group}`, { kind, ...request })
    if (!mutated.ok) return mutated
    const object = applyPatch(request['object'] as object, mutated.patch)
    const judged = await this.#review(`/validate-${group}`, { kind, ...request, object })
    return judged.ok ? mutated : judged
  }

  async #review(path: string, { kind, ...request }: Readonly<Record<string, unknown>>): Promise<ReviewAnswer> {
    const webhooks = this.#webhooks()
    await this.process.pass(this.process.way(), `review ${path}`)
    if (webhooks === undefined || !webhooks.process.alive) return { ok: false, why: 'no webhook answers' }
    const review = {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: { uid: this.site.uid(), dryRun: false, kind: { kind, group: '', version: '' }, ...request },
    }
    const answer = await this.#ask(webhooks.process, webhooks.admission, {
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(review),
    })
    if (answer === undefined) return { ok: false, why: 'the webhook was cut off' }
    const { response } = JSON.parse(answer.body) as {
      readonly response: { readonly allowed: boolean; readonly patch?: string; readonly status?: { readonly message: string } }
    }
    const patch = response.patch === undefined ? '[]' : Buffer.from(response.patch, 'base64').toString()
    this.#tell(`operator:${String(request['namespace'])}`, JSON.stringify(review), `${response.status?.message ?? ''} ${patch}`)
    return response.allowed
      ? { ok: true, patch: JSON.parse(patch) as Operation[] }
      : { ok: false, why: response.status?.message ?? 'refused' }
  }

  async #rest(method: string, url: string, by: string, body?: unknown): Promise<Answer> {
    const webhooks = this.#webhooks()
    await this.process.pass(this.process.way(), `${by} ${method} ${url}`)
    if (webhooks === undefined || !webhooks.process.alive) return refused('no REST answers')
    const headers = {
      authorization: `Bearer ${by}`,
      ...(method !== 'POST' && method !== 'GET' && { 'if-match': '*' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const answer = await this.#ask(webhooks.process, webhooks.rest(), {
      method,
      url,
      headers,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    if (answer === undefined) return refused('REST was cut off')
    this.#tell(by, `${url} ${JSON.stringify(body) ?? ''}`, answer.body)
    return answer.statusCode < 300 ? { ok: true } : refused(`${answer.statusCode} ${answer.body.slice(0, 300)}`)
  }

  /** Undefined where the process dies meanwhile. */
  async #ask(
    process: Process,
    app: FastifyInstance,
    request: object,
  ): Promise<{ readonly statusCode: number; readonly body: string } | undefined> {
    const { scheduler } = this.site
    scheduler.busy++
    const ended = new Promise<undefined>((resolve) => process.onEnd(() => resolve(undefined)))
    try {
      return await Promise.race([app.inject(request) as Promise<{ statusCode: number; body: string }>, ended])
    } finally {
      scheduler.busy--
    }
  }

  #webhooks() {
    const all = [...(answering.get(this.site)?.values() ?? [])]
    return all.length === 0 ? undefined : this.process.dice.pick(all)
  }
}

const pathOf = ({ kind, namespace, name }: Ref): string =>
  namespace === undefined ? `/v1/${pluralOf(kind)}/${name}` : `/v1/namespaces/${namespace}/${pluralOf(kind)}/${name}`
