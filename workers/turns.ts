// Which keys want a look when an object has changed. A change that we made ourselves and that nobody waits for wakes nobody.
import { asksOf } from '../core/admit/asks.ts'
import { nicsAnnotation, noticeFinalizer, vpcAnnotation } from '../core/kinds/annotations.ts'
import type { Holder } from '../core/kinds/meta.ts'
import { keyOfItem, type Kind, type Resource } from '../core/kinds/index.ts'
import { isAskedForAll, isNewlyTold, wiringOf } from '../core/plan/changes.ts'
import { isEvicted, isHolding } from '../core/plan/eviction.ts'
import { standingOf } from '../core/plan/notices.ts'
import { isOver } from '../core/plan/pod.ts'
import { tunnelAddressOf } from '../core/plan/node-address.ts'
import { isWired, onNode as isOnNode } from '../core/plan/port.ts'
import { groupsInRules } from '../core/plan/security-group.ts'
import { sameJson } from '../core/same-json.ts'
import type { Turn } from '../platform/cache.ts'
import { subnetKeyOf } from '../platform/caches.ts'
import { firstLookMs, isBeingServed } from './births.ts'
import { controllerOf } from './controller-names.ts'
import { reporting, type Env } from './env.ts'
import { subscribedObjects } from './subscribed.ts'
import { l2Table, onL2Subnet, onNodeLabels, onPodNetworks } from './turns-l2.ts'
import { reportAt, tellLater } from './told-later.ts'

type On<K extends Kind> = (turn: Turn<K>, env: Env) => void
const latest = <K extends Kind>({ before, after }: Turn<K>): Resource<K> => (after ?? before)!
const isGoing = (item: Resource | undefined): boolean => item === undefined || item.metadata.deletionTimestamp !== undefined
const inNamespaceOf = (item: Resource, name: string): string => `${item.metadata.namespace ?? ''}/${name}`

/** Whether more than a report has changed. */
function isNews<K extends Kind>({ before, after }: Turn<K>): boolean {
  if (before === undefined || after === undefined) return true
  const [a, b] = [before.metadata, after.metadata]
  return a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp || !sameJson(a.finalizers, b.finalizers)
}

const onVpc: On<'Vpc'> = (turn, env) => {
  const { key, before, after } = turn
  if (!isNews(turn) && before?.status?.vni === after?.status?.vni) return
  if (isNews(turn) || holdsSurplus(after, env)) env.add('vpc', key)
  for (const subnet of env.caches.Subnet.by('vpc', key)) env.add('subnet', keyOfItem(subnet))
  wakeNamers(latest(turn), env)
}

const onSubnet: On<'Subnet'> = (turn, env) => {
  onL2Subnet(turn, env)
  const { key, before, after } = turn
  if (!isNews(turn) && before?.status?.validated === after?.status?.validated) return
  if (isNews(turn)) env.add('subnet', key)
  wakePorts(key, env)
  if (latest(turn).spec.vpc !== undefined) wakeVpc(inNamespaceOf(latest(turn), latest(turn).spec.vpc!), isGoing(after), env)
}

function wakeVpc(key: string, subnetGoes: boolean, env: Env): void {
  if (subnetGoes) env.add('vpc', key)
  const vpc = env.caches.Vpc.get(key)
  if (vpc !== undefined) wakeNamers(vpc, env)
}

function wakePorts(subnet: string, { caches, add }: Env): void {
  for (const port of caches.Port.by('subnet', subnet)) if (port.status?.phase !== 'ready') add('port', keyOfItem(port))
}

/** A Vpc that holds more than it tells of was drawn for by two workers at once: what its status says goes first, then the other lock. */
function holdsSurplus(vpc: Resource<'Vpc'> | undefined, { caches }: Env): boolean {
  const vni = vpc?.status?.vni
  return vpc !== undefined && vni !== undefined && [...caches.SegmentLock.by('holder', vpc.metadata.uid)].some(({ spec }) => spec.vni !== vni)
}

/** Pods that wait for something to come, where they may name this Vpc. */
function wakeNamers(vpc: Resource<'Vpc'>, { waiting }: Env): void {
  for (const namespace of [vpc.metadata.namespace ?? '', ...(vpc.spec.sharedWith ?? [])]) waiting.wake({ kind: 'named', namespace })
}

const onPort: On<'Port'> = (turn, env) => {
  const { after } = turn
  if (isBeingServed(turn, env) || (after !== undefined && isOwnBirth(after, env))) return
  const news = isNews(turn)
  const report = reportAt(turn, env)
  if (report === 'later' && !news) tellLater(after!, env)
  else if (report === 'now' || news || isToldAnew(turn, env)) wakePods(turn, env)
  if (news) portNews(turn, env)
  wakeIfServedTwice(turn, env)
  onEviction(turn, env)
}

