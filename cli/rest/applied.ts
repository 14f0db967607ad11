// What `apply` changes of an object that is there: what its user has changed since the last apply. What others have written since
// (admission, workers) stays.
import { isObject, type Json } from '../../core/json.ts'
import { sameJson } from '../../core/same-json.ts'

/** What was applied last, as JSON. */
export const appliedAnnotation = 'megrez.io/last-applied'

type Live = Json & { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }

/** The manifest with itself as the annotation. The status is not its user's to say. */
export function withApplied(manifest: Json): Json {
  const { status: _status, ...body } = manifest
  const metadata = isObject(body['metadata']) ? body['metadata'] : {}
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  return { ...body, metadata: { ...metadata, annotations: { ...annotations, [appliedAnnotation]: JSON.stringify(body) } } }
}

/**
 * A merge patch (RFC 7396), or undefined where there is nothing to change.
 *
 * @param live the object as it is stored
 */
export function patchFor(manifest: Json, live: Live): Json | undefined {
  const { status: _status, apiVersion: _version, kind: _kind, ...wanted } = manifest
  const last = parse(live.metadata.annotations?.[appliedAnnotation])
  const patch = last === undefined ? missing(live, wanted) : changes(last, wanted)
  if (patch === undefined) return undefined
  const note = { metadata: { annotations: { [appliedAnnotation]: applied(manifest) } } }
  return merge(patch, note)
}

const applied = (manifest: Json): string => {
  const { status: _status, ...body } = manifest
  return JSON.stringify(body)
}

function parse(text: string | undefined): Json | undefined {
  try {
    const value = text === undefined ? undefined : (JSON.parse(text) as unknown)
    if (!isObject(value)) return undefined
    const { apiVersion: _version, kind: _kind, ...rest } = value
    return rest
  } catch {
    return undefined
  }
}

/** From one manifest to the next: what is new or other, and null for what is gone. */
function changes(before: Json, after: Json): Json | undefined {
  const patch: Record<string, unknown> = {}
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[field], after[field]]
    if (sameJson(old, now)) continue
    if (now === undefined) patch[field] = null
    else patch[field] = isObject(old) && isObject(now) ? (changes(old, now) ?? {}) : now
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}

/** What an object that was made in another way lacks of a manifest; nothing is taken away. */
function missing(live: Json, wanted: Json): Json | undefined {
  const patch: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(wanted)) {
    const there = live[field]
    const inner = isObject(value) && isObject(there) ? missing(there, value) : sameJson(value, there) ? undefined : value
    if (inner !== undefined) patch[field] = inner
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}

function merge(a: Json, b: Json): Json {
  const merged: Record<string, unknown> = { ...a }
  for (const [field, value] of Object.entries(b)) {
    const there = merged[field]
    merged[field] = isObject(value) && isObject(there) ? merge(there, value) : value
  }
  return merged
}
