// megrez flows: what a Port's node has in its data plane for it at this moment, with counters.
import { defaultNamespace, flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import type { Context, Exit } from '../context.ts'
import { portIn } from '../explain/port-in.ts'
import type { InquiryAnswer } from '../../core/kinds/node/inquiry.ts'
import { loggedLines } from '../output/logged.ts'
import { tableOf } from '../output/table.ts'
import { coloured } from '../output/terminal.ts'
import { Api } from '../rest/api.ts'
import { inquire } from '../rest/inquiry.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  reasons: { type: 'boolean', meaning: 'why each is there, too' },
  logged: { type: 'boolean', meaning: 'in their place the packets that rules of policies have logged of it' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = { of: 'ports', slashed: true }
export const usage = `megrez flows port/NAME [-n NAMESPACE] [--reasons | --logged]

Exit code 1 where one is missing or different.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const port = portIn(given.words, 'flows')
  const api = new Api(await targetOf(given, context), context.signal)
  const namespace = given.text('namespace') ?? defaultNamespace
  const answerTo = async (about: 'explain' | 'log'): Promise<InquiryAnswer> =>
    inquire(api, namespace, { about, port, ttlSeconds: 60 }, context.signal)
  if (given.has('logged')) {
    context.out([...loggedLines((await answerTo('log')).logged ?? []), ''].join('\n'))
    return 0
  }
  const { items = [], truncated } = await answerTo('explain')
  if (items.length === 0) context.err(`${port} is not wired on its node: no data plane does anything for it\n`)
  const reasons = given.has('reasons')
  const rows = items.map(({ where, match, does, because, state, instead, packets, lastUsed }) => [
    where,
    packets === undefined ? '' : String(packets),
    instead === undefined ? state : `${state}: ${instead}`,
    match,
    does,
    ...(reasons ? [lastUsed ?? '', because] : []),
  ])
  const headings = ['Where', 'Packets', 'State', 'Match', 'Does', ...(reasons ? ['Last used', 'Because'] : [])]
  if (rows.length > 0) context.out(tableOf(headings, rows, (cell) => coloured(cell, context.terminal)))
  if (truncated === true) context.err('and more than an answer holds\n')
  return items.every(({ state }) => state === 'there') ? 0 : 1
}