/** It has been told to leave its Vpc: its node may be known to be gone, and its Subnet waits until it holds nothing. */
function onEviction({ before, after }: Turn<'Port'>, env: Env): void {
  if (after === undefined || !isEvicted(after)) return
  if ((before === undefined || !isEvicted(before)) && isWired(after) && after.spec.node !== undefined) env.add('node', after.spec.node)
  if (!isHolding(after) && (before === undefined || isHolding(before))) wakeDeletion(after, env)
}

const isToldAnew: (...of: Parameters<On<'Port'>>) => boolean = (turn, env) => !sameJson(toldOf(turn.before), toldOf(turn.after)) || isRewired(turn, env)

/** Something of its wiring has changed, and of its pod somebody is told of that too. */
function isRewired({ before, after }: Turn<'Port'>, env: Env): boolean {
  const pod = after?.spec.claim?.pod
  if (after === undefined || pod === undefined || sameJson(wiringOf(before ?? {}), wiringOf(after))) return false
  const there = env.caches.Pod.get(inNamespaceOf(after, pod))
  return there !== undefined && isAskedForAll(there, reporting(env, 0))
}

/** What a pod may be told of a Port: nothing of what its node says of it, nor who else is told. */
function toldOf(port: Resource<'Port'> | undefined): object | undefined {
  if (port?.status === undefined) return undefined
  const { node: _, asked: __, ...rest } = port.status
  return rest
}

function portNews(turn: Turn<'Port'>, env: Env): void {
  const { key, before, after } = turn
  wakeNode(turn, env)
  if (before !== undefined) wakeGroups(before, before.spec.securityGroups ?? [], env)
  if (before === undefined) env.waiting.wake({ kind: 'named', namespace: latest(turn).metadata.namespace ?? '' })
  if (after === undefined) return wakeDeletion(latest(turn), env)
  env.add('port', key, firstLookMs(turn, env))
  const { claim } = after.spec
  if (claim?.until !== undefined) env.add('reservation', `Port/${key}`, dueMs(claim.until, env))
}

/** Made and served by the pass of its pod: first it is seen bare, then as it was reported. */
function isOwnBirth(port: Resource<'Port'>, { served }: Env): boolean {
  if (!served.has(port.metadata.uid)) return false
  if (port.status !== undefined) served.delete(port.metadata.uid)
  return true
}

/** A node may be known to be gone already when the second proof comes. */
function wakeNode(turn: Turn<'Port'>, env: Env): void {
  const port = latest(turn)
  if (port.spec.node !== undefined && isWired(port) && (isGoing(turn.after) || !isOnNode(port))) env.add('node', port.spec.node)
}

function wakePods(turn: Turn<'Port'>, env: Env): void {
  const [was, is] = [turn.before?.spec.claim?.pod, turn.after?.spec.claim?.pod]
  const { namespace = '' } = latest(turn).metadata
  for (const name of new Set([was, is])) if (name !== undefined) env.add('pod', `${namespace}/${name}`)
  if (was !== undefined && is === undefined) env.waiting.wake({ kind: 'named', namespace })
}

function wakeDeletion(port: Resource<'Port'>, env: Env): void {
  const subnet = env.caches.Subnet.get(subnetKeyOf(port))
  if (subnet?.metadata.deletionTimestamp !== undefined) env.add('subnet', keyOfItem(subnet))
}

const dueMs = (until: string, { clock }: Env): number => Math.max(1, Date.parse(until) - clock.now())

const onIPLock: On<'IPLock'> = ({ key, before, after }, env) => {
  if (after === undefined) return wakeForLock(before!, env)
  if (before === undefined) wakeSurplus(after, env)
  else wakeIfMoved(before, after, env)
  if (after.spec.reservation !== undefined && after.spec.holder === undefined) env.add('reservation', `IPLock/${key}`, dueMs(after.spec.reservation.until, env))
}

/** A lock that was taken from a node, maybe by a worker who had not heard that its Port is there. */
function wakeIfMoved({ spec: { hostIP } }: Resource<'IPLock'>, { spec }: Resource<'IPLock'>, env: Env): void {
  if (hostIP === undefined || hostIP === spec.hostIP) return
  const port = holderOf(spec.holder, env)
  if (port !== undefined && port.status?.hostIP !== spec.hostIP) env.add('port', keyOfItem(port))
}

/** What it holds may be heard of before or after what it tells of. */
function wakeIfServedTwice({ key, before, after }: Turn<'Port'>, env: Env): void {
  if (after !== undefined && !sameJson(before?.status?.addresses, after.status?.addresses) && holdsMore(after, env)) env.add('port', key)
}

