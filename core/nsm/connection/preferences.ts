// By what a forwarder of ours asks to be led to an endpoint: as its client is carried on the endpoint's own node, by VXLAN to another one.
import type { Connection, Mechanism } from '../../wire/nsm/connection.ts'
import { mechanismOf } from './mechanisms.ts'
import { tunnelPreference, type TunnelPlace } from './tunnel.ts'
import { endpointMechanism } from './wire.ts'

/**
 * None: what comes from another node does not go on to a third.
 *
 * @param isOfNode of the URL of the next hop
 */
export const endpointPreferences =
  (place: TunnelPlace, isOfNode: (url: string) => boolean) =>
  (connection: Connection, target: string | undefined): readonly Mechanism[] => {
    const { type } = connection.mechanism ?? {}
    const isHere = target === undefined || isOfNode(target)
    if (type !== 'KERNEL' && type !== 'VXLAN') return [mechanismOf('NOOP')]
    if (isHere) return [endpointMechanism(connection)]
    return type === 'KERNEL' ? [tunnelPreference(place)] : []
  }
