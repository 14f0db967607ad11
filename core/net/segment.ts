// Layer-2 domains by number.
import { hash80 } from './names.ts'

declare const vlanId: unique symbol
declare const vniOf: unique symbol

/** 1 … 4094 (IEEE 802.1Q: 0 is priority-tagged, 4095 reserved). */
export type VlanId = number & { readonly [vlanId]: true }
/** 1 … 16777215 (RFC 7348: 24 bits; 0 is refused, as no peer means it). */
export type Vni = number & { readonly [vniOf]: true }

export const vlanMax = 4094
export const vniMax = 2 ** 24 - 1

export const parseVlan = (value: number): VlanId | undefined =>
  Number.isInteger(value) && value >= 1 && value <= vlanMax ? (value as VlanId) : undefined
export const parseVni = (value: number): Vni | undefined =>
  Number.isInteger(value) && value >= 1 && value <= vniMax ? (value as Vni) : undefined

/** So many physical networks have a number each in what 32 bits leave above the VNIs. */
const networkNumbers = 2 ** 20 - 2 ** 12
const vlanNumbers = 2 ** 12

/**
 * The number by which policies know a VLAN of a physical network, as they know a VPC by its VNI: above all VNIs, and in 32 bits. Of a
 * million numbers two physical networks may have the same; then rules and identities of both count in both.
 */
export const vlanSegment = (physicalNetwork: string, vlan: number): number =>
  vniMax + 1 + (Number.parseInt(hash80('segments of', physicalNetwork).slice(0, 8), 32) % networkNumbers) * vlanNumbers + vlan

export const isVlanSegment = (number: number): boolean => number > vniMax
