// What became of a sending, in one word and in a sentence, for whoever looks after the receiver.
import type { Receipt } from '../../../core/contracts/notifier.ts'
import type { Outcome } from '../../../core/kinds/notify/outcomes.ts'

/** What became of it in one word. */
export function outcomeOf(receipt: Receipt): Outcome {
  if (receipt.kind === 'refused') return isRedirect(receipt.status) ? 'redirected' : 'refused'
  return ('obstacle' in receipt ? receipt.obstacle : undefined) ?? receipt.kind
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Undefined where it has. */
export function reasonOf(receipt: Receipt): string | undefined {
  switch (receipt.kind) {
    case 'accepted':
      return undefined
    case 'refused':
      return isRedirect(receipt.status)
        ? `it answered ${receipt.status}, and no redirect is followed: name the place itself`
        : `it answered ${receipt.status}`
    case 'forbidden':
      return `it may not be reached: ${receipt.reason}`
    case 'slow':
      return `${receipt.obstacle === 'broken' ? 'it was connected, and gave no answer' : 'it was connected, and has not answered'}: ${receipt.reason}`
    case 'unreachable':
      return `it was not reached: ${receipt.reason}`
  }
}
