// What a Vpc sends from of a pool is locked before a node is told of it and for a minute after, and is one Vpc's on one node; once all is
// quiet the node says a route to it, and nothing is left of what nobody sends from.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isInBlock } from '../../../core/net/cidr.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { withdrawnMs } from '../../../core/plan/pool/pool-address.ts'
import { egressPool } from '../events/egress.ts'
import { perKind, type Invariant } from '../invariant.ts'
import { epochMs } from '../process.ts'
import type { Truth } from '../truth.ts'
import { isLocked, isUntold, tellingOf } from './pooled.ts'
import { goesWithNamespace } from './with-namespace.ts'

type Vpc = Resource<'Vpc'>
type Fail = (what: string) => void
interface Sender {
  readonly vpc: string
  readonly vni: number | undefined
  readonly node: string
  readonly address: string
}
const textOf = ({ vpc, node, address }: Sender): string => `Vpc ${vpc} sends from ${address} on ${node}`

const isOfPool = (address: string): boolean => {
  const ip = parseIp(address)
  return ip !== undefined && isInBlock(egressPool.cidr, ip)
}
const sendersOf = (vpc: Vpc | undefined): readonly Sender[] =>
  vpc?.status?.egress?.nodes.flatMap(({ node, addresses }) =>
    addresses.filter(isOfPool).map((address) => ({ vpc: keyOfItem(vpc), vni: vpc.status?.vni, node, address })),
  ) ?? []

export const egressPools: Invariant = {
  name: 'egress-pools',
  begin({ site: { truth, scheduler } }, fail) {
    return {
      landed: perKind({
        EgressAddress: (before, after) => after && isLocked(before, after, truth, fail),
        Vpc: (before, after) => toldAnew(sendersOf(before), sendersOf(after), truth, fail),
        IPLock: (before, after) => after === undefined && isAtRest(before!, epochMs + scheduler.now, truth, fail),
      }),
      atRest() {
        const senders = [...truth.values('Vpc')].flatMap(sendersOf)
        for (const each of senders) if (!isSaid(each, truth)) fail(`${textOf(each)}, and its node says no route to it`)
        nothingIsLeft(senders, truth, fail)
      },
    }
  },
}

/** Its owner lends it, agrees to a group that says it, and it is locked for that. A class without a pool asks nothing of anybody. */
export function mayUsePool(vpc: Vpc, { spec: { pool } }: Resource<'EgressClass'>, truth: Truth): boolean {
  if (pool === undefined) return true
  const subnet = truth.at('Subnet', pool)
  if (subnet?.status?.validated !== true || subnet.metadata.deletionTimestamp !== undefined) return false
  const owner = truth.at('Vpc', `${subnet.metadata.namespace}/${subnet.spec.vpc}`)
  return owner !== undefined && isLentTo(vpc, owner) && isToBeSaid(subnet, owner, truth)
}

const isLentTo = ({ metadata: { namespace = '' } }: Vpc, owner: Vpc): boolean =>
  namespace === owner.metadata.namespace || owner.spec.sharedWith?.includes(namespace) === true

function isToBeSaid({ metadata: { namespace, name, uid } }: Resource<'Subnet'>, owner: Vpc, truth: Truth): boolean {
  const groups = [...truth.values('BGPSessionGroup')].filter(({ spec }) =>
    spec.advertise?.subnets?.some((each) => each.namespace === namespace && each.name === name),
  )
  const isAgreedTo = groups.some(({ metadata }) => owner.spec.bgpSessionGroups?.includes(metadata.name))
  return isAgreedTo && [...truth.values('PrefixLock')].some(({ spec }) => spec.prefixes.some((each) => each.uid === uid))
}

function toldAnew(was: readonly Sender[], is: readonly Sender[], truth: Truth, fail: Fail): void {
  for (const each of is.filter(({ node, address }) => !was.some((one) => one.node === node && one.address === address))) {
    const own = [...truth.values('EgressAddress')].some(({ spec }) => spec.vpc === each.vpc && spec.node === each.node && has(spec, each))
    if (!own) fail(`${textOf(each)}, and no EgressAddress says so`)
    const rival = [...truth.values('Vpc')].flatMap(sendersOf).find((one) => one.address === each.address && textOf(one) !== textOf(each))
    if (rival !== undefined) fail(`${textOf(each)}, and ${textOf(rival)}`)
  }
}
const has = ({ addresses }: Resource<'EgressAddress'>['spec'], { address }: Sender): boolean => addresses.includes(address)

/**
 * Whoever deleted it may have a clock that is a little ahead. A namespace that goes takes its locks with it; the block of the pool rests
 * in its PrefixLock all the same.
 */
function isAtRest(lock: Resource<'IPLock'>, now: number, truth: Truth, fail: Fail): void {
  const there = tellingOf('EgressAddress', lock, truth)
  if (there === undefined || goesWithNamespace(lock, truth)) return
  const { deletionTimestamp } = there.metadata
  if (deletionTimestamp === undefined || now < Date.parse(deletionTimestamp) + withdrawnMs - 1_000)
    fail(`${lock.spec.address} is free, and answers to it may still come to ${there.spec.node} for EgressAddress ${keyOfItem(there)}`)
}

const isSaid = ({ vni, node, address }: Sender, truth: Truth): boolean =>
  truth
    .at('BGPSpeaker', node)
    ?.spec.groups.some(({ advertise }) => advertise.some((each) => each.vni === vni && each.cidr === `${address}/32`)) === true

function nothingIsLeft(senders: readonly Sender[], truth: Truth, fail: Fail): void {
  for (const { metadata, spec } of truth.values('EgressAddress'))
    if (
      metadata.deletionTimestamp === undefined &&
      !senders.some((each) => each.vpc === spec.vpc && each.node === spec.node && has(spec, each))
    )
      fail(`EgressAddress ${metadata.namespace}/${metadata.name} is left over: Vpc ${spec.vpc} does not send from it on ${spec.node}`)
  for (const lock of truth.values('IPLock'))
    if (isUntold('EgressAddress', lock, truth)) fail(`${lock.spec.address} is locked for an EgressAddress that does not tell of it`)
}
