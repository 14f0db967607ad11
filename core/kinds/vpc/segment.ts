// The layer-2 domain of a Vpc, and of all that is in it: a VNI of our own, or a VLAN of a physical network.
import { Type, type Static } from 'typebox'
import { isVlanSegment, vlanMax, vlanSegment } from '../../net/segment.ts'
import { vlanLockName, vniLockName } from '../../net/names.ts'
import { closed, Name } from '../meta.ts'

export const Vlan = Type.Object({ physicalNetwork: Name, id: Type.Integer({ minimum: 1, maximum: vlanMax }) }, closed)
export type Vlan = Static<typeof Vlan>

/** Of a Vpc, and of each Subnet of it that says something else. */
export const Broadcast = Type.Boolean({
  description:
    'true: broadcast, multicast and unknown MACs reach all nodes of its VNI, within a limit; a Subnet that says nothing has what its Vpc says',
})

/** In a status: one has a VNI, or a VLAN and its number. */
export const segmentStatus = {
  vni: Type.Optional(Type.Integer()),
  vlan: Type.Optional({ ...Vlan, description: 'in place of a VNI' }),
  segment: Type.Optional(Type.Integer({ description: 'the number, above all VNIs, by which locks and policies know that VLAN' })),
}
export const segmentFields = ['vni', 'vlan', 'segment'] as const

interface SegmentStatus {
  readonly vni?: number
  readonly segment?: number
}

/** The number by which locks, rule sets and identities know where something is; undefined: it is nowhere (yet). */
export const segmentOf = ({ status: { vni, segment } = {} }: { readonly status?: SegmentStatus }): number | undefined => vni ?? segment

/** What an object that has no status yet asks for. */
export const segmentAsked = ({ vni, vlan }: { readonly vni?: number; readonly vlan?: Vlan }): number | undefined =>
  vni ?? (vlan && inVlan(vlan).segment)

/** One layer-2 domain. */
export interface Segmented {
  /** VNI, or the number of the VLAN. */
  readonly segment: number
  readonly vlan?: Vlan | undefined
}

export const inVlan = (vlan: Vlan): Segmented => ({ segment: vlanSegment(vlan.physicalNetwork, vlan.id), vlan })

/** What it is, for people. */
export const segmentWord = ({ vlan }: { readonly vlan?: Vlan | undefined }): 'VNI' | 'VLAN' => (vlan === undefined ? 'VNI' : 'VLAN')

/** As a status tells it, all of its fields. */
export const toldSegment = ({ segment, vlan }: Segmented): { readonly vni?: number; readonly vlan?: Vlan; readonly segment?: number } =>
  vlan === undefined ? { vni: segment } : { vlan, segment }

/** As its SegmentLock names it. */
export const lockedSegment = ({ segment, vlan }: Segmented): Locked =>
  vlan === undefined ? { vni: segment } : { physicalNetwork: vlan.physicalNetwork, vlan: vlan.id }

interface Locked {
  readonly vni?: number
  readonly physicalNetwork?: string
  readonly vlan?: number
}

/** What a SegmentLock is the right to. */
export const segmentInLock = ({ vni, physicalNetwork = '', vlan = 0 }: Locked): Segmented =>
  vni === undefined ? inVlan({ physicalNetwork, id: vlan }) : { segment: vni }

export const segmentLockName = ({ segment, vlan }: Segmented): string =>
  vlan === undefined ? vniLockName(segment) : vlanLockName(vlan.physicalNetwork, vlan.id)

/** As a policy names one: `vni:7`, `vlan:physnet1/100`; undefined for any other text. */
export function segmentByName(text: string): Segmented | undefined {
  const [, vni, physicalNetwork = '', id] = /^(?:vni:([0-9]+)|vlan:([^/]+)\/([0-9]+))$/.exec(text) ?? []
  if (vni !== undefined) return { segment: Number(vni) }
  if (id === undefined) return undefined
  return inVlan({ physicalNetwork, id: Number(id) })
}

/** For people. */
export const segmentText = ({ segment, vlan }: Segmented): string =>
  vlan === undefined ? `VNI ${segment}` : `VLAN ${vlan.id} of physical network ${vlan.physicalNetwork}`

/** The field of Vpcs, Subnets and Ports by which those of a number are selected. */
export const segmentField = (segment: number): '.status.segment' | '.status.vni' =>
  isVlanSegment(segment) ? '.status.segment' : '.status.vni'
