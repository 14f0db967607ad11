// What rules log: the heads of packets, to the agent of the node. A rate for each share of VNIs bounds it, so that whoever is denied a
// million packets a second neither loads the node nor hides what others log: those of other VNIs, but for one in sixteen.
import type { Because } from '../../node/because.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { meterItem, type SwitchItem } from '../items.ts'
import type { Action } from '../openflow/actions.ts'
import type { PipelineSettings } from '../settings.ts'
import { logMeter, logMeters } from './meter-numbers.ts'

/** Packets a second, and at once. */
const rate = 20
/** Ethernet with a tag, IPv6, and of what it carries the ports. */
const headBytes = 128

export const logMetersOf = (bridge: string, because: Because): readonly SwitchItem[] =>
  Array.from({ length: logMeters }, (_, nth) =>
    meterItem(bridge, { id: logMeter(nth), unit: 'pktps', bands: [{ rate, burst: rate }] }, because),
  )

/** Comes with the number of the flow's rule, and with the registers: which VNI, which port, which way. */
export const toLog = (vni: number): Action => ({ do: 'controller', maxBytes: headBytes, meter: logMeter(vni % logMeters) })

/** Without meters nothing bounds it. */
export const isLogging = (rule: RuleSet['rules'][number], { meters = true }: Pick<PipelineSettings, 'meters'>): boolean =>
  rule.log === true && meters
