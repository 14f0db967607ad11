// The three kinds of patches as an API server applies them (RFC 6902 by evanphx/json-patch, RFC 7396, strategic merge).
import { sameJson } from '../../../core/same-json.ts'

/** It cannot be applied, or a test in it fails. */
export class PatchFailed extends Error {}

interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}
type Holder = Record<string, unknown> | unknown[]

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Where a pointer's last step is looked up; undefined where there is nothing to look in. */
function holderOf(document: Holder, pointer: string): { readonly holder: Holder; readonly last: string } | undefined {
  const steps = stepsOf(pointer)
  const last = steps.pop() ?? ''
  let at: unknown = document
  for (const step of steps) at = isHolder(at) ? (at as Record<string, unknown>)[step] : undefined
  return isHolder(at) ? { holder: at, last } : undefined
}

function read(document: Holder, pointer: string): unknown {
  const found = holderOf(document, pointer)
  return found === undefined ? undefined : (found.holder as Record<string, unknown>)[found.last]
}

function add(document: Holder, pointer: string, value: unknown): void {
  const found = holderOf(document, pointer)
  if (found === undefined) throw new PatchFailed(`nothing is there to add ${pointer} to`)
  const { holder, last } = found
  if (!Array.isArray(holder)) return void (holder[last] = value)
  const at = last === '-' ? holder.length : Number(last)
  if (!Number.isInteger(at) || at < 0 || at > holder.length) throw new PatchFailed(`${pointer} is outside of its list`)
  holder.splice(at, 0, value)
}

function remove(document: Holder, pointer: string): unknown {
  const found = holderOf(document, pointer)
  if (found === undefined || !Object.hasOwn(found.holder, found.last)) throw new PatchFailed(`${pointer} is not there to be removed`)
  const value = (found.holder as Record<string, unknown>)[found.last]
  if (Array.isArray(found.holder)) found.holder.splice(Number(found.last), 1)
  else delete found.holder[found.last]
  return value
}

const operations: Readonly<Record<string, (document: Holder, operation: Operation) => void>> = {
  /** What is absent is null. */
  test(document, { path, value = null }) {
    if (!sameJson(read(document, path) ?? null, value)) throw new PatchFailed(`testing value ${path} failed`)
  },
  add: (document, { path, value = null }) => add(document, path, structuredClone(value)),
  remove: (document, { path }) => void remove(document, path),
  replace(document, { path, value = null }) {
    remove(document, path)
    add(document, path, structuredClone(value))
  },
  move: (document, { path, from = '' }) => add(document, path, remove(document, from)),
  copy: (document, { path, from = '' }) => add(document, path, structuredClone(read(document, from))),
}

/** @throws PatchFailed */
export function jsonPatched<T>(target: T, body: unknown): T {
  if (!Array.isArray(body)) throw new PatchFailed('a JSON patch is a list')
  const document = structuredClone(target)
  for (const operation of body as readonly Operation[]) {
    const apply = operations[operation.op]
    if (apply === undefined) throw new PatchFailed(`${operation.op} is no operation`)
    apply(document as Holder, operation)
  }
  return document
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function mergePatched(target: unknown, patch: unknown): unknown {
  return merged(target, patch, () => undefined)
}

/** Lists that are joined by a key of their elements, by where they are; '' for plain values. */
const joined: Readonly<Record<string, string>> = {
  '/status/conditions': 'type',
  '/status/addresses': 'type',
  '/metadata/ownerReferences': 'uid',
  '/metadata/finalizers': '',
}

export function strategicPatched(target: unknown, patch: unknown): unknown {
  return merged(target, patch, (path) => joined[path])
}

function merged(target: unknown, patch: unknown, keyAt: (path: string) => string | undefined, path = ''): unknown {
  if (Array.isArray(patch) && Array.isArray(target)) {
    const key = keyAt(path)
    return key === undefined ? structuredClone(patch) : joinedList(target, patch, key)
  }
  if (!isObject(patch)) return structuredClone(patch)
  const next: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete next[name]
    else next[name] = merged(next[name], value, keyAt, `${path}/${name}`)
  }
  return next
}

function joinedList(there: readonly unknown[], more: readonly unknown[], key: string): unknown[] {
  const idOf = (each: unknown): unknown => (key === '' ? each : (each as Record<string, unknown>)[key])
  const byId = new Map(there.map((each) => [idOf(each), each]))
  for (const each of more)
    byId.set(idOf(each), key === '' ? each : { ...(byId.get(idOf(each)) as object | undefined), ...(each as object) })
  return [...byId.values()]
}
