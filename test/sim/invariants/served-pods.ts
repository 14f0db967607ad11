// In the end a pod that runs has an interface for each of its Ports, in its own sandbox; and who is on a node's switch knows all others.
import { isExpectedOn } from '../../../core/plan/vpc/move.ts'
import { isHotNic } from '../../../core/admit/pod/hot-nics.ts'
import { isNetworkByPolicy } from '../../../core/admit/pod/network-by-policy.ts'
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { gatewayMac } from '../../../core/net/gateway-mac.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import { endpointOf, isLeaving } from '../../../core/plan/node/pieces.ts'
import { policyHere } from '../../../core/plan/node/policy.ts'
import { notDone } from '../../../core/pieces/policy/not-done.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { nodeAddress } from '../layout.ts'
import type { Site } from '../site.ts'
import type { Invariant } from '../invariant.ts'
import { isHeldBack } from './hot-nics.ts'
import { isRouted } from './routed.ts'
import { type Machine } from '../world/machines.ts'
import { netnsOf } from '../world/netns.ts'
import type { PlaneName } from '../world/planes/plane.ts'

export const servedPods: Invariant = {
  name: 'served-pods',
  begin({ site, machines }, fail) {
    const isWiredIn = (pod: Resource<'Pod'>, port: Resource<'Port'>): boolean => {
      const machine = machines.all.get(pod.spec.nodeName ?? '')
      const netns = netnsOf({ namespace: '', ...pod.metadata }, machine?.sandboxes.get(pod.metadata.uid) ?? '')
      return [...(machine?.links.there.values() ?? [])].some((link) => link.port.uid === port.metadata.uid && link.inside.netns === netns)
    }
    return {
      atRest() {
        for (const pod of site.truth.values('Pod')) {
          if (pod.status?.phase !== 'Running' || isPodFinished(pod)) continue
          const bare = portsOf(pod, site).filter(
            (port) => port.status?.phase === 'ready' && !isWiredIn(pod, port) && !(isWiredLate(pod, port) && isHeldBack(pod)),
          )
          if (bare[0] !== undefined)
            fail(`pod ${keyOfItem(pod)} runs on ${pod.spec.nodeName}, and its Port ${keyOfItem(bare[0])} has no interface in it`)
        }
        for (const machine of machines.all.values()) if (machine.up) knowsOthers(machine, site, fail)
      },
    }
  },
}

/** The agent does that itself. */
const isWiredLate = (pod: Resource<'Pod'>, { spec: { claim } }: Resource<'Port'>): boolean =>
  isNetworkByPolicy(pod) || isHotNic(pod, claim?.nic ?? '')

function portsOf({ metadata: { uid } }: Resource<'Pod'>, { truth }: Site): Resource<'Port'>[] {
  return [...truth.values('Port')].filter(
    ({ spec: { claim }, metadata }) => claim?.podUID === uid && claim.until === undefined && metadata.deletionTimestamp === undefined,
  )
}

/** A link knows who judged its Port when it was made: what judges it now, closes it where that is not done there. */
function asItIs({ policy: _, ...port }: LocalPort, truth: Site['truth'], plane: PlaneName): LocalPort {
  const named = [...truth.values('Port')].find(({ metadata }) => metadata.uid === port.uid)?.status?.policy
  if (named === undefined) return port
  const sets = new Map([...truth.values('PolicyRuleSet')].map(({ metadata, spec }) => [metadata.name, { ...spec, namespace: '' }]))
  const here = { ruleSet: (name: string) => sets.get(name), unsupported: plane === 'ovs' ? () => [] : notDone[plane] }
  return { ...port, policy: policyHere(named, here) }
}

function isExpectedHere(uid: string, node: string, truth: Site['truth']): boolean {
  const port = [...truth.values('Port')].find(({ metadata }) => metadata.uid === uid)
  return port !== undefined && isExpectedOn(port, node)
}

/** A service address is answered for where its ServiceAddress has come to: `service-addresses` says whose it is. */
function withoutServices(plane: Machine['plane'], truth: Site['truth']): Map<string, string> {
  const seen = new Map(plane.places())
  for (const { spec } of truth.values('IPLock')) {
    const { vni, address, holder } = spec
    if (holder?.kind !== 'ServiceAddress' || address === undefined) continue
    for (const [key] of plane.placesOf({ endpoint: { vni, address, mac: gatewayMac, hostIP: '' }, isRouted: true })) seen.delete(key)
  }
  return seen
}

/** What the switch of a machine says of other nodes' addresses, against the locks. */
function knowsOthers({ name, plane, links }: Machine, { truth }: Site, fail: (what: string) => void): void {
  const wired = new Set([...links.there.values()].map(({ port }) => port.uid))
  // A Port that is bound here makes its VNI one of this node's, also while its sandbox waits for another Nic.
  const here = [...truth.values('Port')].filter(
    (port) => port.status?.vni !== undefined && (wired.has(port.metadata.uid) || !isLeaving(port, name)),
  )
  const vnis = new Set(
    here.map(({ status, spec, metadata }) => `${resolveReference(spec.subnet, metadata.namespace ?? '').namespace} ${status?.vni}`),
  )
  // A TAP that waits for a VM is not in the data plane yet.
  const joined = [...links.there.values()].filter(({ port }) => !isExpectedHere(port.uid, name, truth))
  const told = new Map(joined.flatMap(({ port }) => [...plane.placesOf({ port: asItIs(port, truth, plane.name) })]))
  const wanted = new Set<string>()
  for (const lock of truth.values('IPLock')) {
    const endpoint = endpointOf(lock, nodeAddress(name))
    for (const [key, text] of endpoint === undefined
      ? []
      : plane.placesOf({ endpoint, isRouted: isRouted(lock.spec.address, lock.spec.vni, truth) })) {
      if (!told.has(key)) told.set(key, text)
      if (vnis.has(`${lock.metadata.namespace} ${lock.spec.vni}`)) wanted.add(key)
    }
  }
  const seen = withoutServices(plane, truth)
  // Of a VNI whose Port here is being made, again and again for a pod that never begins, it may know the others already.
  for (const key of new Set([...wanted, ...seen.keys()])) {
    if (told.get(key) !== seen.get(key))
      fail(`the data plane of ${name} has ${key} ${seen.get(key) ?? 'not'}, and the locks say ${told.get(key) ?? 'nothing of it'}`)
  }
}
