// What ADD answers, and what it tells of in Port status and in the pod's network-status.
import { networkStatusAnnotation } from '../../core/kinds/annotations.ts'
import { keyOf, type Ref, type Resource } from '../../core/kinds/index.ts'
import { resultIn, type CniInterface, type CniIp, type CniRequest, type CniResult } from '../../core/wire/cni/cni.ts'
import { clusterNetwork, mergedStatus, networkName, type NetworkStatus } from '../../core/wire/cni/network-status.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { AgentEnv } from '../agent-env.ts'
import { reportWired } from '../ports/node-status.ts'
import { gatewayOf, type WiredInterface } from '../ports/wiring.ts'
import { deviceInfoOf, tapOnNode } from '../links/ends.ts'
import type { Sandbox } from '../ledger/record.ts'
import type { DelegateConf } from './conf.ts'
import { podNamed } from './pods.ts'

export interface DelegateResult {
  readonly conf: DelegateConf
  readonly result: CniResult
}
export interface AddDone {
  readonly request: CniRequest
  readonly delegate: DelegateResult | undefined
  readonly made: readonly WiredInterface[]
  readonly pod: Resource<'Pod'> | undefined
}

/**
 * Writes the sandbox down while the data plane takes its interfaces in. After both, its pod's status is reported, debounced.
 * @throws what either throws
 */
export async function remember(done: AddDone, env: AgentEnv): Promise<CniResult> {
  const { request, delegate, pod } = done
  const result = resultIn(request.conf.cniVersion, resultOf(done))
  const named = podNamed(request.args)
  const { namespace = '', name = '', uid = '' } = pod?.metadata ?? named ?? {}
  const sandbox: Sandbox = {
    containerID: request.containerID,
    ifname: request.ifname,
    netns: request.netns,
    pod: { namespace, name, uid },
    ...(delegate && { delegate }),
    networkStatus: networkStatusOf(done, env),
    result,
  }
  await Promise.all([env.ledger.putSandbox(sandbox), ...done.made.map(({ joined }) => joined)])
  // By then it may be gone.
  env.debounce.later(() => void (env.ledger.sandbox(sandbox.containerID, sandbox.ifname) && reportAdd(sandbox, env)))
  return result
}

/** What stood before ours: the delegate's, or that of the plugins before us in a chain. */
const before = ({ request, delegate }: AddDone): CniResult | undefined => delegate?.result ?? request.conf.prevResult

/** The interfaces and addresses that stood before first, then ours, each address beside its interface. */
function resultOf(done: AddDone): CniResult {
  const { request, made } = done
  const { interfaces = [], ips = [], routes = [], dns = {} } = before(done) ?? {}
  const ours = made.map(({ wired, plumbed }): CniInterface => ({
    // A TAP is on the node, for the pod's hypervisor: the specification has no sandbox for what is on the host.
    ...placed(wired, request.netns),
    mac: plumbed.mac,
    mtu: plumbed.mtu,
    ...(wired.port.socket !== undefined && { socketPath: wired.port.socket }),
  }))
  const addresses = made.flatMap((each, place) => addressesOf(each, interfaces.length + place))
  const ways = made.flatMap(({ wired }) => wired.inside.routes.map(({ to, via }) => ({ dst: to, ...(via !== undefined && { gw: via }) })))
  return { interfaces: [...interfaces, ...ours], ips: [...ips, ...addresses], routes: [...routes, ...ways], dns }
}

function placed({ port, ifname }: WiredInterface['wired'], sandbox: string): Pick<CniInterface, 'name' | 'sandbox'> {
  const tap = tapOnNode(port)
  return tap === undefined ? { name: ifname, sandbox } : { name: tap }
}

function addressesOf({ wired, subnet }: WiredInterface, index: number): CniIp[] {
  return wired.inside.addresses.map((address) => {
    const gateway = gatewayOf(subnet, address)
    return { address, interface: index, ...(gateway !== undefined && { gateway }) }
  })
}

/** Ours, and before them the cluster's own; nothing where there is none of ours. */
function networkStatusOf(done: AddDone, env: AgentEnv): readonly NetworkStatus[] {
  const { request, made } = done
  const cluster = before(done)
  if (made.length === 0) return []
  const ours = made.map((each) => statusOf(each, request.ifname, env))
  return cluster === undefined ? ours : [clusterStatus(request.ifname, cluster), ...ours]
}

/** What the store should know of a sandbox and does not: also after an agent that was killed before it had told. */
export function reportAdd({ containerID, pod: { namespace, name, uid }, networkStatus = [] }: Sandbox, env: AgentEnv): void {
  for (const wired of env.ledger.wiredIn(containerID)) reportWired(wired, env)
  if (networkStatus.length === 0) return
  env.outbox.put(`network-status ${uid}`, reporting({ kind: 'Pod', namespace, name }, { uid, networkStatus }, env))
}

/** Multus writes the whole of it, after our answer: what it has not taken from there is told again. */
export function onPodChange({ before, after }: ChangeEvent<'Pod'>, env: AgentEnv): void {
  const [had, has] = [before, after].map((pod) => pod?.metadata.annotations?.[networkStatusAnnotation])
  if (after === undefined || has === undefined || had === has) return
  const sandbox = env.ledger.sandboxOf(after.metadata.uid)
  const { networkStatus = [] } = sandbox ?? {}
  if (sandbox !== undefined && networkStatus.length > 0 && mergedStatus(has, networkStatus) !== has) reportAdd(sandbox, env)
}

/**
 * Others write there too (Multus): what is merged is written over what it was merged with alone. Where a watch is behind, the store is
 * asked.
 */
function reporting(
  ref: Ref<'Pod'>,
  { uid, networkStatus }: { readonly uid: string; readonly networkStatus: readonly NetworkStatus[] },
  { pods, store }: AgentEnv,
): () => Promise<unknown> {
  let isBehind = false
  return async () => {
    const pod = (isBehind ? undefined : pods.get(keyOf(ref))) ?? (await store.get(ref))
    if (pod?.metadata.uid !== uid) return
    const { deletionTimestamp, annotations = {} } = pod.metadata
    const there = annotations[networkStatusAnnotation]
    const text = mergedStatus(there, networkStatus)
    if (text === there) return
    isBehind = true
    await store.commit([
      {
        do: 'patchPodStatus',
        pod: ref,
        uid,
        annotations: { [networkStatusAnnotation]: text },
        fence: { deletionTimestamp, annotations: { [networkStatusAnnotation]: there } },
      },
    ])
  }
}

export function statusOf({ wired, subnet, plumbed }: WiredInterface, ifname: string, env: AgentEnv): NetworkStatus {
  const { namespace = '', name } = subnet.metadata
  const device = deviceInfoOf(wired.port, wired.ifname, env)
  return {
    name: networkName(namespace, name),
    interface: wired.ifname,
    ips: wired.port.addresses,
    mac: wired.port.mac,
    mtu: plumbed.mtu,
    ...(wired.ifname === ifname && { default: true }),
    ...(device && { 'device-info': device }),
  }
}

function clusterStatus(ifname: string, { interfaces = [], ips = [], dns = {} }: CniResult): NetworkStatus {
  const index = interfaces.findIndex(({ name, sandbox }) => name === ifname && sandbox !== undefined)
  const addresses = ips
    .filter((ip) => ip.interface === undefined || ip.interface === index)
    .map(({ address }) => address.replace(/\/\d+$/, ''))
  const mac = interfaces[index]?.mac
  return { name: clusterNetwork, interface: ifname, ips: addresses, ...(mac !== undefined && { mac }), default: true, dns }
}
