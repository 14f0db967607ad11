// What a traced packet does at one element of the picture, and how that is written there.

/** What a traced packet does there. */
export interface WayMark {
  /** Which of the places of its way that is, from 1. */
  readonly order: number
  readonly fate: 'passes' | 'dies' | 'unreached'
  /** Of a line: passed from its end to its beginning. */
  readonly inward: boolean
}

/** Of the way of a traced packet, before a label: `2`, or `✕ 3` where it dies; where it never comes nothing. */
export function markText(mark: WayMark | undefined): string {
  if (mark === undefined || mark.fate === 'unreached') return ''
  return mark.fate === 'dies' ? `✕ ${mark.order} · ` : `${mark.order} · `
}
/** The same for who hears it. */
export const markWords = ({ order, fate }: WayMark): string =>
  ({ passes: `way ${order}`, dies: `✕ way ${order}, dies here`, unreached: 'not reached' })[fate]
