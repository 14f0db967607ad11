// megrez explain KIND/NAME: how an object came to be as it is, and what holds it up; of a Port also what its node does for it.
import type { Resource } from '../../core/kinds/index.ts'
import type { ExplainedItem, LiveItem, PortExplained } from '../../core/node/explained.ts'
import type { Explanation, PlaneExplained } from '../../core/views/explain/explain.ts'
import { planeName } from '../../core/views/explain/plane-names.ts'
import { Api, refusal } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { askAgent } from '../explain/agent.ts'
import { objectIn, portIn } from '../explain/port-in.ts'
import { inquire } from '../rest/inquiry.ts'
import { targetOf, type Target } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  live: {
    type: 'boolean',
    meaning: 'what its node finds there, missing or different: asked through the server; without one, on that node and as root, its agent',
  },
  socket: { type: 'string', value: 'PATH', meaning: 'where that agent listens (MEGREZ_CNI_SOCKET, else /run/megrez/cni.sock)' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = 'objects'
export const usage = `megrez explain port/NAME|pod/NAME|KIND/NAME [-n NAMESPACE] [--live]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const namespace = given.text('namespace') ?? defaultNamespace
  if (given.has('live')) {
    const name = portIn(given.words, 'explain')
    const { explanationOf } = await import('../../core/views/explain/explain.ts')
    const live = await liveOf({ namespace, name }, given, context)
    context.out([...storyOf(explanationOf(live.port, { agents: true })), ...foundOf(live), ''].join('\n'))
  } else {
    const { kind, name } = objectIn(given.words, 'explain what? megrez explain port/NAME, megrez explain pod/NAME')
    const api = new Api(await targetOf(given, context), context.signal)
    const { explanation, problem } = await api.explain(kind, namespace, name)
    if (explanation === undefined) throw refusal(problem!)
    const nics = (explanation.nics ?? []).flatMap((nic) => ['', `Nic ${nic.nic} is ${nic.phase}: ${nic.message}`, ...waysOf(nic)])
    const inVlans = (explanation.interfaces ?? []).flatMap(interfaceLines)
    context.out([...storyOf(explanation), ...nics, ...inVlans, ...(kind === 'Port' ? meantOf(explanation.plane) : []), ''].join('\n'))
  }
  return 0
}

interface Where {
  readonly namespace: string
  readonly name: string
}

/** The agent's own socket where it is named, or there is no server: it also tells what of its node's base is not as it should be. */
async function liveOf({ namespace, name }: Where, given: GivenArguments, context: Context): Promise<PortExplained<Resource<'Port'>>> {
  const { signal, env } = context
  const socket = given.text('socket')
  const target = socket === undefined ? await serverOf(given, context) : undefined
  if (target === undefined) return askAgent(socket ?? env['MEGREZ_CNI_SOCKET'] ?? '/run/megrez/cni.sock', `${namespace}/${name}`, signal)
  const api = new Api(target, signal)
  const port = await got(api, namespace, name)
  const { dataplane, items } = await inquire(api, namespace, { about: 'explain', port: name, ttlSeconds: 60 }, signal)
  return { port, dataplane, ...(items !== undefined && { items }) }
}

/** Undefined where there is none. */
const serverOf = (given: GivenArguments, context: Context): Promise<Target | undefined> =>
  targetOf(given, context).catch((err: unknown) => {
    if (err instanceof CliError && err.exit === 3) return undefined
    throw err
  })

async function got(api: Api, namespace: string, name: string): Promise<Resource<'Port'>> {
  const { item, problem } = await api.get('Port', namespace, name)
  if (problem !== undefined) throw refusal(problem)
  return item as unknown as Resource<'Port'>
}

function storyOf(explanation: Explanation): string[] {
  const { kind, namespace, name, phase, message, conditions } = explanation
  const undone = conditions.filter(({ type }) => type === 'Unsupported').map((each) => `  ${each.reason}: ${each.message}`)
  return [`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} is ${phase}: ${message}`, ...waysOf(explanation), ...undone]
}

/** What was, and where it stands; what is done and not told otherwise needs no words. */
function waysOf({ timeline, steps }: Pick<Explanation, 'timeline' | 'steps'>): string[] {
  const stands = steps.filter(({ state }) => state !== 'done')
  return [
    ...timeline.map(({ time, phase, reason }) => `  ${time}  ${phase}: ${reason}`),
    ...stands.flatMap(({ step, state, because, help }) => [
      `  ${state === 'next' ? 'then' : 'not yet'} ${step}: ${because}`,
      ...(help === undefined ? [] : [`    ${help}`]),
    ]),
  ]
}

/** Who judges it. */
type InterfaceExplained = NonNullable<Explanation['interfaces']>[number]
const interfaceLines = ({ attachment, pod, vlans, state, because, policies }: InterfaceExplained): readonly string[] => [
  '',
  `Interface of pod ${pod} in L2ServiceAttachment ${attachment}, VLAN ${vlans.join(', ') || 'none'}, is ${state}: ${because}`,
  ...policies.map(({ tier, policy: { kind, namespace, name }, rules, audit }) => {
    const whose = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
    return `  ${tier}: ${whose}, ${rules} rule${rules === 1 ? '' : 's'}${audit ? ', in audit' : ''}`
  }),
]

const wordsOf = ({ where, match, does, because }: ExplainedItem): string =>
  `  ${where}\n    ${match}\n    → ${does}\n    because ${because}`

/** As they are rendered from the object: its number is the node's own, and stands as 1 here. */
function meantOf(plane: PlaneExplained | undefined): string[] {
  if (plane === undefined) return ['', 'It is on no node: no data plane does anything for it.']
  return ['', `On ${plane.node}, with ${planeName(plane.dataplane)}:`, ...plane.items.map(wordsOf)]
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

function stateOf({ state, instead, by, packets, lastUsed }: LiveItem): string {
  const counted = packets === undefined ? '' : `, ${packets} packet${packets === 1 ? '' : 's'}`
  return `${state}${instead === undefined ? '' : `: ${instead}`}${by === undefined ? '' : ` by ${by}`}${counted}${lastUsed === undefined ? '' : `, last by ${lastUsed}`}`
}
