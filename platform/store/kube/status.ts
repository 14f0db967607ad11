// Status sections → the JSON patch that makes them so: whatever stood there, or only where a fence holds.
import type { Fence } from '../../../core/contracts/store.ts'
import { Invalid } from '../../../core/errors.ts'
import { definitionOf, type OwnKind } from '../../../core/kinds/index.ts'
import type { Operation } from './guarded.ts'
import { sameJson } from '../../../core/same-json.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Every field of the sections with its value; undefined where it is to be absent.
 *
 * @throws Invalid for a section that the kind has not, or a field that the section has not
 */
export function sectionFields(kind: OwnKind, sections: Readonly<Record<string, object>>): Fields {
  const declared = definitionOf(kind).sections
  const fields: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(sections) as [string, Fields][]) {
    const names = declared[name]
    if (names === undefined) throw new Invalid({ reason: `${kind} has no status section ${name}` })
    const stranger = Object.keys(given).find((field) => !names.includes(field))
    if (stranger !== undefined) throw new Invalid({ reason: `${stranger} is not of the status section ${name} of ${kind}` })
    for (const field of names) fields[field] = given[field]
  }
  return fields
}

export const hasFields = (status: object | undefined, fields: Fields): boolean =>
  Object.entries(fields).every(([name, value]) => sameJson((status as Fields | undefined)?.[name], value))

/** @param status as it is thought to stand; only whether there is one matters */
export function statusPatch(fields: Fields, status: object | undefined): readonly Operation[] {
  const first: readonly Operation[] =
    status === undefined
      ? [
          { op: 'test', path: '/status', value: null },
          { op: 'add', path: '/status', value: {} },
        ]
      : []
  return [...first, ...Object.entries(fields).flatMap(([name, value]) => fieldPatch(`/status/${name}`, value))]
}

/**
 * The fence as tests. To a test what is absent is null, but what stands in something absent is an error: so nothing is asked of a status
 * that is not there. The API server's library (evanphx/json-patch 4.12, Kubernetes 1.34) takes an object for equal to one that has more
 * fields than it, so each field is tested too.
 */
export function fenceTests({ generation, deletionTimestamp, sequence, fields }: Fence, status: object | undefined): readonly Operation[] {
  const meta = [
    ...(generation === undefined ? [] : [test('/metadata/generation', generation)]),
    test('/metadata/deletionTimestamp', deletionTimestamp),
  ]
  const tests = Object.entries({ ...fields, sequence }).flatMap(([name, value]) => fieldTests(`/status/${name}`, value))
  return status === undefined && tests.every(({ value }) => value === null) ? meta : [...meta, ...tests]
}

export const knowsStatus = ({ sequence, fields }: Fence): boolean =>
  [sequence, ...Object.values(fields)].some((value) => value !== undefined)

const test = (path: string, value: unknown): Operation => ({ op: 'test', path, value: value ?? null })

function fieldTests(path: string, value: unknown): readonly Operation[] {
  const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  return [test(path, value), ...inner.flatMap(([name, each]) => fieldTests(`${path}/${escaped(name)}`, each))]
}

/** A step of a JSON pointer (RFC 6901). */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** `add` replaces what is there, whole. What may not be there is added first, for `remove` takes only what is. */
function fieldPatch(path: string, value: unknown): readonly Operation[] {
  if (value !== undefined) return [{ op: 'add', path, value }]
  return [
    { op: 'add', path, value: null },
    { op: 'remove', path },
  ]
}
