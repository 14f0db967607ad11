// What wakes a policy with service chains: who its packets go through, and whose they are. And one that asks what is said in connections:
// what addresses those have that it names.
import { instancesOf } from '../../../core/kinds/policy/chain.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import type { Env } from '../../controller-env.ts'
import { isUnready } from '../../policy/serving.ts'
import { asItWas, named } from '../../watch/map-to-keys.ts'
import { part } from '../../watch/predicates.ts'
import type { Watch, WatchFor } from '../../watch/watch.ts'
import { ofKind, type LabelledKind } from './rule-set-watches.ts'

const kind = 'UnifiedNetworkPolicy'

const isServed = part<'Port'>('whether it serves, labels or who judges it', (port) => port && [wantedOf(port), foundOf(port.status ?? {})])
const forwards = part<'Pod'>('labels, readiness or whether it goes', (pod) => {
  const { uid, labels, deletionTimestamp } = pod?.metadata ?? {}
  return pod && [uid, labels, deletionTimestamp, isPodFinished(pod), isUnready(pod)]
})
const takesFunctions = part<'PolicyRuleSet'>('the Ports that its chains go through', (set) => set && [set.spec.audit, portsIn(set.spec)])

function wantedOf({ metadata, spec }: Resource<'Port'>): readonly unknown[] {
  const { claim, node, podUID, portSecurity } = spec
  return [metadata.labels, metadata.deletionTimestamp, claim, node, podUID, portSecurity]
}
function foundOf({ phase, addresses, mac, policy, vif, cloud, node }: NonNullable<Resource<'Port'>['status']>): readonly unknown[] {
  return [phase, addresses, mac, policy, vif === undefined, cloud === undefined, node?.wired, node?.dataplane, node?.chain, node?.silent]
}

const portsIn = ({ chains }: SpecOf<'PolicyRuleSet'>): readonly string[] => instancesOf(chains).map(({ port }) => port)

const asks = ({ ingress = [], egress = [] }: SpecOf<typeof kind>): boolean => [...ingress, ...egress].some(({ l7 }) => l7 !== undefined)

/** Those of a namespace. */
const withChains = (namespace: string | undefined, { caches, policies }: Env): readonly string[] =>
  ofKind(kind, policies.within(namespace)).filter((name) => caches[kind].get(name)?.spec.chains !== undefined)

/** A chain that names its other end by blocks alone goes by no Port of another namespace. */
const isAboutOthers = ({ chains = [] }: SpecOf<typeof kind>): boolean =>
  chains.some(({ peers = [] }) => peers.some(({ cidr, subnet, fqdn }) => cidr === undefined && subnet === undefined && fqdn === undefined))

/** Those that ask what is said in connections, and name the other end by who it is: inspectors know addresses alone. */
const inspecting = (vni: number | undefined, { caches }: Env): readonly string[] =>
  [...caches.PolicyRuleSet.by('vni', String(vni ?? ''))]
    .filter(({ spec: { inspections = [] } }) => inspections.some(({ peers }) => peers !== undefined))
    .map(({ spec: { policy } }) => `${policy.namespace ?? ''}/${policy.name}`)
    .filter((name) => asks(caches[kind].get(name)?.spec ?? { podSelector: {} }))

/** Of its namespace, where it may carry functions out and be an end, and those that may name it as the other end. */
function aboutPort(port: Resource<'Port'>, env: Env): readonly string[] {
  const { caches } = env
  const there = [...caches.PolicyRuleSet.by('vni', String(segmentOf(port) ?? ''))]
    .filter(({ spec }) => spec.chains !== undefined)
    .map(({ spec: { policy } }) => `${policy.namespace ?? ''}/${policy.name}`)
    .filter((name) => isAboutOthers(caches[kind].get(name)?.spec ?? { podSelector: {} }))
  return [...new Set([...withChains(port.metadata.namespace, env), ...there, ...inspecting(segmentOf(port), env)])]
}

/** What it has others of its namespace have not, and what it lets go of they may have. */
const besides = ({ spec: { policy } }: Resource<'PolicyRuleSet'>, env: Env): readonly string[] =>
  policy.kind === kind ? withChains(policy.namespace, env).filter((name) => name !== `${policy.namespace ?? ''}/${policy.name}`) : []

export function chainWatches(on: WatchFor<LabelledKind>): readonly Watch<LabelledKind>[] {
  const ofPort = named<'Port', LabelledKind>(kind, 'those with chains in its namespace, or about it', aboutPort)
  return [
    on('Port', { when: isServed, keys: ofPort, hearsMade: true }),
    on('Port', { when: isServed, keys: asItWas(ofPort), hearsMade: true }),
    on('Pod', {
      when: forwards,
      keys: named(kind, 'those with chains in its namespace', ({ metadata: { namespace } }, env) => withChains(namespace, env)),
    }),
    on('PolicyRuleSet', { when: takesFunctions, keys: named(kind, 'others with chains in its namespace', besides) }),
  ]
}
