// Who has which of our meters: what rules log, rules that limit, then ports, two each.
import { meterId } from '../openflow/meter.ts'

export const logMeters = 16
/** More rules that limit do not fit on a node: they let nothing pass. */
export const ruleMeters = 1_024

/** @param share of VNIs */
export const logMeter = (share: number): number => meterId(share)
export const ruleMeter = (nth: number): number => meterId(logMeters + nth)
export const portMeter = (number: number, way: 0 | 1): number => meterId(logMeters + ruleMeters + 2 * number + way)
