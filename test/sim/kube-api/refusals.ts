// The Status that an API server says instead of an object (apimachinery, api/errors), word for word where our code reads the words.
import type { KubeResponse } from '../../../platform/kube/client.ts'
import type { Table } from './tables.ts'

interface Cause {
  readonly reason: string
  readonly message: string
  readonly field: string
}
interface Details {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

/** Thrown by whoever serves a request; the client answers with it. */
export class Refusal extends Error {
  readonly answer: KubeResponse

  /** @param details absent: the message alone, as text */
  constructor(code: number, reason: string, message: string, details?: Details) {
    super(message)
    this.name = 'Refusal'
    const body =
      details === undefined
        ? `${message}\n`
        : { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code }
    this.answer = {
      status: code,
      body,
      retryAfterMs: details?.retryAfterSeconds === undefined ? undefined : details.retryAfterSeconds * 1000,
    }
  }
}

const of = ({ group, plural }: Table, name: string): Details => ({ name, ...(group !== '' && { group }), kind: plural })
const named = ({ group, plural }: Table): string => (group === '' ? plural : `${plural}.${group}`)

/** Said as text: no Status. */
export const unknownPath = (): Refusal => new Refusal(404, 'NotFound', '404 page not found', undefined)
export const notFound = (table: Table, name: string): Refusal =>
  new Refusal(404, 'NotFound', `${named(table)} ${JSON.stringify(name)} not found`, of(table, name))
export const alreadyExists = (table: Table, name: string): Refusal =>
  new Refusal(409, 'AlreadyExists', `${named(table)} ${JSON.stringify(name)} already exists`, of(table, name))
export const conflict = (table: Table, name: string): Refusal =>
  new Refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${named(table)} ${JSON.stringify(name)}: the object has been modified; please apply your changes to the latest version and try again`,
    of(table, name),
  )
export const invalid = (table: Table, name: string, cause: Cause): Refusal =>
  new Refusal(422, 'Invalid', `${table.kind} ${JSON.stringify(name)} is invalid: ${cause.field}: ${cause.message}`, {
    ...of(table, name),
    kind: table.kind,
    causes: [cause],
  })
export const badRequest = (message: string): Refusal => new Refusal(400, 'BadRequest', message, {})
export const forbidden = (table: Table, name: string, why: string, causes?: readonly Cause[]): Refusal =>
  new Refusal(403, 'Forbidden', `${named(table)} ${JSON.stringify(name)} is forbidden: ${why}`, {
    ...of(table, name),
    ...(causes && { causes }),
  })
export const terminating = (table: Table, name: string, namespace: string): Refusal => {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  return forbidden(table, name, why, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ])
}
/** A delete that means another one; it names the kind where others name the resource. */
export const notMeant = (table: Table, name: string, why: string): Refusal =>
  new Refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${table.kind}${table.group === '' ? '' : `.${table.group}`} ${JSON.stringify(name)}: ${why}`,
    { ...of(table, name), kind: table.kind },
  )
/** A JSON patch that cannot be applied, a test that fails among them: no causes (apiserver, endpoints/handlers/patch.go). */
export const unprocessable = (): Refusal =>
  new Refusal(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
export const expired = (message: string): Refusal => new Refusal(410, 'Expired', message, {})
export const tooLarge = (asked: string, now: string): Refusal =>
  new Refusal(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${now}`, {
    retryAfterSeconds: 1,
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version', field: '' }],
  })
export const denied = (who: string, verb: string, table: Table): Refusal =>
  new Refusal(
    403,
    'Forbidden',
    `${named(table)} is forbidden: User ${JSON.stringify(who)} cannot ${verb} resource ${JSON.stringify(table.plural)} in API group ${JSON.stringify(table.group)}`,
    { ...(table.group !== '' && { group: table.group }), kind: table.plural },
  )
