// Who an address is that is asked about by itself, as the nodes of the other end know it.
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { unknown, world } from '../../../core/kinds/policy/tiers.ts'
import { isInBlock } from '../../../core/net/cidr.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { addressLockNameOf } from '../../../core/net/names.ts'
import { blocksAnswered } from '../../../core/plan/node/pieces.ts'
import type { TraceEnd } from '../../../core/policy/trace/trace.ts'
import type { RestDeps } from '../deps.ts'
import type { Ends } from './ends.ts'

type Subnets = ReadonlyMap<string, Resource<'Subnet'>>

/** Of both Ports, by `namespace/name`: read by our own account, as their nodes read them. */
export async function subnetsOf({ store }: RestDeps, { from, to }: Ends): Promise<Subnets> {
  const ports = [from, to].flatMap(({ port }) => port ?? [])
  const refs = ports.map(({ spec, metadata }) => resolveReference(spec.subnet, metadata.namespace ?? ''))
  const subnets = await Promise.all(refs.map((ref) => store.get({ kind: 'Subnet', ...ref })))
  return new Map(subnets.flatMap((subnet) => (subnet === undefined ? [] : [[keyOfItem(subnet), subnet] as const])))
}

interface Where extends Pick<Ends, 'vni' | 'namespace'> {
  readonly subnets: Subnets
}

/** Of an address that is somebody's in the VNI: judged as whoever it is, whose name is not told. */
export async function identified({ store }: RestDeps, { vni, namespace, subnets }: Where, end: TraceEnd): Promise<TraceEnd> {
  const name = end.port === undefined && end.identity === world ? addressLockNameOf(vni, end.address) : undefined
  if (name === undefined) return end
  const lock = await store.get({ kind: 'IPLock', namespace, name })
  return { ...end, identity: lock?.spec.identity ?? (isWithin(end.address, subnets) ? unknown : world) }
}

/** What is in a Subnet and has no identity may be anybody's; its gateway is nobody. */
function isWithin(address: string, subnets: Subnets): boolean {
  const ip = parseIp(address)
  const blocks = [...subnets.values()].flatMap(blocksAnswered)
  return ip !== undefined && blocks.some(({ cidr, gateway }) => isInBlock(cidr, ip) && gateway !== address)
}
