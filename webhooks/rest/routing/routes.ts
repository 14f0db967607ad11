// GET /v1/routes: which nodes announce an address by BGP, and how others get there, for whoever may see the BGPSpeakers.
import { vniLockName } from '../../../core/net/names.ts'
import { lockName } from '../../../core/plan/builtin/locks.ts'
import { isInBlock } from '../../../core/net/cidr.ts'
import { parseIp, printIp, type Ip } from '../../../core/net/ip.ts'
import { blocksWith, waysTo } from '../../../core/views/routes.ts'
import { storeFor } from '../../plugins/access.ts'
import { gather, holdAny } from '../across/gather.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { parametersOf } from '../query.ts'

/** By the id of the operation. */
export const routingHandlers = { getRoutes: routesOf }

function routesOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const to = hostIn(parametersOf(request, ['to']))
    const speakers = await gather(deps, request.caller, 'BGPSpeaker', {})
    holdAny([speakers])
    const nodes = new Map<number, readonly string[]>()
    const store = storeFor(deps, request.caller)
    for (const { vni, hostRoutes } of blocksWith(to, speakers!))
      if (hostRoutes && !nodes.has(vni)) nodes.set(vni, await nodesWith(printIp(to), vni, store))
    const ways = waysTo(to, speakers!, (vni) => nodes.get(vni) ?? [])
    return reply.header('cache-control', 'no-store').send({ to: printIp(to), ways })
  }
}

/** @throws BadParameter */
function hostIn({ to = '' }: Readonly<Record<string, string>>): Ip {
  const ip = parseIp(to)
  if (ip === undefined) throw new BadParameter('to', 'must be an address: 10.1.0.7 or 2001:db8::7')
  return ip
}

type Reader = Pick<RestDeps['store'], 'get'>

/**
 * Where its Ports are, by the locks themselves: whoever has it in common with others is on several. Of what is behind a Port where that
 * is.
 *
 * @throws Forbidden
 */
async function nodesWith(address: string, vni: number, store: Reader): Promise<readonly string[]> {
  const segment = await store.get({ kind: 'SegmentLock', name: vniLockName(vni) })
  const namespace = segment?.spec.holder.namespace
  const name = lockName(vni, { address })
  if (namespace === undefined || name === undefined) return []
  const lock = await store.get({ kind: 'IPLock', namespace, name })
  const ip = parseIp(address)
  const behind = (segment?.spec.routedBlocks ?? []).filter(({ cidr }) => ip !== undefined && isInBlock(cidr, ip))
  const holders = [lock?.spec.holder, ...(lock?.spec.shared ?? []), ...behind.map(({ port }) => port)].flatMap((each) =>
    each?.kind !== 'Port' || each.namespace === undefined ? [] : [{ kind: 'Port', namespace: each.namespace, name: each.name } as const],
  )
  const ports = await Promise.all(holders.map((port) => store.get(port)))
  return ports.flatMap((port) => port?.spec.node ?? [])
}
