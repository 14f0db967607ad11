// Who has which of our meters: what rules log, rules that limit, then ports, two each, then VNIs that carry broadcast, by a port of theirs:
// there may be 16 million VNIs, and no switch has as many meters (the kernel has 200,000).
import { meterId } from '../openflow/meter.ts'

export const logMeters = 16
/** More rules that limit do not fit on a node: they let nothing pass. */
export const ruleMeters = 1_024

/** LocalPort.number */
const portNumberMax = 60_000

/** @param share of VNIs */
export const logMeter = (share: number): number => meterId(share)
export const ruleMeter = (nth: number): number => meterId(logMeters + nth)
export const portMeter = (number: number, way: 0 | 1): number => meterId(logMeters + ruleMeters + 2 * number + way)
/** @param number of the port of the VNI that has the lowest: of no other VNI's */
export const broadcastMeter = (number: number): number => meterId(logMeters + ruleMeters + 2 * (portNumberMax + 1) + number)
