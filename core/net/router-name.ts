/** The device of the kernel that routes for a VNI: the other end of the pair that a data plane has as its port. */
export const routerName = (vni: number): string => `mggx${vni.toString(16).padStart(6, '0')}`

/** Undefined for a name that is no router's. */
export function vniOfRouter(ifname: string): number | undefined {
  const vni = Number.parseInt(ifname.slice(4), 16)
  return ifname === routerName(vni) ? vni : undefined
}

/** Its other end: the data plane's port. */
export const doorName = (vni: number): string => `mggw${vni.toString(16).padStart(6, '0')}`

/**
 * Of packets of a router while it is asked whether the peer of its VNI that they go to finds the way back (core/linux/router-guard.ts):
 * 5,000 in the upper half, which is the number of no router. Nothing has it outside of that question.
 */
export const guardMark = 0x1388_0000
