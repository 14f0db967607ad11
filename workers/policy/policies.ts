// Which policies are in force in which VNI, kept up by the caches: each change costs what it concerns.
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { CommonPolicy, ReadPolicy } from '../../core/policy/one-form.ts'
import { networksOf } from '../../core/plan/pod/networks.ts'
import { isPodFinished } from '../../core/plan/pod/pod.ts'
import { readPolicy, type PolicyKind } from '../../core/policy/read.ts'
import { Directory } from '../../core/policy/directory.ts'
import { namespaceLabelsOf } from '../../core/policy/member.ts'
import { Counts } from '../../core/counts.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import { attachmentPlaceKey, placeInVlan, podPlaceKey } from './attachment-place.ts'
import { placeOf, type PortPlace } from './place.ts'
import { policyKey, policyKinds, reachOf, type PolicyKey } from './policy-kinds.ts'
import { InForce } from './vni-policies.ts'

interface KnownPolicy extends ReadPolicy {
  readonly key: PolicyKey
  readonly kind: PolicyKind
  /** `namespace/name`. */
  readonly name: string
  readonly namespace: string | undefined
}

interface Vni {
  readonly vni: number
  network: string
  readonly groups: Counts
  readonly namespaces: Counts
  readonly directory: Directory
  inForce: InForce | undefined
}

/** Where a policy is in force. */
export interface Reached {
  readonly vni: number
  readonly network: string
}

export class Policies {
  readonly #caches: Caches
  readonly #known = new Map<PolicyKey, KnownPolicy>()
  /** By namespace; under none those that are cluster-wide. */
  readonly #within = new Map<string | undefined, Set<KnownPolicy>>()
  readonly #vnis = new Map<number, Vni>()
  readonly #places = new Map<string, PortPlace>()

