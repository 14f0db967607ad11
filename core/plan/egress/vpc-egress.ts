// What a Vpc's report says of how it sends outside; its nodes go by it.
import type { Resource, StatusOf } from '../../kinds/index.ts'
import { keyOfItem } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { addressesOf, type BGPNet } from '../bgp/net.ts'
import type { Plan, Step } from '../plan.ts'
import { exceptMost, leftBlocks, type LeftBlocks } from './blocks.ts'
import { givenBack, planPool, poolFor, withoutText, type EgressAction } from './pool.ts'

type Vpc = Resource<'Vpc'>
type VpcEgress = NonNullable<StatusOf<'Vpc'>['egress']>

export interface EgressNet {
  readonly egressClass: (name: string) => Resource<'EgressClass'> | undefined
  /** All of the cluster. */
  readonly nodes: () => Iterable<Resource<'Node'>>
  readonly bgp: () => BGPNet
  /** What a Vpc has of pools, those that go among them. */
  readonly addressesOf: (vpc: string) => Iterable<Resource<'EgressAddress'>>
  /** Names of those that have a Port in a Vpc, of which `namespace/name` is given. */
  readonly nodesOf: (vpc: string) => Iterable<string>
}

export const egressCondition = 'Egress'
interface Verdict {
  readonly reason: string
  readonly message: string
  /** Absent: it is not let out. */
  readonly egress?: VpcEgress
  /** It is let out on some nodes, and on others not. */
  readonly isPartly?: boolean
  readonly steps?: readonly Step<EgressAction>[]
}

/** A plan of a Vpc, with what it tells of this. Only one that is in place tells nodes of it, and has addresses of a pool. */
export function withEgress<Action>(plan: Plan<Action>, vpc: Vpc, net: EgressNet): Plan<Action | EgressAction> {
  const name = vpc.spec.egressClass
  if (plan.phase === 'deleted') return plan
  const had = [...net.addressesOf(keyOfItem(vpc))]
  const isNew = vpc.status?.egress === undefined && had.length === 0
  if (name === undefined) return isNew ? plan : withSection(plan, undefined, givenBack(vpc, had))
  return withVerdict(plan, plan.phase === 'ready' ? verdictOf(vpc, name, net) : notYet, givenBack(vpc, had))
}

/** @param back what is given back where the verdict says nothing of it: all of it */
function withVerdict<Action>(plan: Plan<Action>, verdict: Verdict, back: readonly Step<EgressAction>[]): Plan<Action | EgressAction> {
  const { reason, message, egress, isPartly = false, steps = back } = verdict
  const condition = conditionOf(egress !== undefined && !isPartly, { reason, message })
  return { ...withSection(plan, egress, steps), conditions: [...(plan.conditions ?? []), condition] }
}
const conditionOf = (is: boolean, why: Pick<Verdict, 'reason' | 'message'>) =>
  ({ type: egressCondition, status: is ? 'True' : 'False', ...why }) as const
const withSection = <Action>(
  plan: Plan<Action>,
  egress: VpcEgress | undefined,
  steps: readonly Step<EgressAction>[],
): Plan<Action | EgressAction> => ({
  ...plan,
  steps: [...plan.steps, ...steps],
  sections: { ...plan.sections, egress: egress === undefined ? {} : { egress } },
})
const notYet: Verdict = { reason: 'VpcNotReady', message: 'until the Vpc has its VNI' }

/**
 * Whether a plan lets out other than before, no longer, or is about to: then all sides' word is read live. A worker that hears late of
 * what the operator says now would take away what another has just granted.
 */
export const letsOutOtherwise = ({ status }: Vpc, { sections, steps }: Plan<{ readonly do: string }>): boolean => {
  const after = (sections?.egress as { readonly egress?: VpcEgress } | undefined)?.egress
  return !sameJson(after, status?.egress) || steps.some(({ action }) => action.do.endsWith('EgressAddress'))
}

/** Nodes whose address is given back as they have no Port of it: one that nobody has heard of would lose its connections. */
export const leftNodes = ({ sections, steps }: Plan<EgressAction | { readonly do: string }>): readonly string[] => {
  const isLetOut = (sections?.egress as { readonly egress?: VpcEgress } | undefined)?.egress !== undefined
  return steps.flatMap(({ action }) =>
    isLetOut && action.do === 'deleteEgressAddress' && 'address' in action ? [action.address.spec.node] : [],
  )
}

function verdictOf(vpc: Vpc, name: string, net: EgressNet): Verdict {
  const key = keyOfItem(vpc)
  const egressClass = net.egressClass(name)
  if (egressClass === undefined) return { reason: 'ClassNotFound', message: `EgressClass ${name} not found` }
  if (egressClass.metadata.deletionTimestamp !== undefined) return { reason: 'ClassGoing', message: `EgressClass ${name} is being deleted` }
  if (!egressClass.spec.vpcs.includes(key))
    return { reason: 'NotAgreed', message: `EgressClass ${name} does not name ${key} in spec.vpcs: ask the operator` }
  const all = [...net.nodes()]
  const { to, except } = leftBlocks(egressClass, { nodes: all, groups: net.bgp().groups })
  if (except.length > exceptMost)
    return {
      reason: 'TooManyBlocks',
      message: `${except.length} blocks would be left out, nodes among them, of ${exceptMost} at most: let EgressClass ${name} name wider ones in spec.except`,
    }
  const there = nodesOf(key, all, net)
  const { pool } = egressClass.spec
  if (pool !== undefined) return verdictByPool(vpc, { egressClass: name, pool, to, except }, { there, net })
  return {
    reason: 'InForce',
    message: `what no router of it knows leaves by EgressClass ${name}, from addresses of its nodes`,
    egress: { class: name, to: [...to], except: [...except], nodes: there.flatMap(ownAddresses) },
  }
}

interface PoolAsked extends LeftBlocks {
  readonly egressClass: string
  readonly pool: string
}
interface Around {
  readonly there: readonly Resource<'Node'>[]
  readonly net: EgressNet
}
function verdictByPool(vpc: Vpc, { egressClass, pool: key, to, except }: PoolAsked, { there, net }: Around): Verdict {
  const pool = poolFor(vpc, key, net.bgp())
  if ('reason' in pool) return pool
  const { nodes, without, steps } = planPool(vpc, pool, there, [...net.addressesOf(keyOfItem(vpc))])
  const egress = { class: egressClass, to: [...to], except: [...except], nodes: [...nodes] }
  return without.length === 0
    ? { reason: 'InForce', message: `what no router of it knows leaves by EgressClass ${egressClass}, from Subnet ${key}`, egress, steps }
    : { reason: 'NotOnAllNodes', message: `nothing leaves ${withoutText(without)}`, egress, isPartly: true, steps }
}

/** Those that have a Port of it, in order. */
function nodesOf(vpc: string, all: readonly Resource<'Node'>[], net: EgressNet): readonly Resource<'Node'>[] {
  const byName = new Map(all.map((node) => [node.metadata.name, node]))
  return [...net.nodesOf(vpc)].sort().flatMap((name) => byName.get(name) ?? [])
}

function ownAddresses(node: Resource<'Node'>): VpcEgress['nodes'] {
  const { ipv4, ipv6 } = addressesOf(node)
  const addresses = [ipv4, ipv6].flatMap((each) => each ?? [])
  return addresses.length === 0 ? [] : [{ node: node.metadata.name, addresses }]
}
