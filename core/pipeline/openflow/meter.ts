// Meters as values: a rate under a number, and its spelling, that of ovs-ofctl(8) (dump-meters).

export interface Meter {
  /** One of `meterId`. */
  readonly id: number
  /** Kilobits or packets in a second. */
  readonly unit: 'kbps' | 'pktps'
  /** In the order of their rates, as a switch may look at them. */
  readonly bands: readonly Band[]
}

export interface Band {
  readonly rate: number
  /** Kilobits or packets that may come at once. Absent: the switch's choice. */
  readonly burst?: number
  /** What is above the rate is dropped, or its DSCP's drop precedence raised by so much, which not every datapath can do. */
  readonly remark?: number
}

/**
 * A meter has no cookie, and its number may not be above how many the switch can have: from here on they are ours, below they are others'.
 */
export const firstMeter = 4_096

/** Of ours. @param number from 0 */
export function meterId(number: number): number {
  if (!Number.isInteger(number) || number < 0) throw new RangeError(`a meter's number is not ${number}`)
  return firstMeter + number
}
/** The highest ones are the switch's own (OpenFlow 1.4 section 7.3.5.7). */
export const isOurMeter = (id: number): boolean => id >= firstMeter && id <= 0xffff0000

const printBand = ({ rate, burst, remark }: Band): string =>
  [
    `type=${remark === undefined ? 'drop' : 'dscp_remark'}`,
    `rate=${rate}`,
    ...(burst === undefined ? [] : [`burst_size=${burst}`]),
    ...(remark === undefined ? [] : [`prec_level=${remark}`]),
  ].join(' ')

export const hasBurst = ({ bands }: Meter): boolean => bands.some(({ burst }) => burst !== undefined)

/** All that matters of it. */
export const meterText = (meter: Meter): string =>
  [meter.unit, ...(hasBurst(meter) ? ['burst'] : []), 'stats', `bands=${meter.bands.map(printBand).join(' ')}`].join(' ')
