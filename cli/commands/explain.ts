// megrez explain port/NAME: how a Port came to be as it is, and what its node's Open vSwitch does for it, each with its reason.
import type { Resource } from '../../core/kinds/index.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { explain } from '../../core/pipeline/explain.ts'
import { localPortOf } from '../../core/plan/node-pieces.ts'
import { Api, refusal } from '../api.ts'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { defaultNamespace } from '../placed.ts'
import { targetOf } from '../target.ts'

export const flags: Flags = { namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' }, ...serverFlags, ...helpFlag }
export const summary = 'say why a Port is as it is, and what its node does for it'
export const usage = `megrez explain port/NAME [-n NAMESPACE]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const name = /^ports?\/(.+)$/.exec(given.words[0] ?? '')?.[1]
  if (name === undefined) throw new CliError(2, 'megrez explain port/NAME: a Port is explained')
  const namespace = given.text('namespace') ?? defaultNamespace
  const api = new Api(await targetOf(given, context), context.signal)
  const port = await got(api, namespace, name)
  context.out([...storyOf(port), ...flowsOf(port), ''].join('\n'))
  return 0
}

async function got(api: Api, namespace: string, name: string): Promise<Resource<'Port'>> {
  const { item, problem } = await api.get('Port', namespace, name)
  if (problem !== undefined) throw refusal(problem)
  return item as unknown as Resource<'Port'>
}

function storyOf({ metadata, status = {} }: Resource<'Port'>): string[] {
  const steps = (status.timeline ?? []).map(({ time, phase, reason }) => `  ${time}  ${phase}: ${reason}`)
  const undone = (status.node?.conditions ?? []).map(({ reason, message }) => `  ${reason}: ${message}`)
  return [`Port ${metadata.namespace ?? ''}/${metadata.name} is ${status.phase ?? 'new'}: ${status.message ?? 'nobody has looked at it yet'}`, ...steps, ...undone]
}

/** As they are rendered from the objects: its number is the node's own, and stands as 1 here. */
function flowsOf(port: Resource<'Port'>): string[] {
  const local = localPortOf(port, { number: 1, mtu: 1450 })
  const { node } = port.spec
  if (local === undefined || node === undefined) return ['', 'It is on no node: no switch does anything for it.']
  const renderer = switchRenderer(() => ({ node, bridge: 'mgz-int', datapath: 'netdev', tunnelAddress: port.status?.hostIP ?? '', tunnelL4Port: 4789, uplinks: {} }))
  return ['', `On ${node}, with Open vSwitch:`, ...explain(renderer.port(local)).map(({ where, match, does, because }) => `  ${where}\n    ${match}\n    → ${does}\n    because ${because}`)]
}
