// megrez top: what is full, busy or behind: nodes, subnets, Ports, the server.
import { flagLines, helpFlag, readArgs, refuseExcess, serverFlags, suggestion, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { tableOf } from '../output/table.ts'
import { progressOf } from '../output/terminal.ts'
import { Api } from '../rest/api.ts'
import { targetOf } from '../rest/target.ts'
import { topNodes, topPorts, topServer, topSubnets, type TopRequest, type TopTable } from '../top/tables.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'subnets, ports: in this namespace (all; of ports default)' },
  ...serverFlags,
  ...helpFlag,
}
export const usage = `megrez top nodes      Ports of each node, wired and not
megrez top subnets    addresses of each Subnet that are taken
megrez top ports      packets of each Port of a namespace, as its node counts them
megrez top server     queues, callbacks and watches of the server

${flagLines(flags)}`

const tables: Readonly<Record<string, (api: Api, request: TopRequest) => Promise<TopTable>>> = {
  nodes: topNodes,
  subnets: topSubnets,
  ports: topPorts,
  server: topServer,
}
export const completes = Object.keys(tables)

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [word = 'nodes', excess] = given.words
  refuseExcess(excess)
  const table = Object.hasOwn(tables, word) ? tables[word] : undefined
  if (table === undefined) throw new CliError(2, `there is no top ${word}: ${suggestion(word, completes)}`)
  const api = new Api(await targetOf(given, context), context.signal)
  const progress = progressOf(context)
  const found: TopTable = await table(api, { namespace: given.text('namespace'), signal: context.signal, tell: progress })
  progress('')
  for (const note of found.notes) context.err(`${note}\n`)
  if (found.rows.length > 0) context.out(tableOf(found.headings, found.rows))
  else if (found.notes.length === 0) context.err(`no ${word}\n`)
  return 0
}
