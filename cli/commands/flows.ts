// megrez flows: what a Port's node has in its data plane for it at this moment, with counters.
import { defaultNamespace, flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import type { Context, Exit } from '../context.ts'
import { portIn } from '../explain/port-in.ts'
import { tableOf } from '../output/table.ts'
import { coloured } from '../output/terminal.ts'
import { Api } from '../rest/api.ts'
import { inquire } from '../rest/inquiry.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  reasons: { type: 'boolean', meaning: 'why each is there, too' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = { of: 'ports', slashed: true }
export const usage = `megrez flows port/NAME [-n NAMESPACE] [--reasons]

Exit code 1 where one is missing or different.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const port = portIn(given.words, 'flows')
  const api = new Api(await targetOf(given, context), context.signal)
  const { items = [], truncated } = await inquire(
    api,
    given.text('namespace') ?? defaultNamespace,
    { about: 'explain', port, ttlSeconds: 60 },
    context.signal,
  )
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
