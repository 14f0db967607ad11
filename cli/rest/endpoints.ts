// A Find that is followed: a line for each endpoint that comes, goes, is refreshed or expires.
import type { components } from '../../openapi/types.ts'
import type { Context, Exit } from '../context.ts'
import { endpointHeadings, endpointRow } from '../output/endpoints.ts'
import { Table } from '../output/table.ts'
import type { Api } from './api.ts'
import { follow } from './events.ts'

type Endpoint = components['schemas']['NetworkServiceEndpoint']

export function pathOfEndpoints(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  labels: readonly string[],
): string {
  const query = new URLSearchParams({ watch: 'true' })
  for (const label of labels) query.append('label', label)
  return `/v1/namespaces/${encodeURIComponent(namespace)}/networkservices/${encodeURIComponent(name)}/endpoints?${query}`
}

/** Until the user has had enough. */
export async function printFollowed(api: Api, path: string, { out, now, signal }: Context): Promise<Exit> {
  let table: Table | undefined
  for await (const change of follow(api, path, signal)) {
    const items = (change.event === 'all' ? change.items : [change.item]) as unknown as readonly Endpoint[]
    const rows = items.map((item) => [change.event, ...endpointRow(item, now())])
    if (table === undefined) {
      table = new Table(['', ...endpointHeadings], rows)
      out(table.heading())
    }
    const widths = table
    out(rows.length === 0 ? 'all  none\n' : rows.map((row) => widths.row(row)).join(''))
  }
  return 0
}
