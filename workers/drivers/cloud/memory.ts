// The cloud in memory behind the contract: the smallest driver that keeps its promises.
import type {
  CloudAction,
  CloudDriver,
  CloudItem,
  CloudKind,
  CloudKinds,
  CloudPort,
  CloudThing,
  CloudThingDriver,
  GroupWanted,
  PortWanted,
  SubnetWanted,
} from '../../../core/contracts/cloud.ts'
import { CloudOvertaken, CloudRefused } from '../../../core/errors.ts'
import type { CloudState, Vif } from '../../../core/kinds/vpc/at-provider.ts'
import { sameJson } from '../../../core/same-json.ts'
import { nameOf, type MemoryCloud, type StoredThing } from './memory-cloud.ts'

export interface MemoryWay {
  /** Whose what it makes and adopts is. */
  readonly installation?: string
  /** Longest that a request is under way. */
  readonly landsWithinMs?: number
  /** Passed on the way there and back: it may take its time, fail, or never return, before the effect or after it. */
  readonly way?: (leg: 'there' | 'back') => Promise<void>
}

export function memory(
  cloud: MemoryCloud,
  { installation = 'here', landsWithinMs = 1_000, way = () => Promise.resolve() }: MemoryWay = {},
): CloudDriver {
  const driver = <K extends CloudKind>(kind: K): CloudThingDriver<K> => ({
    name: 'memory',
    async observe(scope) {
      await way('there')
      const there = cloud.find(kind, scope)
      const seen = { there: there && seenAs(kind, there, cloud) }
      await way('back')
      return seen
    },
    async apply(action) {
      await way('there')
      act(kind, action, cloud, installation)
      await way('back')
    },
  })
  return {
    network: driver('network'),
    subnet: driver('subnet'),
    port: driver('port'),
    group: { ...driver('group'), cannot: () => undefined },
    landsWithinMs,
    async inventory(of) {
      await way('there')
      const items = cloudKinds.flatMap((kind) =>
        cloud
          .all(kind)
          .filter((thing) => isAmong(of, thing, installation) && (of === 'ours' || kind !== 'group'))
          .map((thing) => itemOf(kind, thing, cloud)),
      )
      await way('back')
      return items
    },
    async quota() {
      await way('there')
      const quota = { used: cloud.all('port').length, limit: cloud.options.portsMax }
      await way('back')
      return quota
    },
    onChange: (wake) => cloud.listen(wake),
    close: () => Promise.resolve(),
  }
}

const cloudKinds = ['network', 'subnet', 'port', 'group'] as const satisfies readonly CloudKind[]

const isAmong = (of: 'ours' | 'nobodys', { owner, installation }: StoredThing, ours: string): boolean =>
  of === 'nobodys' ? owner === undefined : owner !== undefined && installation === ours

function itemOf(kind: CloudKind, thing: StoredThing, cloud: MemoryCloud): CloudItem {
  const { network, subnet, isMade = false } = thing
  return { kind, there: seenAs(kind, thing, cloud), network, subnet, isMade } as CloudItem
}

function seenAs<K extends CloudKind>(kind: K, thing: StoredThing, cloud: MemoryCloud): CloudKinds[K]['there'] {
  const { id, name, owner, failed, mtu, learned, rules } = thing
  const all: CloudThing = {
    id,
    name,
    owner,
    state: stateOf(kind, thing, cloud),
    revision: String(thing.revision),
    ...(failed !== undefined && { message: failed }),
  }
  return { ...all, ...(mtu !== undefined && { mtu }), ...(learned && { learned }), ...(rules && { rules }), ...portPart(thing, cloud) }
}

const isBound = ({ host, boundAt = 0 }: StoredThing, { options }: MemoryCloud): boolean =>
  host !== undefined && options.now() >= boundAt + options.takesMs

function stateOf(kind: CloudKind, thing: StoredThing, cloud: MemoryCloud): CloudState {
  const { now, activates } = cloud.options
  if (thing.failed !== undefined) return 'failed'
  if (now() < thing.readyAt) return 'building'
  const isCarried = thing.port?.closed !== true && isBound(thing, cloud) && (activates === 'bound' || thing.plugged === true)
  const isActive = kind !== 'port' || isCarried
  return isActive ? 'active' : 'down'
}

