// Whoever names a Secret in a Subscription can have its content sent to a sink of their choice. So the writer must be allowed to read
// that Secret, and its label must say that it is for callbacks. To change the sink of a Subscription that names a Secret needs the same.
import { credentialsPrefix } from '../../net/names.ts'
import { callbackCredentialsLabel } from '../../kinds/annotations.ts'
import type { Resource, SpecOf } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'

type Spec = SpecOf<'Subscription'>

/** Where a Secret's content goes, and which: as long as these stay, so does what its maker was allowed. */
const whither = ['sink', 'auth', 'signing', 'ca'] as const
const fields = ['auth', 'signing'] as const

export interface SecretReference {
  readonly field: (typeof fields)[number]
  readonly name: string
  /** It came with the request that made the Subscription, and is in Megrez's own namespace. */
  readonly kept: boolean
}

/** Which Secrets the writer of a Subscription must be able to read. One that is kept is not there yet when its Subscription is made. */
export function secretReferences(spec: Spec, old: Spec | undefined): readonly SecretReference[] {
  if (old !== undefined && whither.every((field) => sameJson(spec[field], old[field]))) return []
  return fields.flatMap((field) => {
    const name = spec[field]?.secret
    const kept = name?.startsWith(credentialsPrefix) === true
    return name === undefined || (kept && old === undefined) ? [] : [{ field, name, kept }]
  })
}

/** Why a Secret of a tenant is not sent to any sink, whoever points at it; undefined where it may be. */
export function whyNotSent({ metadata: { name, labels } }: Pick<Resource<'Secret'>, 'metadata'>): string | undefined {
  if (name.startsWith(credentialsPrefix)) return `Secret ${name} is not read: names that begin with ${credentialsPrefix} are Megrez's own`
  return labels?.[callbackCredentialsLabel] === 'true'
    ? undefined
    : `Secret ${name} has no label ${callbackCredentialsLabel}=true: it is for something else`
}

export const secretMessage = 'names a Secret that you may not read: who cannot read it cannot have it sent'

const changed = whither.map((field) => `object.spec.?${field} != oldObject.spec.?${field}`).join(' || ')
/** The same for an API server: whether a write is judged at all, and then of each field. */
export const secretNeeds = `(has(object.spec.auth) || has(object.spec.signing)) && (request.operation == 'CREATE' || ${changed})`

/** @param own Megrez's namespace */
export const secretCels = (own: string): readonly { readonly field: string; readonly cel: string }[] =>
  fields.map((field) => {
    const name = `object.spec.${field}.secret`
    const may = (at: string): string => `authorizer.group('').resource('secrets').namespace(${at}).name(${name}).check('get').allowed()`
    const kept = `request.operation == 'CREATE' || ${may(`'${own}'`)}`
    return {
      field,
      cel: `!has(object.spec.${field}) || (${name}.startsWith('${credentialsPrefix}') ? (${kept}) : ${may('request.namespace')})`,
    }
  })
