// megrez endpoints SERVICE: which endpoints of a NetworkService a client gets, by the service's matches and the client's labels.
import { pathOfEndpoints, printFollowed } from '../rest/endpoints.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { endpointRow, endpointHeadings } from '../output/endpoints.ts'
import { tableOf } from '../output/table.ts'
import { Api } from '../rest/api.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  label: { type: 'string', multiple: true, value: 'KEY=VALUE', meaning: "one of the client's; as often as there are" },
  watch: { type: 'boolean', short: 'w', meaning: 'go on, and print what comes, goes, is refreshed or expires' },
  ...serverFlags,
  ...helpFlag,
}
export const usage = `megrez endpoints SERVICE [-n NAMESPACE] [--label KEY=VALUE…] [--watch]

Exit code 0: there are some; 1: none.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [name, excess] = given.words
  if (name === undefined) throw new CliError(2, 'say megrez endpoints SERVICE')
  refuseExcess(excess)
  const labels = given.texts('label')
  const wrong = labels.find((label) => label.indexOf('=') < 1)
  if (wrong !== undefined) throw new CliError(2, `--label ${JSON.stringify(wrong)} is none: write --label KEY=VALUE`)
  const path = { namespace: given.text('namespace') ?? defaultNamespace, name }
  const api = new Api(await targetOf(given, context), context.signal)
  if (given.has('watch')) return printFollowed(api, pathOfEndpoints(path, labels), context)
  const { service, items } = await api.endpoints(path, labels)
  if (items.length === 0)
    context.err(`no endpoint of ${service} for a client with ${labels.length === 0 ? 'no labels' : labels.join(', ')}\n`)
  else
    context.out(
      tableOf(
        endpointHeadings,
        items.map((item) => endpointRow(item, context.now())),
      ),
    )
  return items.length === 0 ? 1 : 0
}
