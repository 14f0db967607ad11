// A pod as far as we look at it. An API server sends well-formed pods; REST and whoever else can reach us may not.
import { pointerTo } from '../../core/admit/refusal.ts'
import { show } from '../../core/admit/show.ts'
import type { AdmittedPod } from './deps.ts'
import type { Fault } from './answer.ts'

type Fields = Readonly<Record<string, unknown>>
type Look = (value: unknown, path: readonly (string | number)[]) => Fault | undefined

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const wrong = (path: readonly (string | number)[], what: string, value: unknown): Fault => ({ at: pointerTo(...path), message: `must be ${what}, not ${show(value)}` })

const text: Look = (value, path) => (typeof value === 'string' ? undefined : wrong(path, 'a text', value))
const flag: Look = (value, path) => (typeof value === 'boolean' ? undefined : wrong(path, 'true or false', value))
const optional = (look: Look): Look => (value, path) => (value === undefined || value === null ? undefined : look(value, path))
const list = (one: Look): Look => (value, path) => (Array.isArray(value) ? first(value.entries(), one, path) : wrong(path, 'a list', value))
const record = (one: Look): Look => (value, path) => (isObject(value) ? first(Object.entries(value), one, path) : wrong(path, 'an object', value))
const fields = (looks: Readonly<Record<string, Look>>): Look => (value, path) => {
  if (!isObject(value)) return wrong(path, 'an object', value)
  for (const [name, look] of Object.entries(looks)) {
    const fault = look(value[name], [...path, name])
    if (fault !== undefined) return fault
  }
  return undefined
}

function first(entries: Iterable<readonly [string | number, unknown]>, look: Look, path: readonly (string | number)[]): Fault | undefined {
  for (const [step, value] of entries) {
    const fault = look(value, [...path, step])
    if (fault !== undefined) return fault
  }
  return undefined
}

const named = fields({ name: text })
const pod = fields({
  metadata: fields({
    name: optional(text),
    generateName: optional(text),
    namespace: optional(text),
    uid: optional(text),
    labels: optional(record(text)),
    annotations: optional(record(text)),
    finalizers: optional(list(text)),
    ownerReferences: optional(list(fields({ kind: text, name: text, controller: optional(flag) }))),
  }),
  spec: fields({
    hostNetwork: optional(flag),
    containers: optional(list(fields({ name: text, env: optional(list(named)), volumeMounts: optional(list(named)) }))),
    volumes: optional(list(named)),
  }),
})

/** The pod, with its namespace; or what is wrong with it. */
export function podOf(object: unknown, namespace: string): AdmittedPod | Fault {
  const fault = pod(object, [])
  if (fault !== undefined) return fault
  const found = withoutNulls(object as Fields) as unknown as AdmittedPod
  return found.metadata.namespace === namespace ? found : { ...found, metadata: { ...found.metadata, namespace } }
}

/** A null member is an absent one, as the API server has it; only where we look. */
function withoutNulls(object: Fields): Fields {
  const { metadata, spec } = object as { metadata: Fields; spec: Fields }
  return { ...object, metadata: withoutOwn(metadata), spec: withoutOwn(spec) }
}
const withoutOwn = (object: Fields): Fields => (Object.values(object).includes(null) ? Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null)) : object)
export const isFault = (value: AdmittedPod | Fault): value is Fault => 'at' in value
