// What a Cloud tells of its ports, as it would tell Nova: each event has the Port looked at, at the Cloud itself. Nothing else of an event
// is believed, so a sender that lies has us look in vain.
import type { CloudDriver } from '../../core/contracts/cloud.ts'
import { CloudUnreachable, messageOf } from '../../core/errors.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { eventRolesOf } from '../../core/kinds/vpc/cloud.ts'
import {
  answerOf,
  faultOf,
  portEvents,
  readEvents,
  unauthorized,
  type EventCode,
  type ExternalEvent,
  type NovaAnswer,
} from '../../core/wire/nova/external-events.ts'
import { Limits } from '../../platform/http/limits.ts'
import type { Env } from '../controller-env.ts'
import type { EventResult } from '../metrics.ts'
import { Senders } from './senders.ts'

export interface EventRequest {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly token: string | undefined
  /** Address of the sender. */
  readonly from: string
  /** Undefined: larger than anybody reads. */
  readonly body: string | undefined
}
export interface EventAnswer extends NovaAnswer {
  readonly headers?: Readonly<Record<string, string>>
}
export type CloudEventsDeps = Pick<Env, 'caches' | 'clouds' | 'add' | 'meter' | 'clock' | 'log'>

/** Events a second of one Cloud; at once twice as many. Neutron gathers those of two seconds. */
const eventsPerSecond = 500
/** Neutron tells that a port is active before its own transaction has ended: who looks at once may be too early. */
const onceMoreMs = 1_000

/** `/v2.1` and what follows is what Nova has; a project before the end, as old catalogues have it, says nothing here. */
const ours = /^\/clouds\/([^/]+)\/v2(?:\.1)?(?:\/[\w-]+)?\/os-server-external-events$/

const codes: Readonly<Record<EventCode, EventResult>> = { 200: 'looked', 400: 'unusable', 404: 'unknown', 422: 'unusable' }

export class CloudEvents {
  readonly #deps: CloudEventsDeps
  readonly #senders: Senders
  readonly #limits: Limits
  readonly #count: ReturnType<Env['meter']['cloudEvents']>

  constructor(deps: CloudEventsDeps) {
    this.#deps = deps
    this.#senders = new Senders(deps.clock)
    this.#limits = new Limits(eventsPerSecond, deps.clock)
    this.#count = deps.meter.cloudEvents()
  }

  async answer(request: EventRequest): Promise<EventAnswer> {
    const name = ours.exec(request.path)?.[1]
    if (name === undefined) return faultOf(404, 'there is /clouds/{cloud}/v2.1/os-server-external-events')
    // Whether there is such a Cloud is nobody's business who may not tell of it.
    const cloud = this.#deps.caches.Cloud.get(name)
    const roles = cloud && eventRolesOf(cloud)
    if (cloud === undefined || roles === undefined) return faultOf(404, 'no Cloud of that name hears events: its field spec.events says so')
    if (request.method !== 'POST') return { ...faultOf(405, 'events are sent by POST'), headers: { allow: 'POST' } }
    return (await this.#refusal(cloud, roles, request)) ?? this.#taken(name, request.body)
  }

  /** Undefined: the sender is heard. */
  async #refusal(cloud: Resource<'Cloud'>, roles: readonly string[], { token, from }: EventRequest): Promise<EventAnswer | undefined> {
    const { name, uid } = cloud.metadata
    const session = this.#deps.clouds.usable(cloud)
    const ask = 'driver' in session ? session.driver.bearer : undefined
    if (ask === undefined) return this.#refused(name, 'unchecked', faultOf(503, 'nobody can be asked whose a token is'))
    const nobody: EventAnswer = { ...unauthorized, headers: { 'www-authenticate': `Keystone uri="${cloud.spec.endpoint}"` } }
    if (token === undefined) return this.#refused(name, 'unauthorized', nobody)
    const sender = await this.#senderOf({ cloud: uid, token, from }, ask, name)
    if ('status' in sender) return sender
    if ('refused' in sender) return this.#refused(name, 'limited', later)
    if (sender.bearer === undefined) return this.#refused(name, 'unauthorized', nobody)
    if (sender.bearer.roles.some((role) => roles.includes(role))) return undefined
    return this.#refused(name, 'forbidden', faultOf(403, `events are told by who has a role of ${roles.join(', ')}`))
  }

  async #senderOf(
    sent: Parameters<Senders['of']>[0],
    ask: NonNullable<CloudDriver['bearer']>,
    name: string,
  ): Promise<Awaited<ReturnType<Senders['of']>> | EventAnswer> {
    try {
      return await this.#senders.of(sent, ask)
    } catch (err) {
      if (!(err instanceof CloudUnreachable)) this.#deps.log.warn({ cloud: name, err }, 'whose a token is could not be asked')
      return this.#refused(name, 'unchecked', faultOf(503, messageOf(err)))
    }
  }

  #refused(cloud: string, result: EventResult, answer: EventAnswer): EventAnswer {
    this.#count(cloud, result)
    return answer
  }

  #taken(cloud: string, body: string | undefined): EventAnswer {
    if (body === undefined) return this.#refused(cloud, 'invalid', faultOf(413, 'send fewer events at once'))
    const events = readEvents(parsed(body))
    if ('wrong' in events) return this.#refused(cloud, 'invalid', faultOf(400, events.wrong))
    if (!this.#limits.take(cloud, events.length)) return this.#refused(cloud, 'limited', later)
    const outcomes = events.map((event) => this.#code(cloud, event))
    for (const code of outcomes) this.#count(cloud, codes[code])
    return answerOf(events, outcomes)
  }

  #code(cloud: string, { name, tag }: ExternalEvent): EventCode {
    if (!portEvents.includes(name)) return 422
    if (tag === undefined) return 400
    const ports = [...this.#deps.caches.Port.by('providerID', `${cloud}/${tag}`)]
    for (const port of ports) this.#wake(keyOfItem(port), name)
    return ports.length === 0 ? 404 : 200
  }

  #wake(key: string, event: string): void {
    const { add, clock, caches } = this.#deps
    add('Port', key)
    if (event === 'network-vif-plugged')
      clock.after(onceMoreMs, () => {
        if (caches.Port.get(key)?.status?.phase !== 'ready') add('Port', key)
      })
  }
}

const later: EventAnswer = { ...faultOf(429, 'too much at once'), headers: { 'retry-after': '1' } }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
