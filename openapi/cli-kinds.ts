// What the command line knows of kinds: the table of kinds without schemas and rules, which take long to load.
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { allKinds, apiVersionOf, definitionOf, isOwnKind, pluralOf, scopeOf, type Kind } from '../core/kinds/index.ts'
import { apiVersion } from '../core/kinds/meta.ts'

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
  NetworkService: ['netsvc', 'netsvcs'],
  NetworkServiceEndpoint: ['nse', 'nses'],
}

function rowOf(kind: Kind): object {
  const common = { plural: pluralOf(kind), scope: scopeOf(kind), apiVersion: apiVersionOf(kind) }
  if (!isOwnKind(kind)) return { ...common, internal: false, names: [kind.toLowerCase(), ...(foreignNames[kind] ?? [])], columns: [] }
  const { singular, shortNames, internal, columns } = definitionOf(kind)
  return { ...common, internal, names: [singular, ...shortNames], columns }
}

const oursText = (internal: boolean): string => JSON.stringify({ apiVersion, internal })
const path = join(import.meta.dirname, '../cli/kinds/table.ts')
/** Every kind of ours ends with them. */
const reported = definitionOf('Vpc').columns.slice(-3)
const reportedText = JSON.stringify(reported).slice(1, -1)
const head = `// Generated from core/kinds by npm run gen: what the command line knows of kinds, without their schemas, which take long to load.
import type { KindRow, ListedKind } from './row.ts'

const reported: KindRow['columns'] = ${JSON.stringify(reported)}
const ours = ${oursText(false)}
const madeByUs = ${oursText(true)}

export const kindRows: Readonly<Record<ListedKind, KindRow>> = `

export async function cliKinds(): Promise<string> {
  const rows = Object.fromEntries(allKinds.map((kind) => [kind, rowOf(kind)]))
  const text = JSON.stringify(rows).replaceAll(`,${reportedText}]`, ',...reported]').replaceAll(`[${reportedText}]`, 'reported')
  const shorter = text.replaceAll(oursText(false).slice(1, -1), '...ours').replaceAll(oursText(true).slice(1, -1), '...madeByUs')
  return format(head + shorter, { ...(await resolveConfig(path)), filepath: path })
}
