// The API server's refusals → our errors.
import {
  AlreadyExists,
  Gone,
  Invalid,
  NamespaceTerminating,
  NotFound,
  Stale,
  StoreUnavailable,
  type MegrezError,
} from '../../core/errors.ts'
import { keyOf, type Ref } from '../../core/kinds/index.ts'
import type { KubeResponse } from './client.ts'

interface Cause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}
/** meta/v1 Status: what the API server says instead of an object. */
export interface Status {
  readonly kind: 'Status'
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: { readonly kind?: string; readonly name?: string; readonly causes?: readonly Cause[] }
}

export const ok = (answer: KubeResponse): boolean => answer.status >= 200 && answer.status < 300

export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status'
}

/** Whether this one object is absent, and not its whole kind. */
export const absent = (answer: KubeResponse): boolean =>
  answer.status === 404 && isStatus(answer.body) && answer.body.reason === 'NotFound' && answer.body.details?.name !== undefined

/** The error of an answer that is none of 2xx. */
export function problemOf(answer: KubeResponse, ref: Ref): MegrezError {
  const status: Status = isStatus(answer.body) ? answer.body : { kind: 'Status', message: String(answer.body).slice(0, 200) }
  const make = byStatus[answer.status]
  return make?.({ answer, status, ref }) ?? unavailable(answer.status, status)
}

/** The API server has no such kind: whose it is has not been installed there. */
export class KindNotServed extends StoreUnavailable {}

/** Whoever asked may not. Where that is ourselves, our role is not bound yet. */
export class RbacDenied extends StoreUnavailable {}

const unavailable = (code: number, status: Status): MegrezError =>
  new StoreUnavailable({ reason: `${code} ${status.message ?? ''}`.trim() })

interface Refused {
  readonly answer: KubeResponse
  readonly status: Status
  readonly ref: Ref
}
const of = (ref: Ref) => ({ kind: ref.kind, key: keyOf(ref) })

const byStatus: Readonly<Record<number, (refused: Refused) => MegrezError | undefined>> = {
  400: ({ status }) => invalid(status),
  403: forbidden,
  404: ({ answer, status, ref }) => {
    if (!absent(answer)) return isStatus(answer.body) ? undefined : new KindNotServed({ reason: `404 no ${ref.kind} is served there` })
    // A create in a namespace that is not there says so of the namespace.
    return status.details?.kind === 'namespaces'
      ? new NotFound({ kind: 'Namespace', key: status.details.name ?? '' })
      : new NotFound(of(ref))
  },
  409: ({ status, ref }) => (status.reason === 'AlreadyExists' ? new AlreadyExists(of(ref)) : new Stale(of(ref))),
  410: ({ status }) => new Gone({ from: status.message ?? '' }),
  413: ({ status }) => invalid(status),
  // A patch that names another UID than the object's changes an immutable field.
  422: ({ status, ref }) => (causesOf(status).some((cause) => cause.field === 'metadata.uid') ? new Stale(of(ref)) : invalid(status)),
}

function forbidden({ status, ref }: Refused): MegrezError {
  const terminating = causesOf(status).some((cause) => cause.reason === 'NamespaceTerminating')
  if (terminating) return new NamespaceTerminating({ namespace: ref.namespace ?? '' })
  // RBAC's words: our own role, which may be bound later. All other 403 are judgements of the object: quota, policies, webhooks.
  return /cannot \w+ resource/.test(status.message ?? '') ? new RbacDenied({ reason: `403 ${status.message ?? ''}` }) : invalid(status)
}

const causesOf = (status: Status): readonly Cause[] => status.details?.causes ?? []

function invalid(status: Status): MegrezError {
  const causes = causesOf(status)
  const reason =
    causes.length === 0
      ? (status.message ?? 'refused without a reason')
      : causes.map((cause) => `${fieldOf(cause)}${withoutValue(cause.message ?? '')}`).join('; ')
  const at = pointer(causes[0]?.field)
  return new Invalid({ reason, ...(at === undefined ? {} : { at }) })
}

const named = (field: string | undefined): field is string => field !== undefined && field !== '' && field !== '<nil>'
const fieldOf = (cause: Cause): string => (named(cause.field) ? `${cause.field}: ` : '')
/** The server repeats the value in front of the rule that it breaks. */
const withoutValue = (message: string): string => message.replace(/^Invalid value: (?:"(?:[^"\\]|\\.)*"|[^":]*): /, '')

/** `spec.ips[0]` → `/spec/ips/0`; a key in brackets may hold dots. */
export function pointer(field: string | undefined): string | undefined {
  if (!named(field)) return undefined
  // Our own webhooks say it as a pointer already.
  if (field.startsWith('/')) return field
  const steps = [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, key, name]) => key ?? name ?? '')
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
