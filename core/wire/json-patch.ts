// JSON Patch (RFC 6902), as much of it as an admission answer uses: add, replace, remove and test.

export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

type Container = Readonly<Record<string, unknown>> | readonly unknown[]

/** A patch does not fit the document it is applied to. */
export class PatchMismatch extends Error {
  readonly operation: Operation
  constructor(operation: Operation, why: string) {
    super(`${operation.op} ${operation.path}: ${why}`)
    this.name = 'PatchMismatch'
    this.operation = operation
  }
}

/**
 * A new document; the given one and the parts that do not change are shared.
 *
 * @throws PatchMismatch where an operation does not fit: nothing is applied then (RFC 6902 section 5)
 */
export function applyPatch<T>(document: T, patch: readonly Operation[]): T {
  return patch.reduce<unknown>((now, operation) => applyOne(now, stepsOf(operation.path), operation), document) as T
}

/** The steps of a JSON pointer (RFC 6901 section 4). */
const stepsOf = (path: string): readonly string[] =>
  path === ''
    ? []
    : path
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

function applyOne(now: unknown, steps: readonly string[], operation: Operation): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return whole(now, operation)
  if (typeof now !== 'object' || now === null) throw new PatchMismatch(operation, `nothing to go into at ${step}`)
  const container = now as Container
  if (rest.length > 0) return within(container, step, (inner) => applyOne(inner, rest, operation), operation)
  return Array.isArray(container)
    ? inList(container, step, operation)
    : inObject(container as Readonly<Record<string, unknown>>, step, operation)
}

function whole(now: unknown, operation: Operation): unknown {
  if (operation.op === 'remove') return undefined
  if (operation.op === 'test') return same(now, operation)
  return operation.value
}

function within(container: Container, step: string, change: (inner: unknown) => unknown, operation: Operation): unknown {
  if (Array.isArray(container)) {
    const index = indexIn(container, step, operation)
    return container.map((each: unknown, i) => (i === index ? change(each) : each))
  }
  const object = container as Readonly<Record<string, unknown>>
  if (!Object.hasOwn(object, step)) throw new PatchMismatch(operation, `there is no ${step}`)
  return { ...object, [step]: change(object[step]) }
}

function inObject(object: Readonly<Record<string, unknown>>, step: string, operation: Operation): unknown {
  if (operation.op === 'add') return { ...object, [step]: operation.value }
  if (!Object.hasOwn(object, step)) throw new PatchMismatch(operation, `there is no ${step}`)
  if (operation.op === 'test') return unchanged(object, object[step], operation)
  if (operation.op === 'replace') return { ...object, [step]: operation.value }
  const { [step]: _, ...left } = object
  return left
}

function inList(list: readonly unknown[], step: string, operation: Operation): unknown {
  if (operation.op === 'add') {
    const index = step === '-' ? list.length : indexIn([...list, undefined], step, operation)
    return [...list.slice(0, index), operation.value, ...list.slice(index)]
  }
  const index = indexIn(list, step, operation)
  if (operation.op === 'test') return unchanged(list, list[index], operation)
  return operation.op === 'replace' ? list.with(index, operation.value) : list.toSpliced(index, 1)
}

function indexIn(list: readonly unknown[], step: string, operation: Operation): number {
  const index = /^(0|[1-9]\d*)$/.test(step) ? Number(step) : -1
  if (index < 0 || index >= list.length) throw new PatchMismatch(operation, `the list has no place ${step}`)
  return index
}

function unchanged<T>(container: T, found: unknown, operation: Operation): T {
  same(found, operation)
  return container
}

function same(found: unknown, operation: Operation): unknown {
  if (operation.op !== 'test' || equal(found, operation.value)) return found
  throw new PatchMismatch(operation, `found ${JSON.stringify(found) ?? 'nothing'}`)
}

/** Equality of RFC 6902 section 4.6: the order of members does not count. */
function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), b as Readonly<Record<string, unknown>>]
  return left.length === Object.keys(right).length && left.every(([name, value]) => Object.hasOwn(right, name) && equal(value, right[name]))
}
