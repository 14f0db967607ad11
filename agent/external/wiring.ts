// Interfaces of pods in VLANs of a physical network: made, looked after and taken away for CNI calls of their own, as Multus makes one for
// each NetworkAttachmentDefinition. No Port stands behind them and none of them is in a VPC.
import { ExternalRefused, NoUplink } from '../../core/errors.ts'
import { attachmentOf, externalConf, type ExternalConf } from '../../core/node/external-conf.ts'
import { canonicalMac, hashedMac } from '../../core/net/mac.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentNumberOf, type LocalPort } from '../../core/node/wanted.ts'
import { resultIn, type CniRequest, type CniResult } from '../../core/wire/cni/cni.ts'
import { timeLimit } from '../../platform/clock.ts'
import { podNamed } from '../cni/pods.ts'
import type { DelegateCall } from '../cni/delegate.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { External, Wired } from '../ledger/record.ts'
import { announceEnd, ensureEnd, socketFor } from '../links/ends.ts'
import type { Inside } from '../links/links.ts'
import { unwire } from '../ports/wiring.ts'
import { ipamAdd, ipamDel } from './ipam.ts'
import { confFromStore } from './conf-from-store.ts'
import { judgedExternal } from './policy.ts'

type ExternalWired = Wired & { readonly external: External }

/** Bytes, where the configuration says nothing: Ethernet's. */
const usualMtu = 1_500
/** How long its rules are worth waiting for: without them it lets nothing pass. */
const rulesMs = 2_000

/** The key of one: a sandbox has one interface of a name. */
const uidOf = ({ containerID, ifname }: Pick<CniRequest, 'containerID' | 'ifname'>): string => `external/${containerID}/${ifname}`

/** As it was sent. @throws ExternalRefused */
export function confOf(request: CniRequest): ExternalConf {
  const conf = externalConf(request.conf)
  if (typeof conf === 'string') throw new ExternalRefused({ reason: conf })
  return conf
}

/** @throws NoUplink */
export function needUplink({ physicalNetwork }: Pick<ExternalConf, 'physicalNetwork'>, { capabilities, node, plane }: AgentEnv): void {
  if (capabilities[`vlan:${physicalNetwork}`] !== true) throw new NoUplink({ node, physicalNetwork, dataplane: plane.name })
}

/** @throws ExternalRefused where a dpdk interface cannot be made, or the pod has one */
function needSocket(
  { interfaceType }: ExternalConf,
  { args, containerID, ifname }: CniRequest,
  { capabilities, node, plane, ledger }: AgentEnv,
): void {
  if (interfaceType !== 'dpdk') return
  if (capabilities['dpdk'] !== true)
    throw new ExternalRefused({ reason: `node ${node} makes no dpdk interfaces: its data plane ${plane.name} has no DPDK` })
  if ((podNamed(args)?.uid ?? '') === '')
    throw new ExternalRefused({
      reason: 'a dpdk interface has its socket in a folder of its pod, and the runtime names none: CNI_ARGS should have K8S_POD_UID',
    })
  const other = [...ledger.wired()].find(
    (each) => each.containerID === containerID && each.port.socket !== undefined && each.ifname !== ifname,
  )
  if (other !== undefined)
    throw new ExternalRefused({ reason: `the pod has the dpdk interface ${other.ifname} already, and one is the most` })
}

export const callOf = (request: CniRequest, env: AgentEnv, signal: AbortSignal): Omit<DelegateCall, 'conf'> => ({
  request,
  bin: env.config.cniBin,
  signal,
  machine: env.machine,
})

export const wiredFor = (
  { containerID, ifname }: Pick<CniRequest, 'containerID' | 'ifname'>,
  { ledger }: AgentEnv,
): ExternalWired | undefined => ledger.external().find((each) => each.containerID === containerID && each.ifname === ifname)

