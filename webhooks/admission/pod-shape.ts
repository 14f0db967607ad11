// A pod as far as we look at it. An API server sends well-formed pods; REST and whoever else can reach us may not.
import { pointerTo } from '../../core/admit/refusal.ts'
import { quoted } from '../../core/admit/quoted.ts'
import { isObject, type Json } from '../../core/json.ts'
import type { AdmittedPod } from './deps.ts'
import type { AdmissionProblem } from './answer.ts'

/** The steps down to the value that is checked: one list for the whole check, which grows and shrinks as it goes. */
type Path = (string | number)[]
type ShapeCheck = (value: unknown, path: Path) => AdmissionProblem | undefined

const wrong = (path: Path, what: string, value: unknown): AdmissionProblem => ({
  at: pointerTo(...path),
  message: `must be ${what}, not ${quoted(value)}`,
})

const text: ShapeCheck = (value, path) => (typeof value === 'string' ? undefined : wrong(path, 'a text', value))
const flag: ShapeCheck = (value, path) => (typeof value === 'boolean' ? undefined : wrong(path, 'true or false', value))
const optional =
  (check: ShapeCheck): ShapeCheck =>
  (value, path) =>
    value === undefined || value === null ? undefined : check(value, path)
const list =
  (one: ShapeCheck): ShapeCheck =>
  (value, path) => {
    if (!Array.isArray(value)) return wrong(path, 'a list', value)
    for (let i = 0; i < value.length; i++) {
      const problem = below(one, value[i], i, path)
      if (problem !== undefined) return problem
    }
    return undefined
  }
const record =
  (one: ShapeCheck): ShapeCheck =>
  (value, path) => {
    if (!isObject(value)) return wrong(path, 'an object', value)
    for (const name of Object.keys(value)) {
      const problem = below(one, value[name], name, path)
      if (problem !== undefined) return problem
    }
    return undefined
  }
const fields = (checks: Readonly<Record<string, ShapeCheck>>): ShapeCheck => {
  const each = Object.entries(checks)
  return (value, path) => {
    if (!isObject(value)) return wrong(path, 'an object', value)
    for (const [name, check] of each) {
      const problem = below(check, value[name], name, path)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

function below(check: ShapeCheck, value: unknown, step: string | number, path: Path): AdmissionProblem | undefined {
  path.push(step)
  const problem = check(value, path)
  path.pop()
  return problem
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

/**
 * As much of the pod as is looked at, with its namespace; or what is wrong with it. A null member is an absent one, as the API server has
 * it.
 */
export function podOf(object: unknown, namespace: string): AdmittedPod | AdmissionProblem {
  const problem = pod(object, [])
  return problem ?? lookedAt(object as { readonly metadata: Json; readonly spec: Json }, namespace)
}

function lookedAt({ metadata, spec }: { readonly metadata: Json; readonly spec: Json }, namespace: string): AdmittedPod {
  const { name, generateName, uid, labels, annotations, finalizers, ownerReferences } = metadata
  const { hostNetwork, containers, volumes } = spec
  const found = {
    metadata: {
      namespace,
      name: present(name),
      generateName: present(generateName),
      uid: present(uid),
      labels: present(labels),
      annotations: present(annotations),
      finalizers: present(finalizers),
      ownerReferences: present(ownerReferences),
    },
    spec: { hostNetwork: present(hostNetwork), containers: present(containers), volumes: present(volumes) },
  }
  return found as unknown as AdmittedPod
}
const present = (value: unknown): unknown => value ?? undefined
export const isProblem = (value: AdmittedPod | AdmissionProblem): value is AdmissionProblem => 'at' in value
