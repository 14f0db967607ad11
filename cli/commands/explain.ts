// megrez explain port/NAME: how a Port came to be as it is, and what its node's data plane does for it, each with its reason.
import type { Resource } from '../../core/kinds/index.ts'
import type { ExplainedItem, LiveItem, PortExplained } from '../../core/node/explained.ts'
import { Api, refusal } from '../rest/api.ts'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { askAgent } from '../explain/agent.ts'
import { explainFromObject, planeName } from '../explain/planes.ts'
import { kindNamed } from '../kind-names.ts'
import { defaultNamespace } from '../manifests/placed.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  live: { type: 'boolean', meaning: "on the Port's node, as root: what its agent finds there, missing or different" },
  socket: { type: 'string', value: 'PATH', meaning: 'where that agent listens (MEGREZ_CNI_SOCKET, else /run/megrez/cni.sock)' },
  ...serverFlags,
  ...helpFlag,
}
export const summary = 'say why a Port is as it is, and what its node does for it'
export const usage = `megrez explain port/NAME [-n NAMESPACE] [--live]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const name = portIn(given.words)
  const namespace = given.text('namespace') ?? defaultNamespace
  if (given.has('live')) {
    const socket = given.text('socket') ?? context.env['MEGREZ_CNI_SOCKET'] ?? '/run/megrez/cni.sock'
    const live = await askAgent(socket, `${namespace}/${name}`, context.signal)
    context.out([...storyOf(live.port), ...foundOf(live), ''].join('\n'))
  } else {
    const port = await got(new Api(await targetOf(given, context), context.signal), namespace, name)
    context.out([...storyOf(port), ...meantOf(port), ''].join('\n'))
  }
  return 0
}

/** `port/NAME` or `port NAME`. @throws CliError 2 */
function portIn([first = '', ...more]: readonly string[]): string {
  const [kindWord, name, stray] = [...first.split('/'), ...more]
  if (stray !== undefined) throw new CliError(2, `${JSON.stringify(stray)} is one word too many`)
  if (!kindWord || !name) throw new CliError(2, 'explain what? megrez explain port/NAME')
  const kind = kindNamed(kindWord)
  if (kind === 'Port') return name
  throw new CliError(
    2,
    `only a Port can be explained, not a ${kind}: megrez explain port/NAME${kind === 'Pod' ? `; megrez get pod ${name} -o yaml names those of its Nics` : ''}`,
  )
}

async function got(api: Api, namespace: string, name: string): Promise<Resource<'Port'>> {
  const { item, problem } = await api.get('Port', namespace, name)
  if (problem !== undefined) throw refusal(problem)
  return item as unknown as Resource<'Port'>
}

function storyOf({ metadata, status = {} }: Resource<'Port'>): string[] {
  const steps = (status.timeline ?? []).map(({ time, phase, reason }) => `  ${time}  ${phase}: ${reason}`)
  const undone = (status.node?.conditions ?? []).map(({ reason, message }) => `  ${reason}: ${message}`)
  return [
    `Port ${metadata.namespace ?? ''}/${metadata.name} is ${status.phase ?? 'new'}: ${status.message ?? 'nobody has looked at it yet'}`,
    ...steps,
    ...undone,
  ]
}

const wordsOf = ({ where, match, does, because }: ExplainedItem): string =>
  `  ${where}\n    ${match}\n    → ${does}\n    because ${because}`

/** As they are rendered from the object: its number is the node's own, and stands as 1 here. */
function meantOf(port: Resource<'Port'>): string[] {
  const meant = explainFromObject(port)
  if (meant === undefined) return ['', 'It is on no node: no data plane does anything for it.']
  return ['', `On ${meant.node}, with ${planeName(meant.dataplane)}:`, ...meant.items.map(wordsOf)]
}

/** As its node has them at this moment. */
function foundOf({ port, dataplane, items }: PortExplained<Resource<'Port'>>): string[] {
  if (items === undefined) return ['', 'It is not wired on this node: no data plane does anything for it.']
  const there = items.filter(({ state }) => state === 'there').length
  return [
    '',
    `On ${port.spec.node ?? 'this node'}, with ${planeName(dataplane)}, ${there} of ${items.length} are there:`,
    ...items.map((each) => `${wordsOf(each)}\n    ${stateOf(each)}`),
  ]
}

function stateOf({ state, instead, by, packets }: LiveItem): string {
  const counted = packets === undefined ? '' : `, ${packets} packet${packets === 1 ? '' : 's'}`
  return `${state}${instead === undefined ? '' : `: ${instead}`}${by === undefined ? '' : ` by ${by}`}${counted}`
}
