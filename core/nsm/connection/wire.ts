// What a connection of mechanism KERNEL is made of: an interface at each end, joined, with addresses and routes of its context.
// Source: networkservicemesh/sdk-kernel, pkg/kernel/networkservice/connectioncontextkernel (2026-11).
import type { Connection, Mechanism } from '../../wire/nsm/connection.ts'
import { noAddresses } from './ip-context.ts'
import { interfaceName, mechanismOf } from './mechanisms.ts'

/** The interface of one end. */
export interface WireEnd {
  /** URL of its network namespace: `file:///proc/4711/ns/net`, `inode://4/4026532771`. */
  readonly namespace: string
  readonly ifname: string
  /** With their lengths. */
  readonly addresses: readonly string[]
  readonly routes: readonly { readonly to: string; readonly via?: string }[]
}

export interface Wire {
  /** Of the connection, as whoever makes the wire has it: the same after a restart. */
  readonly id: string
  readonly client: WireEnd
  readonly endpoint: WireEnd
  /** Bytes; undefined: the kernel's own. */
  readonly mtu: number | undefined
}

/** As linux/if.h has it, without the final zero; a name of the kernel's own making has a `%`. */
const isInterfaceName = (name: string): boolean => /^[^\s/:%]{1,15}$/.test(name) && name !== '.' && name !== '..'

/** Undefined where one of both ends is no interface of the kernel, or says not where. */
export function wireOf({ id, context }: Connection, client: Mechanism | undefined, endpoint: Mechanism | undefined): Wire | undefined {
  const { srcIpAddrs, srcRoutes, dstIpAddrs, dstRoutes } = context?.ipContext ?? noAddresses
  const [a, b] = [endOf(client, srcIpAddrs, srcRoutes), endOf(endpoint, dstIpAddrs, dstRoutes)]
  const mtu = context?.mtu ?? 0
  return a === undefined || b === undefined ? undefined : { id, client: a, endpoint: b, mtu: mtu === 0 ? undefined : mtu }
}

function endOf(
  mechanism: Mechanism | undefined,
  addresses: readonly string[],
  routes: readonly { readonly prefix: string; readonly nextHop: string }[],
): WireEnd | undefined {
  const [namespace, ifname] = ['inodeURL', 'name'].map((key) => mechanism?.parameters.get(key) ?? '')
  if (mechanism?.type !== 'KERNEL' || !namespace || !ifname || !isInterfaceName(ifname)) return undefined
  return {
    namespace,
    ifname,
    addresses,
    routes: routes.map(({ prefix, nextHop }) => ({ to: prefix, ...(nextHop !== '' && { via: nextHop }) })),
  }
}

/** What a forwarder asks an endpoint for: its interface has the same name after a restart, as it is made of the connection's id. */
export function endpointMechanism({ id, networkService }: Connection): Mechanism {
  let digits = BigInt(`0x0${id.replaceAll(/[^0-9a-f]/gi, '').slice(0, 32)}`)
  const drawn = (): number => {
    const part = Number(digits % 1024n)
    digits /= 1024n
    return part / 1024
  }
  return mechanismOf('kernel', new Map([['name', interfaceName(networkService, drawn)]]))
}
