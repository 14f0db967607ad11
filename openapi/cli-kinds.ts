// What the command line knows of kinds: the table of kinds without schemas and rules, which take long to load.
import { format } from 'prettier'
import { allKinds, apiVersionOf, definitionOf, isOwnKind, pluralOf, scopeOf, type Kind } from '../core/kinds/index.ts'

/** As kubectl has them. */
const foreignNames: Readonly<Record<string, readonly string[]>> = {
  Pod: ['po'],
  Node: ['no'],
  Namespace: ['ns'],
  Event: ['ev'],
  NetworkAttachmentDefinition: ['net-attach-def'],
}

function rowOf(kind: Kind): object {
  const common = { plural: pluralOf(kind), scope: scopeOf(kind), apiVersion: apiVersionOf(kind) }
  if (!isOwnKind(kind)) return { ...common, names: [kind.toLowerCase(), ...(foreignNames[kind] ?? [])], internal: false, columns: [] }
  const { singular, shortNames, internal, columns } = definitionOf(kind)
  return { ...common, names: [singular, ...shortNames], internal, columns }
}

const head = `// Generated from core/kinds by npm run gen: what the command line knows of kinds, without their schemas, which take long to load.
import type { Kind } from '../../core/kinds/index.ts'
import type { Column } from '../../core/kinds/kind.ts'

export interface KindRow {
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly apiVersion: string
  /** Beside the plural. */
  readonly names: readonly string[]
  /** Written by Megrez alone. */
  readonly internal: boolean
  /** Of kinds of ours; of others see columns.ts. */
  readonly columns: readonly Column[]
}
export type ListedKind = Exclude<Kind, 'Secret'>
export const kindRows: Readonly<Record<ListedKind, KindRow>> = `

export function cliKinds(): Promise<string> {
  const rows = Object.fromEntries(allKinds.map((kind) => [kind, rowOf(kind)]))
  return format(head + JSON.stringify(rows), {
    parser: 'typescript',
    printWidth: 140,
    semi: false,
    singleQuote: true,
    trailingComma: 'all',
    objectWrap: 'preserve',
  })
}