  /** Before anybody else listens to them: a key that is woken finds here what has woken it. */
  constructor(caches: Caches) {
    this.#caches = caches
    for (const kind of policyKinds) this.#follow(kind)
    caches.Port.on(({ key, after }) => this.#move(key, after && placeOf(after, segmentOf(after))))
    caches.L2ServiceAttachment.on(({ before, after }) => this.#moveAttachment((after ?? before)!, after))
    caches.Pod.on(({ key, before, after }) => {
      for (const each of new Set([before, after].flatMap((pod) => (pod === undefined ? [] : networksOf(pod)))))
        this.#movePod(key, after, caches.L2ServiceAttachment.get(each) ?? each)
    })
    caches.PolicyIdentity.on(({ before, after }) => {
      const { vni, number } = (after ?? before)!.spec
      if (after === undefined) this.#at(vni).directory.remove(number)
      else if (before === undefined) this.#at(vni).directory.add(after.spec)
    })
    caches.Namespace.on(({ before, after }) => {
      if (sameJson(before?.metadata.labels, after?.metadata.labels)) return
      for (const { directory, inForce } of this.#vnis.values()) {
        directory.namespaceChanged()
        inForce?.forget()
      }
    })
  }

  /** @param around a Port that the caches may not have yet */
  inForce(vni: number, around?: Pick<PortPlace, 'namespace' | 'groups'>): InForce {
    const at = this.#at(vni)
    const isCounted = around === undefined || (at.namespaces.has(around.namespace) && around.groups.every((each) => at.groups.has(each)))
    if (!isCounted) return new InForce(this.#policiesOf(at, around))
    at.inForce ??= new InForce(this.#policiesOf(at))
    return at.inForce
  }

  directory(vni: number): Directory {
    return this.#at(vni).directory
  }

  policyOf(key: PolicyKey): ReadPolicy | undefined {
    return this.#known.get(key)
  }

  /** The VNIs in which somebody may be judged by a policy. */
  *reachedBy(key: PolicyKey): Iterable<Reached> {
    const known = this.#known.get(key)
    if (known === undefined) return
    // Identities may outlive the last Port of a VNI: then nobody is judged there, and where it was is not known.
    for (const at of this.#vnis.values()) if (!at.namespaces.isEmpty && isReached(known, at)) yield { vni: at.vni, network: at.network }
  }

  /** Those that may judge Ports of a namespace, those that Ports name left out. */
  *within(namespace: string | undefined): Iterable<PolicyKey> {
    for (const each of [namespace, undefined])
      for (const { kind, key } of this.#within.get(each) ?? []) if (reachOf[kind] !== 'whoever names it') yield key
  }

  /** Cluster-wide ones of the tier and priority that another one says. */
  *tiedWith(of: Resource<PolicyKind>): Iterable<PolicyKey> {
    const { tier, priority } = readPolicy(of).policy ?? {}
    for (const { key, policy } of this.#within.get(undefined) ?? [])
      if (policy !== undefined && policy.tier === tier && policy.priority === priority) yield key
  }

  /** Those whose selectors look at labels of namespaces. */
  *selectingNamespaces(): Iterable<PolicyKey> {
    for (const { key, policy } of this.#known.values()) if (policy !== undefined && selectsNamespaces(policy)) yield key
  }

  /** How many Ports have a SecurityGroup. */
  portsOf(group: string): number {
    let count = 0
    for (const { groups } of this.#vnis.values()) count += groups.of(group)
    return count
  }

  #follow<K extends PolicyKind>(kind: K): void {
    const cache = this.#caches[kind] as unknown as Cache<K>
    cache.on(({ key, before, after }) => {
      if (before !== undefined && after !== undefined && isSame(before, after)) return
      const id = policyKey({ kind, name: key })
      const was = this.#known.get(id)
      if (was !== undefined) this.#drop(was)
      if (after === undefined || (kind !== 'SecurityGroup' && after.metadata.deletionTimestamp !== undefined)) return
      const { namespace } = after.metadata
      this.#put({ ...readPolicy(after), key: id, kind, name: keyOfItem(after), namespace })
    })
  }

  #put(known: KnownPolicy): void {
    this.#known.set(known.key, known)
    const within = this.#within.get(known.namespace) ?? new Set()
    this.#within.set(known.namespace, within.add(known))
    this.#change(known, 'add')
  }

  #drop(known: KnownPolicy): void {
    this.#known.delete(known.key)
    this.#within.get(known.namespace)?.delete(known)
    this.#change(known, 'remove')
  }

  #change(known: KnownPolicy, how: 'add' | 'remove'): void {
    if (known.policy === undefined) return
    for (const at of this.#vnis.values()) if (isReached(known, at)) at.inForce?.[how](known.policy)
  }

  /** Also without pods: one that comes finds the rules there. */
  #moveAttachment(of: Resource<'L2ServiceAttachment'>, after: Resource<'L2ServiceAttachment'> | undefined): void {
    this.#move(attachmentPlaceKey(of), placeInVlan(after, of.metadata.namespace ?? ''))
    for (const pod of this.#caches.Pod.by('network', keyOfItem(of))) this.#movePod(keyOfItem(pod), pod, after ?? keyOfItem(of))
  }

  /** @param on an attachment, or the key of what is none (yet) */
  #movePod(key: string, pod: Resource<'Pod'> | undefined, on: Resource<'L2ServiceAttachment'> | string): void {
    const [name, attachment] = typeof on === 'string' ? [on, undefined] : [keyOfItem(on), on]
    const isOn = pod !== undefined && !isPodFinished(pod) && networksOf(pod).includes(name)
    this.#move(podPlaceKey(key, name), isOn ? placeInVlan(attachment, pod.metadata.namespace ?? '') : undefined)
  }

  #move(key: string, place: PortPlace | undefined): void {
    const was = this.#places.get(key)
    if (sameJson(was, place)) return
    if (place === undefined) this.#places.delete(key)
    else this.#places.set(key, place)
    // What stays in reach is not let go of in between.
    if (place !== undefined) this.#count(place, 1)
    if (was !== undefined) this.#count(was, -1)
  }

  #count({ vni, network, namespace, groups }: PortPlace, by: 1 | -1): void {
    const at = this.#at(vni)
    at.network = network
    const how = by === 1 ? 'add' : 'remove'
    const inReach = [
      ...(at.namespaces.count(namespace, by) ? this.#labelledIn(namespace) : []),
      ...groups.flatMap((group) => (at.groups.count(group, by) ? (this.#known.get(groupKey(group)) ?? []) : [])),
    ]
    for (const { policy } of inReach) if (policy !== undefined) at.inForce?.[how](policy)
  }

  #labelledIn(namespace: string | undefined): readonly KnownPolicy[] {
    return [...(this.#within.get(namespace) ?? [])].filter(({ kind }) => reachOf[kind] !== 'whoever names it')
  }

  #policiesOf(at: Vni, around?: Pick<PortPlace, 'namespace' | 'groups'>): readonly CommonPolicy[] {
    const namespaces = new Set([...at.namespaces.keys(), ...(around === undefined ? [] : [around.namespace])])
    const groups = new Set([...at.groups.keys(), ...(around?.groups ?? [])])
    const named = [...groups].flatMap((group) => this.#known.get(groupKey(group)) ?? [])
    const within = [undefined, ...namespaces].flatMap((namespace) => this.#labelledIn(namespace))
    return [...named, ...within].flatMap(({ policy }) => policy ?? [])
  }

  #at(vni: number): Vni {
    const known = this.#vnis.get(vni)
    if (known !== undefined) return known
    const labelsOf = (name: string): Readonly<Record<string, string>> => namespaceLabelsOf(name, this.#caches.Namespace.get(name))
    const at: Vni = {
      vni,
      network: '',
      groups: new Counts(),
      namespaces: new Counts(),
      directory: new Directory([], labelsOf),
      inForce: undefined,
    }
    this.#vnis.set(vni, at)
    return at
  }
}

const groupKey = (name: string): PolicyKey => policyKey({ kind: 'SecurityGroup', name })

function isReached({ kind, name, namespace }: KnownPolicy, { groups, namespaces }: Vni): boolean {
  const reaches = reachOf[kind]
  if (reaches === 'whoever names it') return groups.has(name)
  return reaches === 'everybody' || (namespace !== undefined && namespaces.has(namespace))
}

/** Kubernetes counts the generation of its own policies too. */
const isSame = (one: Resource, other: Resource): boolean =>
  one.metadata.generation === other.metadata.generation &&
  one.metadata.deletionTimestamp === other.metadata.deletionTimestamp &&
  sameJson(writtenOf(one), writtenOf(other))
/** What workers have written of it, and go by. */
function writtenOf({ status }: Resource): unknown {
  const { schedule, names } = (status ?? {}) as NonNullable<Resource<'UnifiedNetworkPolicy'>['status']>
  return [schedule, names?.map(({ name, addresses, problem }) => [name, problem, ...addresses.map(({ address }) => address)])]
}

const selectsNamespaces = ({ subjects, rules }: CommonPolicy): boolean =>
  [subjects, ...rules.flatMap(({ peers }) => peers?.selections ?? [])].some(({ namespaceLabels = [] }) => namespaceLabels.length > 0)
