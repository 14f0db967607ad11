// A client of a NetworkService is told of an endpoint only while that serves it (or did 5 s before), at addresses that are locked for it,
// and keeps its own addresses and MAC whichever endpoint it has. Once all is quiet each client has a Connection, to an endpoint that is
// there, matches and serves, if one does; nothing is left of clients, endpoints and services that are gone; and it reaches its endpoint
// and nobody else.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { endpointGroupName } from '../../../core/net/names.ts'
import { lockName } from '../../../core/plan/builtin/locks.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { World } from '../happening.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import { isHolder } from './lock-holder.ts'
import { goesWithNamespace } from './with-namespace.ts'

type Port = Resource<'Port'>
type Connection = Resource<'Connection'>

/** A worker reads all of it live before it tells more; what it then writes may be on its way for so long. */
const underWayMs = 5_000

export const connections: Invariant = {
  name: 'connections',
  begin(world, fail) {
    const { scheduler, truth } = world.site
    /** Key of a Port → when it last served, and with what. */
    const served = new Map<string, { readonly port: Port; readonly until: number }>()
    /** UID of a Port → when it was last a client. */
    const clientUntil = new Map<string, number>()
    const isRecent = (until: number | undefined): boolean => until !== undefined && scheduler.now - until < underWayMs
    const servingAt = (key: string): Port | undefined => {
      const port = truth.at('Port', key)
      if (isServing(port)) return port
      const before = served.get(key)
      return isRecent(before?.until) ? before?.port : undefined
    }
    const isLocked = (port: Port, address: string): boolean => {
      if (!isServing(truth.at('Port', keyOfItem(port)))) return true
      const name = lockName(segmentOf(port) ?? 0, { address })
      return [...truth.values('IPLock')].some((lock) => lock.metadata.name === name && isHolder(lock, port.metadata.uid))
    }
    const told = { servingAt, isLocked }
    return {
      landed: perKind({
        Port(before, after) {
          if (before !== undefined && isServing(before) && !isServing(after))
            served.set(keyOfItem(before), { port: before, until: scheduler.now })
          if (before !== undefined && isClient(before) && !isClient(after)) clientUntil.set(before.metadata.uid, scheduler.now)
          const changed = after && isClient(after) ? changedBy(before, after) : undefined
          if (changed !== undefined) fail(`client ${keyOfItem(after!)} ${changed}`)
        },
        Connection(before, after) {
          if (after === undefined) return
          const { spec } = after
          const isOfClient = truth.at('Port', keyOfItem(after))?.metadata.uid === spec.portUID || isRecent(clientUntil.get(spec.portUID))
          if (before === undefined && !isOfClient) fail(`Connection ${keyOfItem(after)} is made, and its client is gone`)
          for (const problem of toldWrongly(before, after, told)) fail(`Connection ${keyOfItem(after)} ${problem}`)
          for (const problem of movedWrongly(before, after)) fail(`Connection ${keyOfItem(after)} ${problem}`)
        },
      }),
      atRest() {
        const ports = [...truth.values('Port')]
        for (const port of ports.filter(isClient)) for (const problem of connectedWrongly(port, truth)) fail(`at rest ${problem}`)
        for (const problem of leftOver(truth)) fail(`at rest ${problem}`)
        for (const port of ports.filter(isEndpointPort)) for (const problem of joinedWrongly(port, truth)) fail(`at rest ${problem}`)
        for (const problem of [...reachedWrongly(world), ...saidUnreachable(world)]) fail(`at rest ${problem}`)
      },
    }
  },
}

const isStaying = ({ metadata }: Resource): boolean => metadata.deletionTimestamp === undefined
const isClient = (port: Port | undefined): port is Port => port?.spec.networkService?.as === 'client' && isStaying(port)
const isEndpointPort = (port: Port | undefined): port is Port => port?.spec.networkService?.as === 'endpoint' && isStaying(port)
const isServing = (port: Port | undefined): port is Port =>
  isEndpointPort(port) && port.status?.phase === 'ready' && (port.status.addresses ?? []).length > 0 && port.status.node?.wired === true

/** Which endpoint it has changes nothing about itself. */
function changedBy(before: Port | undefined, after: Port): string | undefined {
  const [was, is] = [before, after].map((port) => port?.status?.addresses && JSON.stringify([port.status.addresses, port.status.mac]))
  const isOtherwise = was !== undefined && is !== undefined && was !== is
  return isOtherwise && before?.spec.networkService?.endpoint !== undefined ? `was ${was} and is ${is}` : undefined
}

