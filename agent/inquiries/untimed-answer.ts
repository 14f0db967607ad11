import type { InquiryAnswer } from '../../core/kinds/node/inquiry.ts'

/** An answer but for who gives it, and when. */
export type UntimedAnswer = Omit<InquiryAnswer, 'time' | 'dataplane'>

export const unsupported = (message: string): UntimedAnswer => ({ outcome: 'unsupported', message })
export const failed = (message: string): UntimedAnswer => ({ outcome: 'failed', message })
