// Which keys of external networks want a look when an object has changed.
import { keyOfItem, type Kind, type Resource } from '../core/kinds/index.ts'
import { networksOf } from '../core/plan/networks.ts'
import { isOver } from '../core/plan/pod.ts'
import { sameJson } from '../core/same-json.ts'
import type { Turn } from '../platform/cache.ts'
import type { Env } from './env.ts'

type On<K extends Kind> = (turn: Turn<K>, env: Env) => void
type Attachment = Resource<'L2ServiceAttachment'>
const latest = <K extends Kind>({ before, after }: Turn<K>): Resource<K> => (after ?? before)!

function isNews<K extends Kind>({ before, after }: Turn<K>): boolean {
  if (before === undefined || after === undefined) return true
  const [a, b] = [before.metadata, after.metadata]
  return a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp || !sameJson(a.finalizers, b.finalizers)
}

function wakeServices({ metadata, spec }: Attachment, { add }: Env): void {
  for (const name of spec.l2Services) add('l2service', `${metadata.namespace ?? ''}/${name}`)
}
const wakeAttachments = (service: Resource<'L2Service'>, { caches, add }: Env): void => {
  for (const attachment of caches.L2ServiceAttachment.by('l2Service', keyOfItem(service))) add('l2attachment', keyOfItem(attachment))
}

/** A Subnet that is going waits for the last L2Service that lists it and is attached. */
function wakeSubnets({ metadata: { namespace = '' }, spec }: Resource<'L2Service'>, { caches, add }: Env): void {
  for (const name of spec.subnets ?? []) if (caches.Subnet.get(`${namespace}/${name}`)?.metadata.deletionTimestamp !== undefined) add('subnet', `${namespace}/${name}`)
}

const onL2Service: On<'L2Service'> = (turn, env) => {
  const { before, after, key } = turn
  if (isNews(turn)) env.add('l2service', key)
  if (isNews(turn) && before !== undefined) wakeSubnets(before, env)
  if (isNews(turn) || before?.status?.phase !== after?.status?.phase) wakeAttachments(latest(turn), env)
}

const onL2ServiceAttachment: On<'L2ServiceAttachment'> = (turn, env) => {
  const news = isNews(turn)
  if (news) wakeAround(turn, env)
  if (news || !sameJson(toldBy(turn.before), toldBy(turn.after))) wakeServices(latest(turn), env)
}
const toldBy = (attachment: Attachment | undefined): object => [attachment?.status?.phase, attachment?.status?.vlans]

function wakeAround(turn: Turn<'L2ServiceAttachment'>, env: Env): void {
  const { connectionPoint } = latest(turn).spec
  env.add('l2attachment', turn.key)
  env.add('connectionpoint', connectionPoint)
  wakePools([connectionPoint], env)
  // Trunks on one ConnectionPoint concern each other.
  for (const other of env.caches.L2ServiceAttachment.by('connectionPoint', connectionPoint)) if (other.spec.vlanType === 'trunk') wakeBoth(other, env)
  if (turn.before !== undefined) wakeLeft(turn.before, env)
}

/** What an attachment was on, whether it has gone or names others now. */
function wakeLeft(attachment: Attachment, env: Env): void {
  wakeServices(attachment, env)
  for (const name of attachment.spec.l2Services) {
    const service = env.caches.L2Service.get(`${attachment.metadata.namespace ?? ''}/${name}`)
    if (service !== undefined) wakeSubnets(service, env)
  }
}

function wakeBoth(attachment: Attachment, env: Env): void {
  env.add('l2attachment', keyOfItem(attachment))
  wakeServices(attachment, env)
}

const onL2BridgeDomain: On<'L2BridgeDomain'> = (turn, env) => {
  const { before, after, key } = turn
  const { holder } = latest(turn).spec
  const news = isNews(turn)
  if (news) env.add('l2domain', key)
  if (news && before !== undefined) wakePools(before.spec.connectionPoints, env)
  if (news || !sameJson(toldOf(before), toldOf(after))) wakeHolder(`${holder.namespace ?? ''}/${holder.name}`, env)
  if (before !== undefined && after === undefined) wakeFabrics(before, env)
}

/** What its L2Service and attachments go by; which switches it is about to touch is its own affair. */
function toldOf(domain: Resource<'L2BridgeDomain'> | undefined): object {
  const { phase, message, observedGeneration, closing, closed, open, wanted } = domain?.status ?? {}
  return { phase, message, observedGeneration, closing, closed, open, wanted }
}

