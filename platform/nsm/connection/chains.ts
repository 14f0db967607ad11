// Who does what with a connection, in order. Each list is one kind of hop.
import type { Random, Uids } from '../../chance.ts'
import type { Clock } from '../../clock.ts'
import type { TunnelPlace } from '../../../core/nsm/connection/tunnel.ts'
import type { Connection } from '../../../core/wire/nsm/connection.ts'
import type { Directory } from '../directory.ts'
import { begin } from './begin.ts'
import { chainOf, type Chain, type Element } from './chain.ts'
import { followService } from './choice/follow-service.ts'
import { selectEndpoint } from './choice/select-endpoint.ts'
import { selectForwarder } from './choice/select-forwarder.ts'
import { heal, type HealOptions } from './client/heal.ts'
import { refresh } from './client/refresh.ts'
import { authorizeNext } from './hops/authorize-next.ts'
import { connect } from './hops/connect.ts'
import { crossConnect, type Wires } from './hops/cross-connect.ts'
import type { Hops } from './hops/hop.ts'
import { translateMechanism, type Preferences } from './hops/translate.ts'
import { authorize, callersOnly, type Owners } from './server/authorize.ts'
import { addContext, type Addition } from './server/context.ts'
import type { EventHub } from './server/event-hub.ts'
import { expire } from './server/expire.ts'
import { ipam, type IpamOptions } from './server/ipam.ts'
import { mechanism, ownNamespace } from './server/mechanism.ts'
import { receiveNamespaces, type Namespaces } from './server/namespaces.ts'
import { monitor } from './server/monitor.ts'
import { trimPath, updatePath } from './server/path.ts'
import { quota } from './server/quota.ts'
import type { Tokens } from '../tokens/token.ts'
import { updateToken } from './server/token.ts'
import { fitTunnel, giveTunnel } from './server/tunnel.ts'

export interface HopOptions {
  /** Of its path segment. */
  readonly name: string
  readonly tokens: Tokens
  readonly clock: Clock
  readonly random: Random
  readonly newId: Uids
  /** Connections that one client may have. */
  readonly most: number
  /** Whose connections are whose; absent: anybody may do anything, as NSM's `authorize any`. */
  readonly owners?: Owners | undefined
}

/** Serves a network service: nothing is behind it. */
export const endpointChain = (hop: HopOptions, hub: EventHub, { mechanisms, addresses, context, namespace }: EndpointOptions): Chain =>
  chainOf([
    ...served(hop, hub),
    trimPath(),
    ...(addresses === undefined ? [] : [ipam(addresses)]),
    ...(context === undefined ? [] : [addContext(context)]),
    mechanism({ offered: mechanisms, random: hop.random, namespace: namespace ?? ownNamespace }),
  ])

export interface EndpointOptions {
  /** Types that it takes. */
  readonly mechanisms: readonly string[]
  /** Absent: it gives none. */
  readonly addresses?: IpamOptions
  readonly context?: Addition
  /** URL of its network namespace, for mechanism KERNEL; absent: as each process finds its own, which only a unix socket makes one. */
  readonly namespace?: string
}

/** Carries connections between clients and the endpoints that it chooses. */
export const forwarderChain = (hop: HopOptions, hub: EventHub, options: ForwarderOptions): Chain =>
  chainOf([
    ...served(hop, hub),
    ...(options.callers === undefined ? [] : [callersOnly(options.callers)]),
    selectEndpoint(options.directory, hop.clock),
    mechanism({ offered: options.mechanisms, random: hop.random }),
    ...(options.tunnels === undefined ? [] : [giveTunnel(options.tunnels, hop.random)]),
    ...(options.wires === undefined ? [] : [crossConnect(options.wires, options.tunnels)]),
    translateMechanism(options.preferences),
    ...(options.tunnels === undefined ? [] : [fitTunnel(options.tunnels)]),
    authorizeNext(hop.clock),
    connect({ ...hop, hops: options.hops, passes: true }),
  ])

export interface ForwarderOptions {
  readonly hops: Hops
  readonly directory: Directory
  /** Types that clients may be carried by. */
  readonly mechanisms: readonly string[]
  /** What endpoints are asked for. */
  readonly preferences: Preferences
  /** Absent: no packets are moved. */
  readonly wires?: Wires | undefined
  /** Of this node, for mechanism VXLAN; absent: none come here, and none go out. */
  readonly tunnels?: TunnelPlace | undefined
  /** True for who may ask it for connections; absent: whoever may by the tokens. */
  readonly callers?: ((spiffeId: string | undefined) => boolean) | undefined
}

/** Leads its node's clients to a forwarder, and other nodes' forwarders to its node's endpoints. */
export const nsmgrChain = (hop: HopOptions, hub: EventHub, options: NsmgrOptions): Chain =>
  chainOf([
    ...served(hop, hub),
    receiveNamespaces(options.namespaces),
    selectForwarder({ directory: options.forwarders, service: options.forwarderService }),
    followService(options.directory),
    addContext({ excludedPrefixes: options.excludedPrefixes }),
    authorizeNext(hop.clock),
    connect({ ...hop, hops: options.hops, passes: true }),
  ])

export interface NsmgrOptions {
  readonly hops: Hops
  readonly directory: Directory
  /** The same services, and endpoints of this node alone. */
  readonly forwarders: Directory
  /** Under which forwarders are registered. */
  readonly forwarderService: string
  /** Blocks that no endpoint may give addresses of. */
  readonly excludedPrefixes: readonly string[]
  /** Where network namespaces are held that clients have sent; absent: nobody here uses them. */
  readonly namespaces?: Namespaces | undefined
}

/** Asks for connections, and keeps them. */
export const clientChain = (hop: Omit<HopOptions, 'most'>, { hops, url, refreshes, healing, answered }: ClientOptions): Chain =>
  chainOf([
    updatePath(hop.name, hop.newId),
    begin(hop.clock),
    ...(refreshes ? [refresh(hop.clock)] : []),
    ...(healing === undefined ? [] : [heal({ ...hop, ...healing })]),
    ...(answered === undefined ? [] : [notify(answered)]),
    to(url),
    authorizeNext(hop.clock),
    connect({ ...hop, hops, passes: false }),
  ])

export interface ClientOptions {
  readonly hops: Hops
  /** Of the nsmgr, or of an endpoint. */
  readonly url: string
  readonly refreshes: boolean
  /** Absent: it is not looked after. */
  readonly healing?: Pick<HealOptions, 'isAlive' | 'onLost' | 'rules'>
  /** Told of every answer: the first, those of refreshes, those of healing. */
  readonly answered?: (connection: Connection) => void
}

/** What every server does first. */
const served = ({ name, tokens, clock, newId, most, owners }: HopOptions, hub: EventHub): readonly Element[] => [
  updatePath(name, newId),
  begin(clock),
  updateToken(tokens),
  ...(owners === undefined ? [] : [authorize(owners, clock)]),
  quota(most),
  expire(clock),
  monitor(hub, { tokens }),
]

const notify = (answered: (connection: Connection) => void): Element => ({
  name: 'notify',
  async request(visit, next) {
    const connection = await next.request(visit)
    answered(connection)
    return connection
  },
})

/** All go to one place. */
const to = (url: string): Element => ({
  name: 'to',
  request: async (visit, next) => next.request({ ...visit, target: url }),
  close: async (visit, next) => next.close({ ...visit, target: url }),
})
