// Label and field selectors, on the server's side.
import { parseLabels } from '../../../core/kinds/selector.ts'
import type { Raw } from './raw.ts'
import { badRequest } from './refusals.ts'
import type { Table } from './tables.ts'

export type Test = (item: Raw) => boolean
type Query = Readonly<Record<string, string | undefined>>

/** @throws Refusal for a selector that the kind does not offer */
export function testOf({ labelSelector = '', fieldSelector = '' }: Query, table: Table, namespace: string | undefined): Test {
  const labels = parseLabels(labelSelector)
  if (labels === undefined) throw badRequest(`unable to parse requirement: ${labelSelector}`)
  const fields = fieldSelector === '' ? [] : split(fieldSelector, ',').map((part) => fieldTest(part, table))
  return (item) =>
    (namespace === undefined || item.metadata.namespace === namespace) &&
    labels(item.metadata.labels ?? {}) &&
    fields.every((test) => test(item))
}

function fieldTest(part: string, table: Table): Test {
  const [, path = '', not = '', value = ''] = /^([^=!]+)(!?)==?(.*)$/s.exec(part) ?? []
  if (!table.selectable.includes(path)) throw badRequest(`field label not supported: ${path}`)
  const wanted = value.replace(/\\(.)/gs, '$1')
  return (item) => (textAt(item, path) === wanted) === (not === '')
}

/** At a mark that no backslash stands before. */
const split = (text: string, mark: string): string[] => text.split(new RegExp(`(?<!\\\\)${mark}`))

function textAt(item: Raw, path: string): string {
  let at: unknown = item
  for (const step of path.split('.')) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
  return at === undefined || at === null || typeof at === 'object' ? '' : String(at)
}
