import type { InquiryAnswer } from '../../core/kinds/inquiry.ts'

/** An answer but for who gives it, and when. */
export type Found = Omit<InquiryAnswer, 'time' | 'dataplane'>

export const unsupported = (message: string): Found => ({ outcome: 'unsupported', message })
export const failed = (message: string): Found => ({ outcome: 'failed', message })
