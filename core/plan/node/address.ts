// Which of a node's addresses others tunnel to: workers write it into IPLocks, its agent listens there. So it is one function.
import type { Resource } from '../../kinds/index.ts'
import { tunnelAddressAnnotation } from '../../kinds/annotations.ts'
import { contains, parseCidr, type Cidr } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'

const within = (address: string, blocks: readonly Cidr[]): boolean => {
  const ip = parseIp(address)
  return ip !== undefined && blocks.some((block) => contains(block, ip))
}

/**
 * What the Node's annotation says, else its first address in the given blocks, else its first InternalIP.
 *
 * @param blocks text of Cidrs; none: any address will do
 */
export function tunnelAddressOf({ metadata, status }: Resource<'Node'>, blocks: readonly string[] = []): string | undefined {
  const verdict = metadata.annotations?.[tunnelAddressAnnotation]
  if (verdict !== undefined) return verdict
  const internal = (status?.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address)
  const wanted = blocks.flatMap((text) => parseCidr(text) ?? [])
  return wanted.length === 0 ? internal[0] : internal.find((address) => within(address, wanted))
}