function portPart(thing: StoredThing, cloud: MemoryCloud): Partial<CloudPort> {
  const { id, port, host, second } = thing
  if (port === undefined) return {}
  const { addresses, mac, ...settings } = port
  const { bridge } = cloud.options
  const details = { port_filter: 'true', bridge_name: bridge }
  const vifOn = (node: string): Vif => ({ node, plug: 'bridge', bridge, interfaceID: id, type: 'ovs', details })
  return {
    addresses,
    mac,
    settings,
    host,
    vif: host !== undefined && isBound(thing, cloud) ? vifOn(host) : undefined,
    ...(second !== undefined && { second: { host: second, vif: vifOn(second) } }),
  }
}

function act<K extends CloudKind>(kind: K, action: CloudAction<K>, cloud: MemoryCloud, installation: string): void {
  if (action.do === 'create') return cloud.create(kind, action.scope, action.wanted, installation)
  const now = cloud.get(kind, action.there.id)
  if (action.do === 'delete') return now?.owner === action.scope.of.uid ? cloud.remove(kind, now.id) : undefined
  if (now === undefined) {
    if (action.do === 'release') return
    throw overtaken(kind)
  }
  const change = changeOf(action, now, cloud, installation)
  if (Object.entries(change).every(([field, value]) => sameJson(value, now[field as keyof StoredThing]))) return
  if (String(now.revision) !== action.there.revision) throw overtaken(kind)
  cloud.change(kind, now.id, 'host' in change ? { ...change, boundAt: cloud.options.now(), plugged: false } : change)
}

const released = { owner: undefined, installation: undefined, host: undefined, second: undefined } as const

const overtaken = (kind: CloudKind): Error => new CloudOvertaken({ cloud: 'memory', what: `a ${kind}` })

function changeOf<K extends CloudKind>(
  action: Exclude<CloudAction<K>, { readonly do: 'create' | 'delete' }>,
  now: StoredThing,
  cloud: MemoryCloud,
  installation: string,
): Partial<StoredThing> {
  const { uid } = action.scope.of
  switch (action.do) {
    case 'adopt':
      if (now.owner !== undefined && now.owner !== uid) throw overtaken('port')
      return { owner: uid, installation }
    case 'claim':
      return { owner: uid, installation, name: nameOf(uid) }
    case 'release':
      return now.owner === uid ? released : {}
    case 'bind':
      return { host: action.host, second: undefined }
    case 'expect':
      return { second: knownHost(action.host, cloud) }
    case 'update':
      return updateOf(action.wanted, now, cloud)
  }
}

function knownHost(host: string | undefined, { options }: MemoryCloud): string | undefined {
  if (host === undefined || !options.strangers.includes(host)) return host
  throw new CloudRefused({ cloud: 'memory', what: 'a second binding', reason: `there is no node ${host}` })
}

function updateOf(wanted: CloudKinds[CloudKind]['wanted'], now: StoredThing, cloud: MemoryCloud): Partial<StoredThing> {
  if (now.port !== undefined) {
    const { securityGroups = now.port.securityGroups, groups, portSecurity, closed, allowedAddressPairs, qosPolicy } = wanted as PortWanted
    const qos = qosPolicy === undefined ? now.port.qosPolicy : cloud.qosPolicy(qosPolicy)
    return { port: { ...now.port, securityGroups, groups, portSecurity, closed, allowedAddressPairs, qosPolicy: qos } }
  }
  if (now.rules !== undefined) return { rules: (wanted as GroupWanted).rules }
  if (now.learned === undefined)
    return { mtu: (wanted as { readonly mtu?: number }).mtu ?? now.mtu, readyAt: Math.min(now.readyAt, cloud.options.now()) }
  const { routes, dns } = wanted as SubnetWanted
  return { learned: { ...now.learned, ...(routes && { routes }), ...(dns && { dns }) } }
}
