// megrez routes ADDRESS: which nodes announce an address by BGP, and by which next hops others get there, by what is stored.
import type { paths } from '../../openapi/types.ts'
import { flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { tableOf } from '../output/table.ts'
import { Api } from '../rest/api.ts'
import { targetOf } from '../rest/target.ts'

type Way = paths['/v1/routes']['get']['responses'][200]['content']['application/json']['ways'][number]

export const flags: Flags = { ...serverFlags, ...helpFlag }
export const usage = `megrez routes ADDRESS

Exit code 0: some node has it, or a route may come from outside; 1: it leads nowhere.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [to, excess] = given.words
  if (to === undefined) throw new CliError(2, 'say megrez routes ADDRESS')
  refuseExcess(excess)
  const { ways } = await new Api(await targetOf(given, context), context.signal).routes(to)
  if (ways.length === 0) context.err(`no BGPSessionGroup announces ${to}, or takes a route to it\n`)
  else context.out(tableOf(['GROUP', 'VNI', 'PREFIX', 'NEXT HOP', 'ADDRESS', 'SESSIONS'], ways.flatMap(rowsOf)))
  return ways.some(({ hops }) => hops.length > 0) ? 0 : 1
}

const rowsOf = ({ group, vni, prefix, hops }: Way): readonly (readonly string[])[] => {
  const place = [group, String(vni), prefix]
  if (hops.length === 0) return [[...place, 'nobody has it', '-', '-']]
  return hops.map(({ node, session, address, established, configured }) => [
    ...place,
    node ?? session ?? '-',
    address,
    `${established} of ${configured}`,
  ])
}
