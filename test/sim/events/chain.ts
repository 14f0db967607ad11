// Policies with service chains are made, changed and deleted; pods that carry their functions out come, go, move, are ready or not, and
// stop forwarding; and clients and servers talk meanwhile.
import type { SpecOf } from '../../../core/kinds/index.ts'
import type { UnifiedChain } from '../../../core/kinds/policy/unified-chain.ts'
import type { Dice } from '../dice.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { chained, functionPods } from '../layout.ts'
import type { Station } from '../world/traffic.ts'
import { createPod, deletePod, endPod } from './pod.ts'
import { relabelPod } from './policy.ts'
import { podReady } from './service.ts'
import { lateWorkers } from './stale.ts'

const { namespace } = chained
const by = `operator:${namespace}`
const clientPods = ['k1', 'k2'] as const
const serverPods = ['t1', 't2'] as const
/** What functions are labelled with. */
const functionApps = ['fw', 'cache', 'dpi'] as const
/** Each is for pods of its own; what one has of the functions the other has not. */
const policies = { wired: 'client', answered: 'server' } as const
type Named = keyof typeof policies
const about = { anything: undefined, these: [{ protocol: 'udp', l4Port: 9 }], others: [{ protocol: 'tcp', l4Port: 80 }] } as const

interface DrawnChain {
  readonly functions: readonly { readonly app: (typeof functionApps)[number]; readonly onFailure: 'pass' | 'drop' }[]
  readonly about: keyof typeof about
  readonly direction: 'ingress' | 'egress'
  /** For what is said to these alone; absent: to anyone. */
  readonly peers?: string
}
interface Chained {
  readonly name: Named
  /** None: the policy has no chains. */
  readonly chains: readonly DrawnChain[]
}

function drawnChain(dice: Dice, name: Named): DrawnChain {
  const apps = functionApps.toSorted(() => dice.next() - 0.5)
  return {
    functions: apps.slice(0, dice.between(1, 3)).map((app) => ({ app, onFailure: dice.pick(['drop', 'drop', 'pass'] as const) })),
    about: dice.pick(['anything', 'these', 'others', 'anything'] as const),
    direction: dice.pick(['ingress', 'egress'] as const),
    ...(dice.chance(0.5) && { peers: name === 'wired' ? 'server' : 'client' }),
  }
}

export const drawChains = (dice: Dice, name: Named = dice.pick(['wired', 'wired', 'wired', 'answered'] as const)): Chained => ({
  name,
  chains: Array.from({ length: dice.pick([1, 1, 1, 2, 0]) }, () => drawnChain(dice, name)),
})

const chainOf = ({ functions, about: which, direction, peers }: DrawnChain, i: number): UnifiedChain => ({
  name: `chain${i}`,
  direction,
  ...(peers !== undefined && { peers: [{ podSelector: { matchLabels: { app: peers } } }] }),
  ...(about[which] !== undefined && { ports: about[which].map((each) => ({ ...each })) }),
  functions: functions.map(({ app, onFailure }) => ({ name: app, onFailure, pods: { matchLabels: { app } } })),
})

const specOf = ({ name, chains }: Chained): SpecOf<'UnifiedNetworkPolicy'> => ({
  podSelector: { matchLabels: { app: policies[name] } },
  priority: 9,
  ...(chains.length > 0 && { chains: chains.map(chainOf) }),
})

export const putChains = happeningKind<Chained>({
  name: 'put-chains',
  fault: false,
  weight: 10,
  draw: (dice) => drawChains(dice),
  run(args, { outside }) {
    const spec = specOf(args)
    const ref = { kind: 'UnifiedNetworkPolicy', namespace, name: args.name } as const
    outside.spawn('put-chains', async () => {
      const made = await outside.create({ kind: ref.kind, metadata: { namespace, name: ref.name }, spec }, by)
      return made.ok ? made : outside.edit(ref, by, (item) => ({ ...item, spec }))
    })
  },
})

const dropChains = happeningKind<{ readonly name: Named }>({
  name: 'drop-chains',
  fault: false,
  weight: 2,
  draw: (dice) => ({ name: dice.pick(['wired', 'answered'] as const) }),
  run: ({ name }, { outside }) => outside.spawn('drop-chains', () => outside.remove({ kind: 'UnifiedNetworkPolicy', namespace, name }, by)),
})

export const forward = happeningKind<{ readonly name: (typeof functionPods)[number]; readonly forwards: boolean }>({
  name: 'forward',
  fault: false,
  weight: 8,
  draw: (dice) => ({ name: dice.pick(functionPods), forwards: dice.chance(0.5) }),
  run({ name, forwards }, { machines: { functions } }) {
    if (forwards) functions.silent.delete(name)
    else functions.silent.add(name)
  },
})

interface Talk {
  readonly times: number
  readonly everyMs: number
}

const talkByChains = happeningKind<Talk>({
  name: 'talk-by-chains',
  fault: false,
  weight: 14,
  draw: (dice) => ({ times: dice.between(2, 12), everyMs: dice.between(20, 3_000) }),
  run({ times, everyMs }, { traffic, site }) {
    const say = (left: number): void => {
      const all = [...traffic.stations()].filter(isTalker)
      const pairs = all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, to })))
      for (const { from, to } of pairs) for (const address of to.port.addresses) traffic.send(from, address)
      if (left > 1) site.scheduler.after(everyMs, 'clients and servers talk on', () => say(left - 1))
    }
    say(times)
  },
})
const talkers: readonly string[] = [...clientPods, ...serverPods]
const isTalker = ({ inside: { netns = '' } }: Station): boolean => talkers.some((name) => netns.includes(`/${namespace}_${name}_`))

const asPod = (name: string, app: string): object => ({
  namespace,
  name,
  app,
  vpc: chained.vpc,
  nics: [{ subnet: chained.subnet }],
  fate: 'stored',
  twice: false,
  rest: false,
})
const anyPod = [...functionPods, ...functionPods, ...clientPods, ...serverPods] as const
const podDrawn = (dice: Dice): { readonly namespace: string; readonly name: string } => ({ namespace, name: dice.pick(anyPod) })

/** Which function it carries out is told by its label. */
export const drawFunction = (dice: Dice, name: string = dice.pick(functionPods)): object => asPod(name, dice.pick(functionApps))
export const drawTalker = (dice: Dice, name: string = dice.pick(talkers)): object => asPod(name, name.startsWith('k') ? 'client' : 'server')
export const chainTalkers = talkers

export const ofChains: readonly HappeningKind[] = [putChains, dropChains, forward, talkByChains]
/** What happens to any pod, here to those that chains are about. */
export const ofChainedPods = [
  { ...createPod, weight: 14, draw: (dice: Dice) => drawFunction(dice) },
  { ...createPod, weight: 8, draw: (dice: Dice) => drawTalker(dice) },
  { ...deletePod, weight: 8, draw: podDrawn },
  { ...endPod, weight: 2, draw: podDrawn },
  { ...podReady, weight: 6, draw: (dice: Dice) => ({ ...podDrawn(dice), ready: dice.chance(0.6) }) },
  { ...relabelPod, weight: 5, draw: (dice: Dice) => ({ namespace, name: dice.pick(functionPods), app: dice.pick(functionApps) }) },
]
/** Workers that hear late of what decides by whom packets go. */
export const lateOfChains = lateWorkers(['PolicyRuleSet', 'PolicyIdentity', 'UnifiedNetworkPolicy', 'Port', 'Pod'])
