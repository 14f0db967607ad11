// What is asked inside a pod's namespace, from what is wanted there and what is seen. Pure.
import { contains, parseCidr, blockOf } from '../../core/net/cidr.ts'
import { parseIp, printIp } from '../../core/net/ip.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import { linkScope, type Address } from '../../core/wire/netlink/address.ts'
import type { Link, LinkRef } from '../../core/wire/netlink/link.ts'
import { routeProtocol, type NewRoute, type Route } from '../../core/wire/netlink/route.ts'
import type { Inside, InsideRoute } from './links.ts'

/** An interface as it is seen inside. */
export interface InterfaceInside {
  readonly link: Link
  readonly addresses: readonly Address[]
  readonly routes: readonly Route[]
}

const loopback: NetlinkRequest = { do: 'setLink', of: { index: 1, ifname: 'lo' }, change: { up: true } }

/** Of an interface that has just been made. In the node's own namespace loopback is the node's business. */
export function insideRequests(inside: Inside, on: LinkRef): readonly NetlinkRequest[] {
  return [
    // Before it is up: the kernel gives it no address then.
    ...(inside.netns === undefined ? [{ do: 'setLink', of: on, change: { apart: true } } as const] : [loopback]),
    { do: 'setLink', of: on, change: { up: true } },
    ...inside.addresses.map((address): NetlinkRequest => ({ do: 'putAddress', on, address })),
    ...inside.routes.map((route): NetlinkRequest => ({ do: 'putRoute', route: newRoute(inside, route, on) })),
  ]
}

/** Of one that was there: what is too much goes first, so that an address that changed its length is not there twice. */
export function settleRequests(inside: Inside, within: InterfaceInside, mac: string, mtu: number): readonly NetlinkRequest[] {
  const on = within.link
  const change = { ...(within.link.mac === mac ? {} : { mac }), ...(within.link.mtu === mtu ? {} : { mtu }) }
  const wantedRoutes = new Set(inside.routes.map(routeKey))
  return [
    ...within.routes
      .filter((route) => route.protocol === routeProtocol.static && !wantedRoutes.has(routeKey(route)))
      .map((route): NetlinkRequest => ({
        do: 'dropRoute',
        route: { to: route.to, on, ...(route.via === undefined ? {} : { via: route.via }) },
      })),
    ...strangers(inside, within).map(({ address }): NetlinkRequest => ({ do: 'dropAddress', on, address })),
    ...(Object.keys(change).length === 0 ? [] : [{ do: 'setLink', of: on, change } as const]),
    ...insideRequests(inside, on),
  ]
}

/** Takes off what one says, and nothing that others have put there. */
export function stripRequests(inside: Inside, { link, addresses, routes }: InterfaceInside): readonly NetlinkRequest[] {
  const unwanted = new Set(inside.routes.map(routeKey))
  return [
    ...routes
      .filter((route) => route.protocol === routeProtocol.static && unwanted.has(routeKey(route)))
      .map((route): NetlinkRequest => ({
        do: 'dropRoute',
        route: { to: route.to, on: link, ...(route.via === undefined ? {} : { via: route.via }) },
      })),
    ...addresses
      .filter(({ address }) => inside.addresses.some((each) => sameAddress(each, address)))
      .map(({ address }): NetlinkRequest => ({ do: 'dropAddress', on: link, address })),
  ]
}

/** Addresses that nobody wants; link-local ones and those of a router's making are the kernel's. */
function strangers(inside: Inside, { addresses }: InterfaceInside): readonly Address[] {
  return addresses.filter(
    ({ address, permanent, scope }) => permanent && scope !== linkScope && !inside.addresses.some((wanted) => sameAddress(wanted, address)),
  )
}

const sameAddress = (a: string, b: string): boolean => canonical(a) === canonical(b)

function canonical(prefixedAddress: string): string {
  const [address = '', length = ''] = prefixedAddress.split('/')
  const ip = parseIp(address)
  return ip === undefined ? prefixedAddress : `${printIp(ip)}/${length}`
}

const routeKey = ({ to, via }: { readonly to: string; readonly via?: string }): string =>
  `${canonical(to)} ${via === undefined ? '' : canonical(`${via}/`)}`

function newRoute(inside: Inside, { to, via }: InsideRoute, on: LinkRef): NewRoute {
  if (via === undefined) return { to, on }
  return onLink(inside, via) ? { to, on, via } : { to, on, via, onlink: true }
}

/** Whether an address of the interface has a block that holds it. */
function onLink(inside: Inside, via: string): boolean {
  const gateway = parseIp(via)
  return (
    gateway !== undefined &&
    inside.addresses.some((address) => {
      const [text = '', length] = address.split('/')
      const ip = parseIp(text)
      return ip !== undefined && ip.family === gateway.family && contains(blockOf(ip, Number(length)), gateway)
    })
  )
}

/** In sentences, how what is seen differs from what is wanted. */
export function differences(port: LocalPort, inside: Inside, within: InterfaceInside | undefined): readonly string[] {
  const { ifname } = inside
  if (within === undefined) return [`there is no interface ${ifname}`]
  const { link, addresses, routes } = within
  const mtu = inside.mtu ?? port.mtu
  const hasRoute = ({ to, via }: InsideRoute): boolean =>
    routes.some((route) => routeKey(route) === routeKey({ to, ...(via === undefined ? {} : { via }) }))
  return [
    ...(link.up ? [] : [`${ifname} is down`]),
    ...(link.mac === port.mac ? [] : [`${ifname} has MAC ${link.mac}, not ${port.mac}`]),
    ...(link.mtu === mtu ? [] : [`${ifname} has MTU ${link.mtu}, not ${mtu}`]),
    ...inside.addresses
      .filter((wanted) => !addresses.some(({ address }) => sameAddress(wanted, address)))
      .map((wanted) => `${ifname} has no address ${wanted}`),
    ...inside.routes
      .filter((route) => !hasRoute(route) && !connected(inside, route))
      .map(({ to, via }) => `${ifname} has no route to ${to}${via === undefined ? '' : ` via ${via}`}`),
  ]
}

/** A route that an address brings with it is the kernel's, which may have made it first. */
function connected(inside: Inside, { to, via }: InsideRoute): boolean {
  const block = parseCidr(to)
  return via === undefined && block !== undefined && onLink(inside, printIp({ family: block.family, value: block.first }))
}