interface EndpointLookup {
  servingAt(key: string): Port | undefined
  isLocked(port: Port, address: string): boolean
}
/** Of another endpoint than before. */
function* toldWrongly(before: Connection | undefined, { spec, status = {} }: Connection, told: EndpointLookup): Generator<string> {
  const { endpoint, endpointPort = '', addresses = [] } = status
  if (endpoint === undefined || endpoint === endpointOf(before)) return
  const port = told.servingAt(endpointPort)
  if (port === undefined || serviceOf(port) !== spec.networkService)
    return yield `tells of ${endpoint}, which does not serve ${spec.networkService}`
  const unlocked = addresses.find((address) => !told.isLocked(port, address))
  if (unlocked !== undefined) yield `tells of ${endpoint} at ${unlocked}, which is not locked for it`
}
const serviceOf = (port: Port): string | undefined => port.spec.networkService?.name

const endpointOf = (connection: Connection | undefined): string | undefined => connection?.status?.endpoint
/** Each move begins where the last has ended, and the last at what it is told of. */
function* movedWrongly(before: Connection | undefined, after: Connection): Generator<string> {
  const [endpoint, moves] = [endpointOf(after), after.status?.moves ?? []]
  const last = moves.at(-1)?.to
  if (before !== undefined && endpointOf(before) !== endpoint && last !== endpoint) yield `has ${endpoint}, and moved to ${last} last`
  const broken = moves.slice(1).find(({ from }, i) => from !== moves[i]!.to)
  if (broken !== undefined) yield `moved from ${broken.from}, where it was not`
}

function* connectedWrongly(client: Port, truth: Truth): Generator<string> {
  const key = keyOfItem(client)
  const connection = truth.at('Connection', key)
  if (connection?.spec.portUID !== client.metadata.uid) return yield `client ${key} has no Connection`
  const [is, says] = [connection.status, client.spec.networkService].map((each) => [each?.endpoint, each?.endpointPort, each?.addresses])
  if (!sameJson(is, says)) yield `Connection ${key} says ${JSON.stringify(is)}, and its Port ${JSON.stringify(says)}`
  yield* chosenWrongly(connection, client, truth)
}

function* chosenWrongly(connection: Connection, client: Port, truth: Truth): Generator<string> {
  const { endpoint = 'nobody', endpointPort, addresses } = connection.status ?? {}
  const candidates = [...truth.values('Port')].filter((each) => isFor(each, client, truth))
  const has = candidates.find((each) => keyOfItem(each) === endpointPort)
  const open = candidates.filter((each) => isOpen(each, truth)).map((each) => keyOfItem(each))
  const key = keyOfItem(connection)
  if (open.length > 0 && !open.some((each) => each === endpointPort)) yield `Connection ${key} is to ${endpoint}, and ${open.join()} serves`
  if (has !== undefined) yield* toldOtherwise(key, addresses, addressesOf(has))
  else if (endpointPort !== undefined) yield `Connection ${key} is to ${endpoint}, which is none of its endpoints`
}

const addressesOf = ({ status }: Port): readonly string[] => status?.addresses ?? []
function* toldOtherwise(key: string, told: readonly string[] = [], is: readonly string[]): Generator<string> {
  if (!sameJson(told, is)) yield `Connection ${key} says that its endpoint is at ${told.join()}, and it is at ${is.join()}`
}

/** An endpoint of the client's service that the service leads it to. */
function isFor(endpoint: Port, client: Port, truth: Truth): boolean {
  const name = client.spec.networkService!.name
  const service = truth.at('NetworkService', name)
  if (service === undefined || !isEndpointPort(endpoint) || endpoint.spec.networkService!.name !== name) return false
  const isInOne = segmentOf(endpoint) !== undefined && segmentOf(endpoint) === segmentOf(client)
  return isInOne && isLedTo(service, client.spec.networkService!.labels, endpoint.spec.networkService!.labels)
}

type Labels = Readonly<Record<string, string>> | undefined
/** By the first match that fits the client; without fallthrough and templates, which no case has. */
function isLedTo({ spec: { matches = [] } }: Resource<'NetworkService'>, client: Labels, endpoint: Labels): boolean {
  const first = matches.find(({ source_selector }) => isWithin(source_selector, client))
  if (matches.length === 0) return true
  return first?.routes?.some(({ destination_selector }) => isWithin(destination_selector, endpoint)) === true
}
const isWithin = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector ?? {}).every(([name, value]) => labels?.[name] === value)

/** Serves, and is not to be left. */
const isOpen = (port: Port, truth: Truth): boolean =>
  isServing(port) &&
  port.status?.node?.unreachable !== true &&
  isReady(truth.at('Pod', `${port.metadata.namespace}/${port.spec.claim?.pod}`)) &&
  truth.at('Node', port.spec.node ?? '')?.spec.unschedulable !== true

function isReady(pod: Resource<'Pod'> | undefined): boolean {
  if (pod === undefined || !isStaying(pod) || isPodFinished(pod)) return false
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status !== 'True') !== true
}

const isOfPort = ({ metadata: { ownerReferences = [] } }: Resource, port: Port): boolean =>
  ownerReferences.some(({ uid }) => uid === port.metadata.uid)
