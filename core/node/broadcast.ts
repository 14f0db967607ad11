// Bounds of what a VNI carries to all its nodes, alike on every data plane that has them: docs/l2.md.
import type { LocalPort } from './wanted.ts'

/** Of the Ports of one VNI on one node together, in a second and at once: what is above them is dropped before it is copied. */
export const broadcastLimit = { framesPerSecond: 1_000, burst: 1_000 } as const

/** MACs of a VNI that a node learns: frames to more are sent to all, as to any unknown MAC. */
export const learntMax = 256

/** As long as one says nothing it is remembered: as Linux' bridges have it unless they are told otherwise (IEEE 802.1Q section 8.8.3). */
export const learntSeconds = 300

/** Behind it there may be anybody: a bridge, a router, a virtual machine of a program. Where nothing is learnt its owner is told. */
export const mayLearnBehind = ({ portSecurity }: Pick<LocalPort, 'portSecurity'>): boolean => !portSecurity

/** A MAC that a port may have besides its own (VRRP's) may be another's too, now or in a moment: who has it is not known. */
export const mayHaveMoreMacs = ({ portSecurity, mac, allowedAddressPairs }: LocalPort): boolean =>
  !portSecurity || allowedAddressPairs.some((pair) => pair.mac !== undefined && pair.mac !== mac)