function wakeSurplus({ spec: { holder } }: Resource<'IPLock'>, env: Env): void {
  if (holder === undefined || env.served.has(holder.uid)) return
  const port = holderOf(holder, env)
  if (port !== undefined && holdsMore(port, env)) env.add('port', keyOfItem(port))
}

/** A Port that holds more than it tells of has been served twice: by two workers at once, or by one whose report came too late. */
function holdsMore({ metadata, status }: Resource<'Port'>, { caches }: Env): boolean {
  const given = status?.addresses
  return given !== undefined && [...caches.IPLock.by('holder', metadata.uid)].some(({ spec: { address } }) => address !== undefined && !given.includes(address))
}

function holderOf(holder: Holder | undefined, { caches }: Env): Resource<'Port'> | undefined {
  const port = holder && caches.Port.get(`${holder.namespace ?? ''}/${holder.name}`)
  return port?.metadata.uid === holder?.uid ? port : undefined
}

/** Whoever waits for it, and whoever has lost it without having let it go. */
function wakeForLock({ spec, metadata }: Resource<'IPLock'>, env: Env): void {
  const { namespace = '', name } = metadata
  env.waiting.wake({ kind: 'lock', namespace, name })
  if (spec.subnet !== undefined && spec.address !== undefined) env.waiting.wake({ kind: 'address', namespace, subnet: spec.subnet }, { first: true, afterMs: env.config.addressRestMs })
  const port = holderOf(spec.holder, env)
  if (port !== undefined && !isGoing(port)) env.add('port', keyOfItem(port))
}

const onSegmentLock: On<'SegmentLock'> = ({ before, after }, env) => {
  const { metadata, spec } = (after ?? before)!
  const vpc = `${spec.holder.namespace ?? ''}/${spec.holder.name}`
  if (after === undefined) {
    env.waiting.wake({ kind: 'segment', name: metadata.name })
    env.add('vpc', vpc)
  } else if (before === undefined) {
    if (holdsSurplus(env.caches.Vpc.get(vpc), env)) env.add('vpc', vpc)
  } else if (blocksOf(before) > blocksOf(after)) wakeForBlocks(vpc, env)
}

function wakeForBlocks(vpc: string, { caches, add }: Env): void {
  for (const subnet of caches.Subnet.by('vpc', vpc)) if (subnet.status?.validated !== true) add('subnet', keyOfItem(subnet))
  if (isGoing(caches.Vpc.get(vpc))) add('vpc', vpc)
}
const blocksOf = (lock: Resource<'SegmentLock'> | undefined): number => lock?.spec.blocks?.length ?? 0

const onPod: On<'Pod'> = (turn, env) => {
  onPodNetworks(turn, env)
  if (!podTurned(turn)) return
  const { key, after } = turn
  const has = env.caches.Port.by('claimPod', key)[Symbol.iterator]().next().done !== true
  const concerned = after !== undefined && (after.metadata.finalizers?.includes(noticeFinalizer) === true || asksOf(after, env.world, env.config).say !== 'none')
  if (!has && !concerned) return
  if (isBeingPlaced(turn, env)) lookUnlessPlaced(key, env)
  else env.add('pod', key)
}

/** By a clock of this process and not of the queue, which would have to forget it again: nearly always the scheduler is faster. */
function lookUnlessPlaced(key: string, { clock, caches, add }: Env): void {
  clock.after(placingMs, () => {
    const pod = caches.Pod.get(key)
    if (pod !== undefined && pod.spec.nodeName === undefined) add('pod', key)
  })
}

/** Longest that a new pod's Ports wait for its node: a Port that is born there takes half the writes of one that is bound later. */
const placingMs = 2_000

/** Whether a scheduler is about to give it a node. In our own store a Port is one commit either way. */
function isBeingPlaced({ before, after }: Turn<'Pod'>, { store, config }: Env): boolean {
  if (before !== undefined || after === undefined || after.spec.nodeName !== undefined || !config.agents || store.identify !== undefined) return false
  const gates = after.spec['schedulingGates'] as readonly unknown[] | undefined
  return gates === undefined || gates.length === 0
}

/** Whether anything changed that decides about its Ports. */
function podTurned({ before, after }: Turn<'Pod'>): boolean {
  return before === undefined || after === undefined || !sameJson(decidingOf(before), decidingOf(after))
}
function decidingOf({ metadata, spec, status }: Resource<'Pod'>): object {
  const { annotations, deletionTimestamp } = metadata
  return { vpc: annotations?.[vpcAnnotation], nics: annotations?.[nicsAnnotation], deletionTimestamp, over: isOver({ metadata, spec, status } as Resource<'Pod'>), node: spec.nodeName }
}

