// The CNI configuration in the NetworkAttachmentDefinition of an L2ServiceAttachment that our own plugin plumbs: written by workers, read
// by agents.
import { vlanMax } from '../net/segment.ts'
import type { SegmentAttachment } from './wanted.ts'

/** Beside `cniVersion` and `name`. */
export interface ExternalConf {
  readonly type: 'megrez'
  /** `namespace/name` of the L2ServiceAttachment: agents follow what its status says of VLANs. */
  readonly attachment: string
  readonly interfaceType: 'kernel' | 'dpdk'
  readonly physicalNetwork: string
  readonly vlanType: 'access' | 'trunk' | 'selectivetrunk'
  /** access: one, untagged in the pod; else those that it may use, tagged. */
  readonly vlans: readonly number[]
  /** An IPAM plugin, with its own fields: it is given this whole configuration. */
  readonly ipam?: { readonly type: string; readonly [more: string]: unknown }
  /** Bytes. */
  readonly mtu?: number
}

/** Whether a configuration of our plugin is for an interface beside the cluster's, and not for a pod as a whole. */
export const isExternal = (conf: object): boolean => 'vlanType' in conf || 'physicalNetwork' in conf

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isVlan = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= vlanMax
const isWhole = (value: unknown, least: number): boolean => value === undefined || (Number.isInteger(value) && (value as number) >= least)

const tests: readonly (readonly [field: keyof ExternalConf, holds: (conf: Partial<ExternalConf>) => boolean, should: string])[] = [
  ['physicalNetwork', ({ physicalNetwork }) => isText(physicalNetwork), 'names a physical network'],
  ['vlanType', ({ vlanType = '' }) => ['access', 'trunk', 'selectivetrunk'].includes(vlanType), 'is access, trunk or selectivetrunk'],
  // Never empty: to a switch that would mean all VLANs.
  [
    'vlans',
    ({ vlans }) => Array.isArray(vlans) && vlans.length > 0 && vlans.every(isVlan),
    `lists VLANs from 1 to ${vlanMax}, one at least`,
  ],
  ['vlans', ({ vlanType, vlans }) => vlanType !== 'access' || vlans?.length === 1, 'has one VLAN where vlanType is access'],
  [
    'attachment',
    ({ attachment }) => attachment === undefined || /^[^/]+\/[^/]+$/.test(attachment),
    'is namespace/name of an L2ServiceAttachment',
  ],
  ['interfaceType', ({ interfaceType = 'kernel' }) => ['kernel', 'dpdk'].includes(interfaceType), 'is kernel or dpdk'],
  ['ipam', ({ ipam }) => ipam === undefined || (typeof ipam === 'object' && isText(ipam?.type)), 'has the type of an IPAM plugin'],
  // RFC 791: every internet module must be able to forward a datagram of 68 octets.
  ['mtu', ({ mtu }) => isWhole(mtu, 68), 'is a number of bytes, 68 at least'],
]

/** @returns a sentence where it cannot be taken */
export function externalConf(conf: object): ExternalConf | string {
  const fields = conf as Partial<ExternalConf>
  const wrong = tests.find(([, holds]) => !holds(fields))
  return wrong === undefined ? { ...(fields as ExternalConf), attachment: fields.attachment ?? '' } : `${wrong[0]} ${wrong[2]}`
}

/** Each once, in order. */
export const vlansOpen = (vlans: readonly number[] = []): readonly number[] => [...new Set(vlans)].filter(isVlan).sort((a, b) => a - b)

/** Each VLAN once, in order: equal lists are equal texts. */
export const attachmentOf = ({
  physicalNetwork,
  vlanType,
  vlans,
}: Pick<ExternalConf, 'physicalNetwork' | 'vlanType' | 'vlans'>): SegmentAttachment => ({
  kind: 'vlan',
  physicalNetwork,
  mode: vlanType,
  vlans: [...new Set(vlans)].sort((a, b) => a - b),
})
