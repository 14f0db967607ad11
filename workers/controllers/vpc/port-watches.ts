// What wakes a Port.
import { inNamespaceOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Holder } from '../../../core/kinds/meta.ts'
import { tunnelAddressOf } from '../../../core/plan/node/address.ts'
import { isMadeFor } from '../../../core/plan/pod/pod.ts'
import { onNode } from '../../../core/plan/vpc/on-node.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Env } from '../../controller-env.ts'
import { hostIPOf } from '../../gather/port.ts'
import { isReportedOtherwiseAtCloud, onceMore } from '../../watch/clouds.ts'
import { appears, both, goes, isGoing, isThere, isReportedInAnotherPhase, part, specChanges, when } from '../../watch/predicates.ts'
import { asItWas, by, itself, named, where } from '../../watch/map-to-keys.ts'
import { blockLeaves, keyOfHolder, own, subnetChanges } from '../../watch/compared-fields.ts'
import type { Delay, Watch, WatchFor } from '../../watch/watch.ts'
import { paced, policyWatches } from './port-policy-watches.ts'

type Port = Resource<'Port'>
type IPLock = Resource<'IPLock'>

/** When a Port is reconciled that another worker has made, and so serves: that worker may have ended in between. */
const rivalMs = 1_000

const afterItsMaker: Delay<'Port'> = {
  text: '1 s where it is new and its maker, who is serving it, may have ended',
  ms: ({ before, after }, { store }) =>
    before === undefined && after?.status === undefined && store.identify === undefined && after !== undefined && isMadeFor(after)
      ? rivalMs
      : undefined,
}

function holderOf(holder: Holder | undefined, { caches }: Env): Port | undefined {
  const port = holder && caches.Port.get(keyOfHolder(holder))
  return port?.metadata.uid === holder?.uid ? port : undefined
}
/** Of a lock the Port that has it, where it is known, and of those the ones that are meant. */
const holder =
  (test: (port: Port, lock: IPLock, env: Env) => boolean) =>
  (lock: IPLock, env: Env): readonly string[] => {
    const port = holderOf(lock.spec.holder, env)
    return port !== undefined && test(port, lock, env) ? [keyOfItem(port)] : []
  }

/** A Port that holds more than it tells of has been served twice: by two workers at once, or by one whose report came too late. */
function holdsMore({ metadata, status }: Port, { caches }: Env): boolean {
  const given = status?.addresses
  return (
    given !== undefined &&
    [...caches.IPLock.by('holder', metadata.uid)].some(({ spec: { address } }) => address !== undefined && !given.includes(address))
  )
}
/** What it holds may be heard of before or after what it tells of. */
const isServedTwice = when<'Port'>(
  'tells of other addresses and holds more',
  ({ before, after }, env) => after !== undefined && !sameJson(before?.status?.addresses, after.status?.addresses) && holdsMore(after, env),
)

/** Maybe by a worker who had not heard where its Port is, or whether that node is there. */
const isBoundOtherwise = when<'IPLock'>(
  'is bound to another node, or to none any more',
  ({ before, after }) => before !== undefined && after !== undefined && before.spec.hostIP !== after.spec.hostIP,
)

/**
 * By the node as this process knows it, not by what the Port tells: whoever has bound the lock has written both. The Port may have been
 * looked at here for a change of its node, while what was written meanwhile had not been heard of.
 */
const isElsewhere = (port: Port, { spec: { address, hostIP, shared = [] } }: IPLock, env: Env): boolean =>
  address !== undefined && shared.length === 0 && hostIP !== (onNode(port) ? hostIPOf(port, env) : undefined)

/** Also one whose Port says nothing of it: a worker who had not heard what another has put right may have put it back. */
const isKnownOtherwise = when<'IPLock'>(
  'tells of another identity',
  ({ before, after }) => before !== undefined && after !== undefined && before.spec.identity !== after.spec.identity,
)

/** Of several holders it is no lock that tells of them. */
const disagrees = ({ status }: Port, { spec: { identity, address, shared = [] } }: IPLock): boolean =>
  address !== undefined && shared.length === 0 && status?.addresses?.includes(address) === true && status.policy?.identity !== identity

/** Both are written at once, and heard of one after the other. */
const ifItDisagreesThen: Delay<'IPLock'> = {
  text: '1 s, if it does then',
  ms: () => rivalMs,
  still(key, { caches }) {
    const port = caches.Port.get(key)
    return port !== undefined && [...caches.IPLock.by('holder', port.metadata.uid)].some((lock) => disagrees(port, lock))
  },
}

