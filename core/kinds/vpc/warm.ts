// Ports made ahead: which Ports may take one, and which pool each is of. A pool is a namespace, a Subnet, and a list of security groups.
import { hash80 } from '../../net/names.ts'
import { resolveReference, type Resource } from '../index.ts'

type Port = Resource<'Port'>

/** It names nothing that would have to be chosen when its port is made at the cloud, or be otherwise than with others of its pool. */
export const isPlain = ({
  spec: { ips = [], allowedAddressPairs = [], routedBlocks = [], portSecurity = true, ...named },
}: Port): boolean =>
  portSecurity &&
  ips.length + allowedAddressPairs.length + routedBlocks.length === 0 &&
  (named.mac ?? named.portID ?? named.qosPolicy) === undefined

/** A key of the queue, and part of the names of its Ports: groups of a cloud may have names of any kind. */
export function poolKeyOf({ metadata: { namespace = '' }, spec: { subnet, securityGroups } }: Port): string {
  const where = resolveReference(subnet, namespace)
  const groups = securityGroups === undefined ? ['chosen by the cloud'] : ['named', ...[...securityGroups].sort()]
  return `${namespace}/${hash80(where.namespace, where.name, ...groups)}`
}

const namedBy = (pool: string): string => `warm-${pool.slice(pool.indexOf('/') + 1)}-`
/** Not: whoever changed its groups has brought it into another pool, and it keeps a name from the one that it was made for. */
export const isNamedBy = (pool: string, { metadata: { name } }: Port): boolean => name.startsWith(namedBy(pool))
/** `warm-HASH-NUMBER`: a create of a number that is taken fails, whoever else makes Ports of the pool. */
export const warmName = (pool: string, number: number): string => `${namedBy(pool)}${number}`