const onNode: On<'Node'> = (turn, env) => {
  const { key, before, after } = turn
  onNodeLabels(turn, env)
  const address = (node: typeof after): string | undefined => node && tunnelAddressOf(node, env.config.tunnelBlocks)
  if (address(before) !== address(after)) for (const port of env.caches.Port.by('node', key)) env.add('port', keyOfItem(port))
  if (before === undefined || after === undefined || !sameJson(before.spec.taints, after.spec.taints)) env.add('node', key)
}

const onNamespace: On<'Namespace'> = (turn, env) => {
  if (isGoing(turn.after) && turn.after !== undefined) env.add('namespace', turn.key)
}

const onSecurityGroup: On<'SecurityGroup'> = (turn, env) => {
  if (!isNews(turn)) return
  env.add('securitygroup', turn.key)
  if (turn.before !== undefined) wakeGroups(turn.before, groupsInRules(turn.before), env)
}

/** Those that are to go once nobody names them. */
function wakeGroups(by: Resource, names: readonly string[], { caches, add }: Env): void {
  for (const name of names) {
    const key = inNamespaceOf(by, name)
    if (caches.SecurityGroup.get(key)?.metadata.deletionTimestamp !== undefined) add('securitygroup', key)
  }
}

const onSubscription: On<'Subscription'> = (turn, env) => {
  const { key, before, after } = turn
  if (!isNews(turn) && sameJson(deliveryOf(before), deliveryOf(after))) return
  env.add('subscription', key)
  if (!isGoing(after)) guardSubscribed(latest(turn), env)
}

const deliveryOf = (subscription: Resource<'Subscription'> | undefined): object => [subscription?.status?.goneAt, subscription?.status?.delivering]

/** What somebody begins to be told of is looked at, so that it has our finalizer before its end, and what it is like is kept where all changes are asked for. */
function guardSubscribed(subscription: Resource<'Subscription'>, env: Env): void {
  if (subscription.status?.observedGeneration === subscription.metadata.generation) return
  for (const [kind, item] of subscribedObjects(subscription, env)) {
    const controller = controllerOf(kind)
    const isWhole = item.metadata.finalizers?.includes(noticeFinalizer) === true && subscription.spec.changes !== 'all'
    if (controller !== undefined && !isWhole) env.add(controller, keyOfItem(item))
  }
}

const table = { ...l2Table, Vpc: onVpc, Subnet: onSubnet, Port: onPort, IPLock: onIPLock, SegmentLock: onSegmentLock, Pod: onPod, Node: onNode, Namespace: onNamespace, SecurityGroup: onSecurityGroup, Subscription: onSubscription }
type Watched = keyof typeof table

/** Listens to every cache; what is in it already counts as new. */
export function listen(env: Env): void {
  const to = <K extends Watched>(kind: K): void => env.caches[kind].on(((turn: Turn<K>) => heard(kind, turn, env)) as never)
  for (const kind of Object.keys(table) as Watched[]) to(kind)
}

/** Asks for a look at every key, as if everything were new: after a start, and when a queue may have lost what it held. */
export function relist(env: Env): void {
  const of = <K extends Watched>(kind: K): void => {
    for (const after of env.caches[kind].values()) heard(kind, { key: keyOfItem(after as Resource), before: undefined, after: after as Resource<K> }, env)
  }
  for (const kind of Object.keys(table) as Watched[]) of(kind)
}

function heard<K extends Watched>(kind: K, turn: Turn<K>, env: Env): void {
  (table[kind] as On<K>)(turn, env)
  const controller = controllerOf(kind)
  if (controller !== undefined && turn.after !== undefined && (isNewlyTold(turn.after) || isRetold(turn.before, turn.after))) env.add(controller, turn.key)
  const { namespace } = latest(turn).metadata
  if (turn.after === undefined && env.caches.Namespace.get(namespace ?? '')?.metadata.deletionTimestamp !== undefined) env.add('namespace', namespace ?? '')
}

const ofTheStoreAlone: ReadonlySet<Kind> = new Set(['Vpc', 'Subnet', 'Port'])

/**
 * What was reported once is reported otherwise: maybe by a worker that begins with a past, and whoever has looked since, woken by what that
 * worker had not seen, may not have seen the report. A first report is nothing new to whoever has made it. Only of what is planned from the
 * store alone: two workers of whom one reaches a switch and the other does not would otherwise contradict each other without end.
 */
function isRetold(before: Resource | undefined, after: Resource): boolean {
  if (!ofTheStoreAlone.has(after.kind)) return false
  const was = before && standingOf(before)?.phase
  return was !== undefined && standingOf(after)?.phase !== was
}
