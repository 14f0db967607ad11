// The service chains of a policy in one VNI: labels to the Ports that carry functions out, and whom a chain is about to addresses.
import type { CompiledChain, PolicyChains } from '../../kinds/policy/chain.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { holds, type Labels } from '../label-selector.ts'
import type { CommonChain, CommonFunction, CommonPolicy, CommonRule } from '../one-form.ts'
import { blockOf } from '../network.ts'
import type { Problems } from '../problem.ts'
import { partsOf, type Around, type Part } from './resolve.ts'

/** Ports whose packets go by the chains of one policy in one VNI, and Ports that carry out one function. */
export const [endsMost, instancesMost] = [256, 16]
/** Flows of one chain and way, or of what is inspected: each block is there with each port, and a range of ports is some of them. */
export const matchesMost = 4_096
const ofRange = 30

/** A Port of a VNI, as chains look at it. */
export interface ChainPort {
  /** Its UID. */
  readonly port: string
  /** `namespace/name`. */
  readonly name: string
  readonly mac: string
  readonly addresses: readonly string[]
  readonly namespace: string
  /** Its pod's, or its own. */
  readonly labels: Labels
  /** Of its PolicyIdentity. */
  readonly identity?: number
  /** It names the policy's rule set: whether that selects it still or not, it is judged by it. */
  readonly isJudged: boolean
  /** Which of its pod's it is. */
  readonly nic?: string
  /** It, and its pod, may serve now. */
  readonly isReady: boolean
  /** Why it carries no function out however ready it is: a sentence of which it is the subject. */
  readonly unfit?: string
}

type Options = Around & { readonly chainPorts?: () => readonly ChainPort[] }
interface To {
  readonly options: Options
  readonly problems: Problems
}

/** Undefined: the policy has none. Without anybody to go by them nobody carries out their functions, and others may have those Ports. */
export function compileChains({ chains: all = [] }: CommonPolicy, subjects: readonly number[], to: To): PolicyChains | undefined {
  if (all.length === 0) return undefined
  const { options, problems } = to
  const ports = [...(options.chainPorts?.() ?? [])].sort((a, b) => (a.mac < b.mac ? -1 : 1))
  const own = ports.filter(({ identity, isJudged }) => isJudged || (identity !== undefined && subjects.includes(identity)))
  if (own.length > endsMost) problems.unsupported('/spec/chains', `is for more than ${endsMost} Ports: nothing passes at those above`)
  const places = placesOf(own)
  const chains = all.flatMap((chain, index) => {
    const functions = functionsOf(chain, { ports: own.length === 0 ? [] : ports, places }, problems)
    const [part] = partsOf(chain.rule, subjects, options)
    const { name, rule } = chain
    return part === undefined ? [] : [{ index, name, direction: rule.direction, ...whom(part, rule, { ports, problems }), functions }]
  })
  return { ends: own.slice(0, endsMost).map(({ mac, addresses }) => ({ mac, addresses: [...addresses] })), chains }
}

/**
 * Nothing is handed to functions in a VLAN. Who is to go by one that is not left out is not let past it.
 *
 * @returns the policy with rules that deny what such chains are about
 */
export function closedInVlans(policy: CommonPolicy, problems: Problems): CommonPolicy {
  const { chains = [], onUnsupported, rules, traffic } = policy
  if (traffic?.minEgress !== undefined) problems.unsupported('/spec/bandwidth/min', 'is not booked in a VLAN')
  for (const { rule } of chains) problems.unsupported(rule.source, 'goes by functions, to which nothing is handed in a VLAN')
  if (onUnsupported === 'allow') return policy
  const closed = chains.filter(({ functions }) => functions.some(({ onFailure }) => onFailure === 'drop'))
  return { ...policy, rules: [...closed.map(({ rule }) => rule), ...rules] }
}

/** UID of a Port → what it is in the policy, after `it`. */
type Places = Map<string, string>
const placesOf = (own: readonly ChainPort[]): Places => new Map(own.map(({ port }) => [port, 'is one of those that the policy is for']))

interface Among {
  readonly ports: readonly ChainPort[]
  /** Whoever carries a function out is in it afterwards. */
  readonly places: Places
}

function functionsOf({ functions, rule }: CommonChain, among: Among, problems: Problems): CompiledChain['functions'] {
  return functions.map((each, i) => {
    const path = `${rule.source}/functions/${i}/pods`
    const selected = among.ports.filter((port) => isSelected(port, each))
    const able = selected.filter((port) => whyNot(port, among.places) === undefined)
    const ready = able.filter(({ isReady }) => isReady)
    const instances = ready.slice(0, instancesMost)
    if (among.ports.length > 0) sayOf(each, { path, selected, ready, places: among.places }, problems)
    for (const { port } of instances) among.places.set(port, `carries out ${each.name} before`)
    const { name, onFailure } = each
    return { name, onFailure, instances: instances.map(({ port, mac, addresses }) => ({ port, mac, addresses: [...addresses] })) }
  })
}

const isSelected = ({ namespace, labels, nic }: ChainPort, { pods, nic: wanted }: CommonFunction): boolean =>
  pods !== undefined && namespace === pods.namespace && holds(pods.labels ?? [], labels) && (wanted === undefined || wanted === nic)

const whyNot = ({ port, unfit }: ChainPort, places: Places): string | undefined => places.get(port) ?? unfit

interface Chosen {
  readonly path: string
  readonly selected: readonly ChainPort[]
  readonly ready: readonly ChainPort[]
  readonly places: Places
}

/** Of those that are only not ready yet nothing is said, as long as others are. */
function sayOf({ onFailure }: CommonFunction, { path, selected, ready, places }: Chosen, problems: Problems): void {
  const none = ready.length === 0 ? [`is carried out by nobody, and ${onFailure === 'drop' ? 'nothing passes' : 'is left out'}`] : []
  const more = ready.length > instancesMost ? [`is carried out by the first ${instancesMost} of ${ready.length} Ports`] : []
  const refused = selected.flatMap((port) => {
    const why = whyNot(port, places)
    return why === undefined ? [] : [`Port ${port.name} does not, as it ${why}`]
  })
  const others = refused.length > 1 ? [`and ${refused.length - 1} more do not`] : []
  const all = [...none, ...more, ...(none.length + more.length === 0 && refused.length > 0 ? ['is not carried out by all'] : [])]
  if (all.length > 0) problems.unsupported(path, [...all, ...refused.slice(0, 1), ...others].join(': '))
}

interface Who {
  readonly ports: readonly ChainPort[]
  readonly problems: Problems
}

/** Too many of them are anyone: who is to go by a function does not go past it. */
function whom({ peers, transport }: Part, { source }: CommonRule, { ports, problems }: Who): Pick<CompiledChain, 'blocks' | 'transport'> {
  const as = transport === undefined ? {} : { transport: [...transport] }
  if (peers === undefined) return as
  const named = ports.filter(({ identity }) => identity !== undefined && peers.identities.includes(identity))
  const blocks = [...new Set([...peers.blocks, ...named.flatMap(({ addresses }) => addresses.map(blockOf))])]
  if (blocks.length * portsIn(transport) <= matchesMost) return { blocks, ...as }
  problems.unsupported(`${source}/peers`, `comes to more than ${matchesMost} blocks with ports: the chain is for anyone`)
  return as
}

export const portsIn = (transport: readonly TransportMatch[] = [{ protocol: 0 }]): number =>
  transport.reduce((sum, { first, last }) => sum + (last === undefined || last === first ? 1 : ofRange), 0)
