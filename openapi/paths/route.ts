// An operation outside the table of kinds, declared once: the document and the server (`webhooks/rest/beside-kinds.ts`, and
// `webhooks/serve-routes.ts` for what needs no token) read the same rows.
import type { Schema } from '../schemas/render.ts'

export interface Route<Id extends string = string> {
  /** As the document writes an address; parameters are `{namespace}` and `{name}`. */
  readonly at: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Its `{name}` is no name but an id, which only we can read. */
  readonly opaque?: true
  readonly operation: Schema & { readonly operationId: Id }
}

/** Keeps the operations' ids as types, so that the compiler misses the handler of each. */
export const routes = <const Id extends string>(...rows: readonly Route<Id>[]): readonly Route<Id>[] => rows

const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })

/** The `paths` of the document. */
export function pathsOfRoutes(rows: readonly Route[]): Readonly<Record<string, Schema>> {
  const paths: Record<string, Schema> = {}
  for (const { at, method, opaque, operation } of rows) {
    const within = [...at.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name === 'name' && opaque ? 'id' : name))
    paths[at] = { ...(paths[at] ?? (within.length > 0 && { parameters: within })), [method]: operation }
  }
  return paths
}
