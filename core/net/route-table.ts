// The kernel's route tables of BGPSessionGroups and of VNIs, and whose routes of ours are.
import { hash80 } from './names.ts'

/** `M` in the highest byte, so that a person who lists rules sees whose they are; main, local and what people number by hand are below. */
const base = 0x4d000000
const bits = 24

/** Of two groups that come to one number the younger is refused by name. */
export const tableOf = (group: string): number => base + (Number.parseInt(hash80('route table', group).slice(0, 6), 32) % 2 ** bits)

/** Of what a VNI alone has: above those of groups, and of no other VNI. */
export const ownTableOf = (vni: number): number => base + 2 ** bits + vni

/** Where the node itself looks. */
export const mainTable = 254

/** rtm_protocol of what we write into such tables; daemons have numbers of their own (/etc/iproute2/rt_protos). */
export const ownRouteProtocol = 77
/** Of those, what is about to go. */
export const leavingRouteProtocol = 78
