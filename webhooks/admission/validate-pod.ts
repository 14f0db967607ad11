// Validating admission of pods, and of a change of their hot NICs: judged from memory, then what the pod names is kept for it.
import { segmentOf, segmentWord } from '../../core/kinds/vpc/segment.ts'
import { callbackProblem } from '../../core/admit/object/callback-target.ts'
import { ownerOf } from '../../core/admit/pod/claims.ts'
import { hotChange } from '../../core/admit/pod/hot-nics.ts'
import { nicAt } from '../../core/admit/pod/nic-fields.ts'
import { addressAt, resolveNics } from '../../core/admit/pod/nics.ts'
import { annotationAt, isRefusal, refuse, refuseForNow, type Refusal } from '../../core/admit/refusal.ts'
import type { ResolvedNic, NicResolution } from '../../core/admit/network-view.ts'
import { callbackAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { traitsOf } from '../../core/kinds/vpc/providers.ts'
import { isKosMac } from '../../core/net/mac.ts'
import { addressLockNameOf, macLockName } from '../../core/net/names.ts'
import { kosAddressOf } from '../../core/plan/builtin/mac.ts'
import type { AdmissionDeps, AdmittedPod, ReservationBound } from './deps.ts'
import { uplinkRefusal } from './booking/fits.ts'
import { uplinkAskedBy } from './booking/request.ts'
import { reserve, type ReservationRequest } from './reserve.ts'

export interface Validated {
  readonly allowed: true
  readonly warnings: readonly string[]
}
type Nics = Extract<NicResolution, { readonly kind: 'nics' }>

/** What must be kept for a pod, or why it is refused; from memory. */
export interface PodJudgement {
  readonly kind: 'judged'
  readonly wishes: readonly ReservationRequest[]
  readonly warnings: readonly string[]
  /** Of a new pod that asks for some of its node's uplink: megabits a second. */
  readonly uplink?: number | undefined
}

/**
 * May this pod be? Where it names addresses, MACs or Ports they are reserved for it, all or none; `dryRun` writes nothing.
 * Waits for what is on its way, where news can be had.
 */
export async function validatePod(
  deps: AdmissionDeps,
  pod: AdmittedPod,
  options: { readonly dryRun: boolean },
): Promise<Validated | Refusal> {
  return keepJudged(deps, pod, () => judgePod(deps, pod), options.dryRun)
}

async function keepJudged(
  deps: AdmissionDeps,
  pod: AdmittedPod,
  ask: () => PodJudgement | Refusal,
  dryRun: boolean,
): Promise<Validated | Refusal> {
  const judged = deps.news === undefined ? ask() : await deps.news.until(ask, (answer) => answer.kind === 'refused' && answer.later)
  return isRefusal(judged) ? judged : keepAll(deps, pod, judged, dryRun)
}

export async function keepAll(
  deps: AdmissionDeps,
  pod: AdmittedPod,
  judgement: PodJudgement,
  dryRun: boolean,
): Promise<Validated | Refusal> {
  const { uplink } = judgement
  const tooMuch = uplink === undefined ? undefined : await uplinkRefusal(deps, uplink)
  return tooMuch ?? keepWished(deps, pod, judgement, dryRun)
}

async function keepWished(
  deps: AdmissionDeps,
  pod: AdmittedPod,
  { wishes, warnings }: PodJudgement,
  dryRun: boolean,
): Promise<Validated | Refusal> {
  if (wishes.length === 0) return { allowed: true, warnings }
  const { metadata } = pod
  const beyond = dryRun ? undefined : beyondBound(deps.bound, metadata.namespace, wishes.length)
  if (beyond !== undefined) return { allowed: true, warnings: [...warnings, beyond] }
  const who = {
    namespace: metadata.namespace ?? '',
    pod: metadata.name ?? metadata.generateName ?? '',
    podUID: metadata.uid ?? '',
    owner: ownerOf(metadata),
  }
  const kept = await reserve(deps, wishes, who, dryRun)
  return kept.kind === 'refused' ? kept : { allowed: true, warnings: [...warnings, ...kept.warnings] }
}

/** A namespace that is flooded slows only itself: workers settle who gets what, one after the other, and pods that come second wait. */
function beyondBound(bound: ReservationBound | undefined, namespace = '', many: number): string | undefined {
  if (bound === undefined || bound.take(namespace, many)) return undefined
  return `more than ${bound.perSecond} addresses and Ports a second are asked for in namespace ${namespace}: nothing is kept for this pod yet, and another may take what it names first`
}

export function judgePod(deps: Pick<AdmissionDeps, 'world' | 'settings'>, pod: AdmittedPod): PodJudgement | Refusal {
  const wanted = resolveNics(pod, deps.world, deps.settings)
  if (wanted.kind === 'refused') return wanted
  if (wanted.kind === 'none') return { kind: 'judged', wishes: [], warnings: [] }
  const callback = pod.metadata.annotations?.[callbackAnnotation]
  const problem = callback === undefined ? undefined : callbackProblem(callback, deps.settings, pod.metadata.namespace)
  if (problem !== undefined) return refuse(annotationAt(callbackAnnotation), problem)
  const wishes = wishesOf(deps, wanted, pod.metadata.namespace ?? '')
  return isRefusal(wishes) ? wishes : { kind: 'judged', wishes, warnings: wanted.warnings, uplink: uplinkAskedBy(pod) }
}

/**
 * Of a pod that is there: the NICs that come are judged, and kept for, as those of a new pod. What goes is nobody's business but its
 * owner's.
 */
export function judgeChange(deps: Pick<AdmissionDeps, 'world' | 'settings'>, pod: AdmittedPod, old: AdmittedPod): PodJudgement | Refusal {
  const added = hotChange(old.metadata.annotations ?? {}, pod.metadata.annotations ?? {})
  if (isRefusal(added)) return added
  if (added.length === 0) return { kind: 'judged', wishes: [], warnings: [] }
  const judged = judgePod(deps, pod)
  // What its other NICs name is theirs by now, and its node is chosen.
  return isRefusal(judged) ? judged : { ...judged, uplink: undefined, wishes: judged.wishes.filter(({ nic }) => added.includes(nic)) }
}

/** The same where no API server asks. */
export function validateChange(deps: AdmissionDeps, pod: AdmittedPod, old: AdmittedPod, dryRun: boolean): Promise<Validated | Refusal> {
  return keepJudged(deps, pod, () => judgeChange(deps, pod, old), dryRun)
}

function wishesOf(
  { world }: Pick<AdmissionDeps, 'world'>,
  { vpc, nics }: Nics,
  namespace: string,
): readonly ReservationRequest[] | Refusal {
  const wishes: ReservationRequest[] = []
  for (const nic of nics) {
    const port = nic.portName === undefined ? undefined : world.port(namespace, nic.portName)
    const locks = nic.portName === undefined ? locksOf(nic, vpc, world) : []
    if (isRefusal(locks)) return locks
    if (port !== undefined)
      wishes.push({
        do: 'claim',
        port,
        what: `the Port with portID ${nic.portID ?? ''}`,
        nic: nic.name,
        at: nicAt(nic, 'portID'),
      })
    wishes.push(...locks)
  }
  return wishes
}

function locksOf(nic: ResolvedNic, vpc: Resource<'Vpc'>, world: AdmissionDeps['world']): readonly ReservationRequest[] | Refusal {
  if (!asksToKeep(nic, vpc)) return []
  const at = (field: string): string => nicAt(nic, field)
  const vni = vniOf(nic, vpc, world)
  if (typeof vni === 'string') return refuseForNow(at(nic.ips.length > 0 ? nic.ipsField : 'mac'), vni)
  const common = { do: 'lock', namespace: vpc.metadata.namespace ?? '', nic: nic.name } as const
  const subnet = nic.subnet.name
  const wishes = nic.ips.map((address, place): ReservationRequest => {
    return {
      ...common,
      name: addressLockNameOf(vni, address) ?? '',
      spec: { vni, address, subnet },
      what: `address ${address} of Subnet ${subnet}`,
      at: addressAt(nic, nic.index, place),
    }
  })
  const mac = nic.mac === undefined ? undefined : macWish(nic, nic.mac, vni)
  if (isRefusal(mac)) return mac
  return mac === undefined
    ? wishes
    : [...wishes, { ...common, name: macLockName(vni, mac), spec: { vni, mac, subnet }, what: `MAC ${mac}`, at: at('mac') }]
}

/** Where addresses are not ours, nothing here can keep one: the cloud says whether it is free. */
const asksToKeep = ({ ips, mac }: ResolvedNic, vpc: Resource<'Vpc'>): boolean =>
  (ips.length > 0 || mac !== undefined) && traitsOf(vpc)?.addresses !== 'theirs'

/** Where it can be kept, or why it cannot. A block that is not its Subnet's yet may be another's by now, and the address with it. */
function vniOf({ subnet: { namespace, name } }: ResolvedNic, vpc: Resource<'Vpc'>, world: AdmissionDeps['world']): number | string {
  const { validated = false, message = 'nobody has looked at it yet' } = world.subnet(namespace, name)?.status ?? {}
  if (!validated) return `Subnet ${name} is not validated: ${message}`
  return segmentOf(vpc) ?? `Vpc ${vpc.metadata.name} has no ${segmentWord(vpc.spec)} yet to keep it in`
}

/** The MAC that needs a lock; none where it follows from the Nic's own address. */
function macWish(nic: ResolvedNic, mac: string, vni: number): string | undefined | Refusal {
  if (isKosMac(vni, mac, nic.ips)) return undefined
  const address = kosAddressOf(vni, mac)
  return address === undefined ? mac : refuse(nicAt(nic, 'mac'), `${mac} is the MAC of address ${address}`)
}
