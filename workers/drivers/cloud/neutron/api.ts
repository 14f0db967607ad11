// Neutron's networking API, version 2.0: what is there, and the four verbs, each answer in the words of the contract of clouds.
// https://docs.openstack.org/api-ref/network/v2/
import { CloudOvertaken, CloudRefused } from '../../../../core/errors.ts'
import { pause, type Clock } from '../../../../platform/clock.ts'
import type { OpenStackAnswer, OpenStackClient, OpenStackRequest } from '../../openstack/client.ts'
import { wordsOf } from '../../openstack/words.ts'

export interface Caller {
  readonly tenant: string
  readonly signal: AbortSignal
}
/** Behind `/v2.0/`; the last word is what answers have them under. */
export type Plural = 'networks' | 'subnets' | 'ports' | 'security-groups' | 'security-group-rules' | 'qos/policies'
type Query = readonly (readonly [field: string, value: string])[]

export interface NeutronThing {
  readonly id: string
  readonly name: string
  readonly description?: string | null
  /** Counted by Neutron at whatever changes, whoever changes it. */
  readonly revision_number: number
  readonly created_at?: string
}

const wrapper: Readonly<Record<Plural, string>> = {
  networks: 'network',
  subnets: 'subnet',
  ports: 'port',
  'security-groups': 'security_group',
  'security-group-rules': 'security_group_rule',
  'qos/policies': 'policy',
}

const keyOf = (plural: Plural): string => plural.slice(plural.indexOf('/') + 1).replaceAll('-', '_')

interface Change {
  readonly id: string
  readonly revision: string
  readonly change: object
}

export interface NeutronApiOptions {
  /** Name of the Cloud. */
  readonly cloud: string
  /** Its UID: whose what is made and adopted is. */
  readonly installation: string
  readonly client: OpenStackClient
  readonly clock: Clock
}

const deleteAgainMs = 500

export class NeutronApi {
  readonly installation: string
  readonly #cloud: string
  readonly #client: OpenStackClient
  readonly #clock: Clock

  constructor({ cloud, installation, client, clock }: NeutronApiOptions) {
    this.#clock = clock
    this.installation = installation
    this.#cloud = cloud
    this.#client = client
  }

  async list<T>(plural: Plural, query: Query, caller: Caller): Promise<readonly T[]> {
    const text = query.map(([field, value]) => `${encodeURIComponent(field)}=${encodeURIComponent(value)}`).join('&')
    const path = `/v2.0/${plural}${text === '' ? '' : `?${text}`}`
    const answer = await this.#client.send({ method: 'GET', path, ...caller })
    this.check(answer, `a list of ${plural}`)
    return (answer.body as Readonly<Record<string, readonly T[]>>)[keyOf(plural)] ?? []
  }

  /** Any answer but those that mean later. */
  ask(request: Pick<OpenStackRequest, 'method' | 'path' | 'body' | 'refusals'>, caller: Caller): Promise<OpenStackAnswer> {
    return this.#client.send({ ...request, ...caller })
  }

  /** What stands under one name of the answer. */
  async show<T>(path: string, name: string, caller: Caller): Promise<T> {
    const answer = await this.#client.send({ method: 'GET', path, ...caller })
    this.check(answer, path)
    return (answer.body as Readonly<Record<string, T>>)[name] as T
  }

  /** @returns what refuses it, in place of throwing that: whoever asked for several at once asks for fewer */
  async create(plural: Plural, bodies: readonly object[], caller: Caller): Promise<Error | undefined> {
    const body = { [keyOf(plural)]: bodies }
    const answer = await this.#client.send({ method: 'POST', path: `/v2.0/${plural}`, body, ...caller })
    return answer.status < 400 ? undefined : this.#refusal(answer, bodies.length === 1 ? `a ${wrapper[plural]}` : plural)
  }

  /** Done where it is so already. @throws CloudOvertaken where it is another revision, or gone */
  async update(plural: Plural, { id, revision, change }: Change, caller: Caller): Promise<void> {
    const body = { [wrapper[plural]]: change }
    const answer = await this.#client.send({ method: 'PUT', path: `/v2.0/${plural}/${id}`, body, revision, ...caller })
    if (answer.status === 404) throw this.overtaken(plural, id)
    if (answer.status !== 412) return this.check(answer, `a change of ${wrapper[plural]} ${id}`)
    const [there] = await this.list(plural, [['id', id]], caller)
    if (!holds(there, change)) throw this.overtaken(plural, id)
  }

  /** Done where it is gone. @throws CloudOvertaken where it is another revision than the one that is named */
  async delete(plural: Plural, { id, revision }: { readonly id: string; readonly revision?: string }, caller: Caller): Promise<void> {
    const send = (): Promise<OpenStackAnswer> =>
      this.#client.send({ method: 'DELETE', path: `/v2.0/${plural}/${id}`, ...(revision !== undefined && { revision }), ...caller })
    let answer = await send()
    if (answer.status === 409) {
      // Of two who delete one subnet at once Neutron 21 tells one that it is in use.
      await pause(deleteAgainMs, this.#clock, caller.signal)
      answer = await send()
    }
    if (answer.status === 404) return
    if (answer.status === 412) throw this.overtaken(plural, id)
    this.check(answer, `the end of ${wrapper[plural]} ${id}`)
  }

  overtaken(plural: Plural, id: string): Error {
    return new CloudOvertaken({ cloud: this.#cloud, what: `${wrapper[plural]} ${id}` })
  }

  refused(what: string, reason: string): Error {
    return new CloudRefused({ cloud: this.#cloud, what, reason })
  }

  /** @throws CloudRefused with Neutron's words */
  check(answer: OpenStackAnswer, what: string): void {
    if (answer.status >= 400) throw this.#refusal(answer, what)
  }

  #refusal({ status, body }: OpenStackAnswer, what: string): Error {
    return this.refused(what, `${status} ${wordsOf(body)}`)
  }
}

/** Whether all that is wanted is so; Neutron adds fields of its own, and keeps lists in no order. */
function holds(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    const among: readonly unknown[] = Array.isArray(there) ? there : []
    return among.length === wanted.length && wanted.every((each) => among.some((one) => holds(one, each)))
  }
  if (typeof wanted !== 'object' || wanted === null) return there === wanted
  const fields = (typeof there === 'object' ? there : null) as Readonly<Record<string, unknown>> | null
  return fields !== null && Object.entries(wanted).every(([field, value]) => holds(fields[field], value))
}

/** The same order for all who look: the oldest first. */
export const inOrder = <T extends NeutronThing>(things: readonly T[]): readonly T[] =>
  [...things].sort((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? '') || a.id.localeCompare(b.id))
