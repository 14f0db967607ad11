// Which object of which kind a manifest is about.
import type { Json } from '../../core/json.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { nearest } from '../../core/admit/nearest.ts'
import { defaultNamespace } from '../args.ts'
import { CliError } from '../context.ts'
import { isNamespaced, knownKinds, rowOf } from '../kinds/names.ts'
import type { Manifest } from './manifests.ts'

export interface AddressedObject {
  readonly kind: Kind
  /** '' for kinds of the cluster. */
  readonly namespace: string
  /** Absent where generateName stands in for it. */
  readonly name: string | undefined
  readonly from: string
  readonly body: Json
  readonly literal: Json | undefined
}

/** @throws CliError 1 for what is no object of a kind that is kept here */
export function addressOf({ from, body, literal }: Manifest, given: string | undefined): AddressedObject {
  const kind = kindOf(from, body)
  const metadata = (body['metadata'] ?? {}) as Json
  const { name, namespace, generateName } = metadata
  if (typeof name !== 'string' && typeof generateName !== 'string') throw new CliError(1, `${from}: /metadata/name: is missing`)
  if (!isNamespaced(kind)) return { kind, namespace: '', name: name as string | undefined, from, body, literal }
  if (namespace !== undefined && given !== undefined && namespace !== given)
    throw new CliError(1, `${from}: /metadata/namespace: is ${String(namespace)}, and -n says ${given}`)
  return {
    kind,
    namespace: given ?? (typeof namespace === 'string' ? namespace : defaultNamespace),
    name: name as string | undefined,
    from,
    body,
    literal,
  }
}

function kindOf(from: string, { kind, apiVersion }: Json): Kind {
  const found = knownKinds.find((each) => each === kind && rowOf(each).apiVersion === apiVersion)
  if (found !== undefined) return found
  const sameName = knownKinds.find((each) => each === kind)
  if (sameName !== undefined)
    throw new CliError(1, `${from}: /apiVersion: must be ${rowOf(sameName).apiVersion} for ${sameName}, not ${JSON.stringify(apiVersion)}`)
  const meant = nearest(String(kind), knownKinds)
  const hint = meant === undefined ? 'it is not kept here; --kubectl sends it to a cluster' : `did you mean ${meant}?`
  throw new CliError(1, `${from}: /kind: ${kind === undefined ? 'is missing' : `there is no ${JSON.stringify(kind)}: ${hint}`}`)
}