const ownerOf = ({ metadata: { ownerReferences = [], namespace = '' } }: Resource): string | undefined => {
  const owner = ownerReferences.find(({ kind }) => kind === 'Port')
  return owner && `${namespace}/${owner.name}`
}

function* leftOver(truth: Truth): Generator<string> {
  for (const connection of truth.values('Connection'))
    if (!goesWithNamespace(connection, truth) && !isClient(truth.at('Port', keyOfItem(connection))))
      yield `Connection ${keyOfItem(connection)} is left over: its client is gone`
  for (const item of [...truth.values('NetworkServiceEndpoint'), ...truth.values('SecurityGroup')]) {
    const port = truth.at('Port', ownerOf(item) ?? '')
    const isHeld = isEndpointPort(port) && isOfPort(item, port)
    if (ownerOf(item) !== undefined && !isHeld && !goesWithNamespace(item, truth))
      yield `${item.kind} ${keyOfItem(item)} is left over: its Port ${ownerOf(item)} is gone`
  }
}

/** It is registered, and of its two groups each lets in the other alone. */
function* joinedWrongly(port: Port, truth: Truth): Generator<string> {
  const [key, { namespace = '', name }] = [keyOfItem(port), port.metadata]
  const endpoint = truth.at('NetworkServiceEndpoint', key)
  if (endpoint === undefined || !isOfPort(endpoint, port)) yield `endpoint ${key} is not registered`
  const names = (['endpoint', 'clients'] as const).map((side) => endpointGroupName(name, side))
  for (const [i, each] of names.entries()) {
    const group = truth.at('SecurityGroup', `${namespace}/${each}`)
    const remotes = new Set(group?.spec.rules?.map(({ remoteGroup }) => remoteGroup))
    if (remotes.size !== 1 || !remotes.has(names[1 - i]))
      yield `SecurityGroup ${namespace}/${each} of endpoint ${key} lets in ${[...remotes].join() || 'nobody'}`
  }
}

/** Packets, whatever groups say. */
function* reachedWrongly(world: World): Generator<string> {
  const { site, traffic } = world
  const byUid = new Map([...site.truth.values('Port')].map((port) => [port.metadata.uid, port]))
  const stations = [...traffic.stations()].flatMap((station) => {
    const port = byUid.get(station.port.uid)
    return port?.spec.networkService === undefined ? [] : [{ station, port }]
  })
  const pairs = stations.flatMap((from) => stations.filter((to) => to !== from).map((to) => ({ from, to })))
  for (const { from, to } of pairs) {
    const { addresses, uid } = to.station.port
    const reached = addresses.filter((each) => traffic.reach(from.station, each).arrived.some(({ at }) => at.port.uid === uid))
    const [isConnected, isAlone] = [isJoined(from.port, to.port), [from, to].every(({ port }) => isJudgedByService(port))]
    const [one, other] = [from, to].map(({ port }) => keyOfItem(port))
    if (!isConnected && reached.length > 0) yield `${one} reaches ${other}, to which it is not connected`
    if (isConnected && isAlone && reached.length < addresses.length)
      yield `${one} is connected to ${other}, and does not reach ${addresses.join()} of it`
  }
}
/** No policy of others says anything of it, and it was wired. */
const isJudgedByService = ({ status }: Port): boolean => status?.policy?.ruleSets.length === 1 && status.node?.wired === true
const isJoined = (one: Port, other: Port): boolean =>
  [one, other].some((client, i) => client.spec.networkService?.endpointPort === keyOfItem(i === 0 ? other : one))

/** An endpoint that no longer answers its node is said to be unreachable, and no other is. */
function* saidUnreachable({ machines: { all, neighbours }, site }: World): Generator<string> {
  if (!neighbours.isThere) return
  const byUid = new Map([...site.truth.values('Port')].filter(isServing).map((port) => [port.metadata.uid, port]))
  for (const { name, links } of all.values())
    for (const guest of links.there.values()) {
      const port = byUid.get(guest.port.uid)
      const isKnown = neighbours.hasAnswered(guest.port.uid, site.processOf(`agent-${name}`))
      const problem = port && saidWrongly(port, { isMute: neighbours.isMute(guest), isKnown })
      if (problem !== undefined) yield `endpoint ${keyOfItem(port!)} ${problem}`
    }
}

interface Answering {
  readonly isMute: boolean
  /** It has answered the agent that runs. */
  readonly isKnown: boolean
}
function saidWrongly({ status }: Port, { isMute, isKnown }: Answering): string | undefined {
  const isSaid = status?.node?.unreachable === true
  if (isSaid) return isMute ? undefined : 'answers its node, and is said to be unreachable'
  return isMute && isKnown ? 'no longer answers its node, and is not said to be unreachable' : undefined
}
