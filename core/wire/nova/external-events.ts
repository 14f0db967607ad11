// Nova's os-server-external-events: how Neutron tells of ports. Read as Nova reads it, and answered in its words.
// https://docs.openstack.org/api-ref/compute/ (run events), Nova's schemas/server_external_events.py
import { isObject } from '../../json.ts'

export interface ExternalEvent {
  readonly name: string
  readonly server_uuid: string
  readonly status?: string
  /** Of an event of a port: its ID. */
  readonly tag?: string
}
/** Why it is no such request, and where. */
export interface WrongEvents {
  readonly wrong: string
}

/** Those that are about a port. */
export const portEvents: readonly string[] = ['network-changed', 'network-vif-plugged', 'network-vif-unplugged', 'network-vif-deleted']
/** Those of volumes, devices and power. */
const otherEvents: readonly string[] = ['volume-extended', 'volume-reimaged', 'power-update', 'accelerator-request-bound']
/** Nova leaves it to the size of the body. */
export const eventsMost = 1_000
const tagMost = 255
const uuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

interface Field {
  /** For those who see something else. */
  readonly takes: string
  readonly isSo: (value: unknown) => boolean
}
const oneOf = (...words: readonly string[]): Field => ({
  takes: `one of ${words.join(', ')}`,
  isSo: (value) => typeof value === 'string' && words.includes(value),
})
const optional = ({ takes, isSo }: Field): Field => ({ takes, isSo: (value) => value === undefined || isSo(value) })

/** What Nova's schema takes. */
const fields: Readonly<Record<string, Field>> = {
  name: oneOf(...portEvents, ...otherEvents),
  server_uuid: { takes: 'a UUID', isSo: (value) => typeof value === 'string' && uuid.test(value) },
  status: optional(oneOf('failed', 'completed', 'in-progress')),
  tag: optional({
    takes: `a text of at most ${tagMost} characters`,
    isSo: (value) => typeof value === 'string' && value.length <= tagMost,
  }),
}

export function readEvents(body: unknown): readonly ExternalEvent[] | WrongEvents {
  const events = isObject(body) ? body['events'] : undefined
  if (!Array.isArray(events) || Object.keys(body as object).length > 1) return { wrong: '/: takes {"events": […]} and nothing else' }
  if (events.length === 0 || events.length > eventsMost) return { wrong: `/events: takes 1 to ${eventsMost} events` }
  for (const [i, event] of events.entries()) {
    const wrong = whyWrong(event, `/events/${i}`)
    if (wrong !== undefined) return { wrong }
  }
  return events as readonly ExternalEvent[]
}

function whyWrong(event: unknown, at: string): string | undefined {
  if (!isObject(event)) return `${at}: takes an object`
  const unknown = Object.keys(event).find((field) => !Object.hasOwn(fields, field))
  if (unknown !== undefined) return `${at}: has ${Object.keys(fields).join(', ')}, and no other field`
  const wrong = Object.entries(fields).find(([field, { isSo }]) => !isSo(event[field]))
  return wrong && `${at}/${wrong[0]}: takes ${wrong[1].takes}`
}

/** 200; 400: it names no port; 404: nobody knows of that; 422: it is nothing that could be taken here. */
export type EventCode = 200 | 400 | 404 | 422

export interface NovaAnswer {
  readonly status: number
  readonly body: object
}

/** 200 where all are taken, 207 where some are, 404 where none is: as Nova answers. */
export function answerOf(events: readonly ExternalEvent[], codes: readonly EventCode[]): NovaAnswer {
  if (!codes.includes(200)) return faultOf(404, 'No instances found for any event')
  const results = events.map((event, i) => ({ ...event, status: codes[i] === 200 ? 'completed' : 'failed', code: codes[i] }))
  return { status: codes.every((code) => code === 200) ? 200 : 207, body: { events: results } }
}

/** What Nova calls them. */
const faults: Readonly<Record<number, string>> = {
  400: 'badRequest',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  413: 'overLimit',
  429: 'overLimit',
  503: 'serviceUnavailable',
}

export const faultOf = (status: number, message: string): NovaAnswer => ({
  status,
  body: { [faults[status] ?? 'computeFault']: { code: status, message } },
})

/** As Keystone's filter before Nova says it: who sees it asks for another token, and tries once more. */
export const unauthorized: NovaAnswer = {
  status: 401,
  body: { error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' } },
}
