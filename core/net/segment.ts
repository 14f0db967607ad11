// Layer-2 domains by number.
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