/** ADD: the interface, in its VLANs before anybody is told of it; twice is once. */
export async function addExternal(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<CniResult> {
  const known = wiredFor(request, env)
  if (known?.external.result !== undefined && known.inside.netns === request.netns) return known.external.result
  const { conf, attachment } = await confFromStore(confOf(request), podNamed(request.args), env)
  needUplink(conf, env)
  needSocket(conf, request, env)
  const mac = macFor(request)
  const call = callOf(request, env, signal)
  const found = await ipamAdd(call)
  const plain = wiredOf({ request, conf, mac, found }, env)
  const wired = { ...plain, port: judgedExternal(plain.port, { attachment, podUID: plain.pod?.uid }, env) }
  try {
    await make(wired, env, signal)
  } catch (err) {
    await unwire(wired, env).catch((err: unknown) => env.log.warn({ err }, 'an interface of a failed ADD was not undone'))
    await ipamDel({ ...call, signal: timeLimit(10_000, env.clock) }).catch((err: unknown) =>
      env.log.warn({ err }, 'the addresses of a failed ADD were not given back'),
    )
    throw err
  }
  const result = resultIn(request.conf.cniVersion, resultOf(wired, request.netns, found))
  // Its VLANs may have changed by now.
  const port = env.loop.pieces.of(portPiece).get(wired.port.uid) ?? wired.port
  await env.ledger.put({ ...wired, port, external: { ...wired.external, result } })
  if (wired.port.addresses.length > 0) env.outbox.put(`announce ${wired.port.uid}`, () => announceEnd(wired.port, wired.inside, env))
  env.externals.follow(attachment)
  return result
}

type IpamResult = Awaited<ReturnType<typeof ipamAdd>>
interface WiringRequest {
  readonly request: CniRequest
  readonly conf: ExternalConf
  readonly mac: string
  readonly found: IpamResult
}

function wiredOf({ request, conf, mac, found }: WiringRequest, env: AgentEnv): ExternalWired {
  const uid = uidOf(request)
  const addresses = (found.ips ?? []).map(({ address }) => address)
  const [namespace = '', name = ''] = conf.attachment.split('/')
  const mtu = conf.mtu ?? usualMtu
  const ifcName = hostInterfaceName(uid)
  const pod = podNamed(request.args)
  const socket = socketFor({ type: conf.interfaceType, ifcName }, { pod, ifname: request.ifname }, env)
  const port: LocalPort = {
    uid,
    number: env.ledger.numberFor(uid),
    ifcName,
    attachment: attachmentOf(conf),
    mac,
    mtu,
    type: conf.interfaceType,
    ...(socket !== undefined && { socket }),
    of: { kind: 'L2ServiceAttachment', namespace, name },
    addresses: addresses.map((each) => each.replace(/\/\d+$/, '')),
    allowedAddressPairs: [],
    // VRRP and pods that give themselves addresses: the VLAN is the border.
    portSecurity: false,
  }
  const routes = (found.routes ?? []).map(({ dst, gw }) => ({ to: dst, ...(gw !== undefined && { via: gw }) }))
  const inside: Inside = {
    netns: request.netns,
    ifname: request.ifname,
    addresses,
    routes,
    mtu,
    checksumsInSoftware: env.capabilities['userspace'] === true,
  }
  const external: External = {
    network: request.conf.name,
    attachment: conf.attachment,
    ...(conf.ipam !== undefined && { asked: { conf: request.conf, args: request.args } }),
  }
  return { containerID: request.containerID, ifname: request.ifname, port, inside, vpcNamespace: '', ...(pod && { pod }), external }
}

/** As the runtime asks for it (conventions: runtimeConfig.mac, else CNI_ARGS), else one that this interface always has. */
function macFor(request: CniRequest): string {
  const { args, conf } = request
  const requestedMac = (conf['runtimeConfig'] as { readonly mac?: string } | undefined)?.mac ?? args['MAC']
  if (requestedMac === undefined || requestedMac === '') return hashedMac(0, uidOf(request), 0)
  const mac = canonicalMac(requestedMac)
  if (mac === undefined) throw new ExternalRefused({ reason: `${JSON.stringify(requestedMac)} is no MAC address of an interface` })
  return mac
}

async function make(wired: ExternalWired, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { port, inside } = wired
  const { ledger, loop } = env
  await Promise.all([ensureEnd(port, inside, env), ledger.put(wired)])
  loop.pieces.set(portPiece, port.uid, port)
  await loop.applied(signal)
  if (port.policy !== undefined) await rulesKnown(port, env, signal)
}

/** What is told of its rules by then it goes by when the pod begins. */
async function rulesKnown({ attachment }: LocalPort, { ruleSets, loop, clock }: AgentEnv, signal: AbortSignal): Promise<void> {
  const segment = segmentNumberOf(attachment)
  if (segment === undefined || ruleSets.isKnown(segment)) return
  await ruleSets.known(segment, AbortSignal.any([signal, timeLimit(rulesMs, clock)]))
  await loop.applied(signal)
}

function resultOf({ port, inside }: ExternalWired, sandbox: string, { ips = [], routes = [], dns = {} }: IpamResult): CniResult {
  const { socket, mac, mtu } = port
  return {
    interfaces: [
      { name: port.ifcName, mtu },
      { name: inside.ifname, mac, mtu, sandbox, ...(socket !== undefined && { socketPath: socket }) },
    ],
    ips: ips.map((each) => ({ ...each, interface: 1 })),
    routes,
    dns,
  }
}

/** No frame passes once this has returned; then its addresses are given back. Repeatable. */
export async function removeExternal(wired: ExternalWired, request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { asked } = wired.external
  await unwire(wired, env)
  env.externals.follow()
  if (asked === undefined) return
  const { containerID, ifname } = wired
  const of = { ...request, containerID, ifname, netns: wired.inside.netns ?? '', args: asked.args, conf: asked.conf as CniRequest['conf'] }
  await ipamDel(callOf(of, env, signal))
}
