// What is held on a node's uplink for a Port that has booked: how much, and which packets are its own there.
import type { Item } from '../item.ts'
import type { Because } from '../because.ts'
import type { LocalPort } from '../wanted.ts'

export interface HeldMinimum {
  /** Of the Port on its node, which tells its packets' class. */
  readonly number: number
  /** A second. */
  readonly bits: number
  /** Its frames between nodes are in this VNI, from this MAC. */
  readonly vni: number
  readonly mac: string
}

const prefix = 'held/'
export const isHeldKey = (key: string): boolean => key.startsWith(prefix)
export const heldKey = ({ number }: Pick<HeldMinimum, 'number'>): string => `${prefix}${number}`
export const heldText = ({ bits, vni, mac }: HeldMinimum): string => `${bits} bit/s of VNI ${vni} from ${mac}`

/** By what was observed of it; only its number counts for what goes. */
export const heldOf = (key: string): HeldMinimum => ({ number: Number(key.slice(prefix.length)), bits: 0, vni: 0, mac: '' })

/** Kernels count in bytes a second. */
export const wholeBytes = (bits: number): number => Math.max(Math.floor(bits / 8), 1) * 8

/** One that has booked nothing has no class of its own. */
export function heldItems({ number, mac, attachment, policy, of }: LocalPort): readonly Item<HeldMinimum>[] {
  if (policy?.booked === undefined || attachment.kind !== 'vni') return []
  const value: HeldMinimum = { number, bits: wholeBytes(policy.booked), vni: attachment.vni, mac }
  const because: Because = { rule: 'what it has booked of the uplink is held there', of }
  return [{ key: heldKey(value), text: heldText(value), value, because }]
}
