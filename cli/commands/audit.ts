// megrez audit: where the store, its clouds, its nodes and its pods disagree, and with --repair, that it is put right.
import type { StatusOf } from '../../core/kinds/index.ts'
import type { Finding } from '../../core/kinds/vpc/audit.ts'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { Api } from '../rest/api.ts'
import { audited } from '../rest/audit.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  cloud: { type: 'string', value: 'NAME', meaning: 'what this Cloud has, and neither another nor the nodes' },
  repair: { type: 'boolean', meaning: 'put right what is found, and found again once no request can be under way' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = []
export const usage = `megrez audit [--cloud NAME] [--repair]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  if (given.words.length > 0) throw new CliError(2, 'megrez audit takes no names: one Cloud is --cloud NAME')
  const cloud = given.text('cloud')
  const spec = { ...(cloud !== undefined && { cloud }), ...(given.has('repair') && { repair: true }) }
  const { status = {} } = await audited(new Api(await targetOf(given, context), context.signal), spec, context.signal)
  context.out([...(status.findings ?? []).map(lineOf), summaryOf(status), ''].join('\n'))
  return (status.left ?? 0) > 0 ? 1 : 0
}

const lineOf = (finding: Finding): string => {
  const { class: what, message, repair } = finding
  return `${what}: ${message}${placeOf(finding)}${repair === 'gone' ? ': gone' : repair === 'asked' ? ': still so' : ''}`
}

function placeOf({ cloud, kind, id, node }: Finding): string {
  if (node !== undefined) return ` [node ${node}${id === undefined ? '' : `, ${id}`}]`
  return cloud === undefined ? '' : ` [cloud ${cloud}${kind === undefined ? '' : `, ${kind}`}${id === undefined ? '' : ` ${id}`}]`
}

const summaryOf = ({ compared = 0, found = 0, left = 0, nodesAsked = 0, nodesAnswered = 0, truncated }: StatusOf<'Audit'>): string => {
  const nodes = nodesAsked === 0 ? '' : `, ${nodesAnswered} of ${nodesAsked} nodes have answered`
  return `${compared} things compared${nodes}, ${found} found, ${left} left${truncated === true ? '; not all are listed' : ''}`
}
