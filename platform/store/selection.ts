// Which objects a list or watch is about, and its pages.
import { Invalid } from '../../core/errors.ts'
import type { Within } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { fieldText, parseLabels, selectablePaths } from '../../core/kinds/selector.ts'

export type Test = (item: Resource) => boolean

/**
 * The test that a selection amounts to.
 *
 * @throws Invalid for a selector that cannot be read or a path that cannot be selected by
 */
export function testOf(kind: Kind, within: Within): Test {
  const tests: Test[] = []
  if (within.namespace !== undefined) tests.push((item) => item.metadata.namespace === within.namespace)
  if (within.labels !== undefined && within.labels !== '') {
    const labels = parseLabels(within.labels)
    if (labels === undefined)
      throw new Invalid({ reason: `${JSON.stringify(within.labels)} is no label selector: write a=b,c!=d,e in (f,g),h,!i` })
    tests.push((item) => labels(item.metadata.labels ?? {}))
  }
  for (const [path, value] of Object.entries(within.fields ?? {})) {
    if (!selectablePaths(kind).includes(path))
      throw new Invalid({ reason: `${kind} cannot be selected by ${path}, only by ${selectablePaths(kind).join(', ')}` })
    tests.push((item) => fieldText(item, path) === value)
  }
  return (item) => tests.every((test) => test(item))
}

export const inOrder = (a: Resource, b: Resource): number =>
  compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compare(a.metadata.name, b.metadata.name)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Where a listing goes on: after which object, and the resourceVersion of its first page. */
export interface ListPosition {
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
}
export const printPosition = (place: ListPosition): string =>
  Buffer.from(JSON.stringify([place.namespace, place.name, place.resourceVersion])).toString('base64url')

export function parsePosition(text: string): ListPosition {
  try {
    const [namespace, name, resourceVersion] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (typeof namespace === 'string' && typeof name === 'string' && typeof resourceVersion === 'string')
      return { namespace, name, resourceVersion }
  } catch {
    // Falls through: whatever it was, we did not give it out.
  }
  throw new Invalid({ reason: 'continue is not one that a list gave: begin again without it' })
}
export const isAfter = (item: Resource, place: ListPosition): boolean =>
  (compare(item.metadata.namespace ?? '', place.namespace) || compare(item.metadata.name, place.name)) > 0