function wakeHolder(service: string, { caches, add }: Env): void {
  add('l2service', service)
  for (const attachment of caches.L2ServiceAttachment.by('l2Service', service)) add('l2attachment', keyOfItem(attachment))
}

/** A Fabric that is going waits for the last of those that were open on it. */
function wakeFabrics({ status }: Resource<'L2BridgeDomain'>, { caches, add }: Env): void {
  const names = new Set((status?.switches ?? []).map((each) => each.slice(0, each.indexOf('/'))))
  for (const name of names) if (caches.Fabric.get(name)?.metadata.deletionTimestamp !== undefined) add('fabric', name)
}

/** A NodePool that is going waits for the last who needs what it carries. */
function wakePools(points: readonly string[], { caches, add }: Env): void {
  for (const pool of caches.NodePool.values()) {
    const carries = pool.spec.interfaces.some((each) => each.connectionPoint !== undefined && points.includes(each.connectionPoint))
    if (carries && pool.metadata.deletionTimestamp !== undefined) add('nodepool', keyOfItem(pool))
  }
}

const wakeDomains = ({ caches, add }: Env): void => {
  for (const domain of caches.L2BridgeDomain.values()) add('l2domain', keyOfItem(domain))
}

const onConnectionPoint: On<'ConnectionPoint'> = (turn, env) => {
  if (!isNews(turn)) return
  env.add('connectionpoint', turn.key)
  for (const attachment of env.caches.L2ServiceAttachment.by('connectionPoint', turn.key)) wakeBoth(attachment, env)
  for (const domain of env.caches.L2BridgeDomain.by('connectionPoint', turn.key)) env.add('l2domain', keyOfItem(domain))
}

const onNodePool: On<'NodePool'> = (turn, env) => {
  if (!isNews(turn)) return
  env.add('nodepool', turn.key)
  wakeDomains(env)
}

const onFabric: On<'Fabric'> = (turn, env) => {
  if (!isNews(turn)) return
  env.add('fabric', turn.key)
  wakeDomains(env)
}

/** Labels put a Node into a NodePool. */
export const onNodeLabels: On<'Node'> = ({ before, after }, env) => {
  if (!sameJson(before?.metadata.labels, after?.metadata.labels)) wakeDomains(env)
}

const onDefinition: On<'NetworkAttachmentDefinition'> = ({ key }, env) => {
  if (env.caches.L2ServiceAttachment.get(key) !== undefined) env.add('l2attachment', key)
}

/** A pod that lets go of a definition may be what a deletion or a VLAN's end waits for. */
export const onPodNetworks: On<'Pod'> = ({ before, after }, env) => {
  const left = before !== undefined && (after === undefined || (isOver(after) && !isOver(before)))
  if (!left) return
  for (const key of networksOf(before)) {
    const attachment = env.caches.L2ServiceAttachment.get(key)
    if (attachment !== undefined) wakeBoth(attachment, env)
  }
}

const isLeaving = ({ after }: Turn<'Subnet'>): boolean => after === undefined || after.metadata.deletionTimestamp !== undefined

/** What overlapped a Subnet that goes need not any more. */
function wakeRivals({ metadata: { namespace }, spec: { l2Service } }: Resource<'Subnet'>, { caches, add }: Env): void {
  if (l2Service === undefined) return
  for (const other of caches.Subnet.values()) if (other.spec.l2Service === l2Service && other.metadata.namespace === namespace) add('subnet', keyOfItem(other))
}

/** L2Services name their Subnets. */
export const onL2Subnet: On<'Subnet'> = (turn, env) => {
  if (!isNews(turn) && turn.before?.status?.phase === turn.after?.status?.phase) return
  const { namespace = '', name } = latest(turn).metadata
  if (isLeaving(turn)) wakeRivals(latest(turn), env)
  for (const service of env.caches.L2Service.by('subnet', `${namespace}/${name}`)) wakeAttachments(service, env)
}

export const l2Table = {
  L2Service: onL2Service,
  L2ServiceAttachment: onL2ServiceAttachment,
  L2BridgeDomain: onL2BridgeDomain,
  ConnectionPoint: onConnectionPoint,
  NodePool: onNodePool,
  Fabric: onFabric,
  NetworkAttachmentDefinition: onDefinition,
}
