// How much went through an item by second, from what two answers of its node have counted.
import type { InquiryAnswer } from './inquire.ts'

type FlowItem = NonNullable<InquiryAnswer['items']>[number]
export interface Rate {
  readonly packets: number
  /** Absent: only packets are counted. */
  readonly bytes: number | undefined
}

/** @returns by key; nothing for what was not there before, or has been counted anew since */
export function ratesOf(answer: InquiryAnswer | undefined, before: InquiryAnswer | undefined): ReadonlyMap<string, Rate> {
  const seconds = answer === undefined || before === undefined ? 0 : (Date.parse(answer.time) - Date.parse(before.time)) / 1_000
  if (seconds <= 0) return new Map()
  const last = new Map((before?.items ?? []).map((item) => [item.key, item]))
  return new Map((answer?.items ?? []).flatMap((item) => rateOf(item, last.get(item.key), seconds)))
}

function rateOf(now: FlowItem, before: FlowItem | undefined, seconds: number): readonly (readonly [string, Rate])[] {
  const packets = perSecond(now.packets, before?.packets, seconds)
  return packets === undefined ? [] : [[now.key, { packets, bytes: perSecond(now.bytes, before?.bytes, seconds) }]]
}

const perSecond = (now: number | undefined, before: number | undefined, seconds: number): number | undefined =>
  now === undefined || before === undefined || now < before ? undefined : (now - before) / seconds

const steps = ['', 'k', 'M', 'G', 'T'] as const
/** As 1.2 k. */
export function short(value: number): string {
  const step = value < 1_000 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(value) / 3))
  const shown = value / 1_000 ** step
  return `${shown.toLocaleString('en', { maximumFractionDigits: shown < 10 && (step > 0 || !Number.isInteger(value)) ? 1 : 0 })} ${steps[step]}`.trim()
}
export const rateText = ({ packets, bytes }: Rate): string =>
  `${short(packets)} packets/s${bytes === undefined ? '' : `, ${short(bytes)}B/s`}`.replace(/(\d)B/, '$1 B')
