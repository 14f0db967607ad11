// What the command line knows of kinds: the table of kinds without schemas and rules, which take long to load.
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { allKinds, apiVersionOf, definitionOf, isOwnKind, pluralOf, scopeOf, type Kind } from '../core/kinds/index.ts'

/** As kubectl has them. */
const foreignNames: Readonly<Record<string, readonly string[]>> = {
  Pod: ['po'],
  Node: ['no'],
  Namespace: ['ns'],
  Event: ['ev'],
  NetworkAttachmentDefinition: ['net-attach-def'],
  NetworkPolicy: ['netpol'],
  AdminNetworkPolicy: ['anp'],
  BaselineAdminNetworkPolicy: ['banp'],
  ClusterNetworkPolicy: ['cnp'],
}

function rowOf(kind: Kind): object {
  const common = { plural: pluralOf(kind), scope: scopeOf(kind), apiVersion: apiVersionOf(kind) }
  if (!isOwnKind(kind)) return { ...common, names: [kind.toLowerCase(), ...(foreignNames[kind] ?? [])], internal: false, columns: [] }
  const { singular, shortNames, internal, columns } = definitionOf(kind)
  return { ...common, names: [singular, ...shortNames], internal, columns }
}

const path = join(import.meta.dirname, '../cli/kinds/table.ts')
const head = `// Generated from core/kinds by npm run gen: what the command line knows of kinds, without their schemas, which take long to load.
import type { KindRow, ListedKind } from './row.ts'

export const kindRows: Readonly<Record<ListedKind, KindRow>> = `

export async function cliKinds(): Promise<string> {
  const rows = Object.fromEntries(allKinds.map((kind) => [kind, rowOf(kind)]))
  return format(head + JSON.stringify(rows), { ...(await resolveConfig(path)), filepath: path })
}
