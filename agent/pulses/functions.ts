// Whether Ports that carry functions out forward: each is handed a packet whose time is up there, and says so while it forwards. One that
// has never answered may be no router that says such things, or have no route.
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { pulseFilter } from '../../core/wire/guest/filter.ts'
import { pulseFrame } from '../../core/wire/guest/pulse.ts'
import { lastOf, portOf } from '../ports/node-status.ts'
import type { Pulse } from './pulses.ts'

export const ofFunctions: Pulse = {
  /** Linux says at most one such thing a second to one address (icmp_ratelimit), some at once. */
  everyMs: 1_000,
  field: 'silent',
  about: 'whether a function of a chain forwards',
  isAsked({ uid, type }, env) {
    const port = type === 'dpdk' || env.plane.name !== 'ovs' ? undefined : portOf(uid, env)
    const { chain, silent } = (port && lastOf(port, env)) ?? {}
    return chain !== undefined || silent === true
  },
  frame: ({ mac }) => pulseFrame(mac, gatewayMac),
  filter: pulseFilter,
}