/** Of a Port of a cloud: one of ours has been ready before. */
const isPluggedIn = when<'Port'>(
  'is of a cloud, and its node has wired it or not any more',
  ({ before, after }) => after?.status?.vif !== undefined && before?.status?.node?.wired !== after.status.node?.wired,
)

const isThereByItsVM = when<'Port'>(
  'has a VM that speaks on the node that it moves to',
  ({ before, after }) => after?.status?.migration?.active === true && !sameJson(before?.status?.migration, after.status.migration),
)

const isNotReady = where<'Port'>('it is not ready', (port) => port?.status?.phase !== 'ready')

const asksForBlocks = where<'Port'>('it asks for blocks behind it', (port) => port?.spec.routedBlocks !== undefined)
const lacksBlocks = where<'Port'>(
  'it has not all that it asks for',
  (port) => (port?.spec.routedBlocks ?? []).length > (port?.status?.routedBlocks ?? []).length,
)

const blocksOfPeer = (peering: Resource<'VpcPeering'> | undefined): readonly string[] => peering?.status?.peer?.blocks ?? []
const blockIsGivenUp = when<'VpcPeering'>('leads to a block of the peer no more', ({ before, after }) =>
  blocksOfPeer(before).some((block) => !blocksOfPeer(after).includes(block)),
)

/** That one made ahead is kept for another changes nothing at the cloud. */
const isMoreThanKept = when<'Port'>('is not only kept for another', ({ before, after }) => {
  if (before?.spec.warm === undefined || after?.spec.warm === undefined || sameJson(before.spec.warm, after.spec.warm)) return true
  return !sameJson(withoutKeeper(before), withoutKeeper(after))
})
const withoutKeeper = ({ spec: { warm: _, ...spec }, metadata: { deletionTimestamp, finalizers } }: Port): object => ({
  spec,
  deletionTimestamp,
  finalizers,
})

export const portWatches = (on: WatchFor<'Port'>): readonly Watch<'Port'>[] => [
  on('Port', { when: both(specChanges, isThere, isMoreThanKept), keys: itself, after: afterItsMaker }),
  on('Port', { when: isServedTwice, keys: itself }),
  on('Port', { when: isReportedInAnotherPhase, keys: itself }),
  on('Port', { when: isReportedOtherwiseAtCloud, keys: itself, after: onceMore }),
  on('Port', { when: isPluggedIn, keys: itself }),
  on('Port', { when: isThereByItsVM, keys: itself }),
  on('CloudSecurityGroup', {
    when: part('its ID, whether it is usable, or its phase', (at) => [at?.status?.providerID, at?.status?.usable, at?.status?.phase]),
    keys: by('Port', 'securityGroup', (at) => [inNamespaceOf(at, at.spec.group)]),
    after: paced,
  }),
  on('Subnet', { when: subnetChanges, keys: by('Port', 'subnet', own, isNotReady) }),
  on('Subnet', {
    when: part('spec.allowedRoutedBlocks', (subnet) => subnet?.spec.allowedRoutedBlocks),
    keys: by('Port', 'subnet', own, asksForBlocks),
  }),
  on('SegmentLock', {
    when: blockLeaves,
    keys: by('Port', 'routed', ({ spec }) => (spec.vni === undefined ? [] : [String(spec.vni)]), lacksBlocks),
  }),
  on('VpcPeering', {
    when: blockIsGivenUp,
    keys: asItWas(by('Port', 'routed', ({ status }) => (status?.vni === undefined ? [] : [String(status.vni)]), lacksBlocks)),
  }),
  on('Node', {
    when: part('its tunnel address', (node, { config }) => node && tunnelAddressOf(node, config.tunnelBlocks)),
    keys: by('Port', 'node', ({ metadata }) => [metadata.name]),
  }),
  // Whoever has lost it without having let it go.
  on('IPLock', {
    when: goes,
    keys: named(
      'Port',
      'its holder, where that is not being deleted',
      holder((port) => !isGoing(port)),
    ),
  }),
  on('IPLock', {
    when: appears,
    keys: named(
      'Port',
      'its holder, where that holds more than it tells of',
      holder((port, _, env) => holdsMore(port, env)),
    ),
  }),
  on('IPLock', {
    when: isBoundOtherwise,
    keys: named('Port', 'its holder, where that is not on that node', holder(isElsewhere)),
  }),
  on('IPLock', {
    when: isKnownOtherwise,
    keys: named('Port', 'its holder, where that has another', holder(disagrees)),
    after: ifItDisagreesThen,
  }),
  ...policyWatches(on),
]
