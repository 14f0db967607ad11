// What is done with packets beside letting them pass, by a number that their mark carries from the map that judges to whatever does it.
import { ownerText, type PeerDecision } from '../kinds/policy/peer-decision.ts'
import { stableNumbers } from '../net/stable-numbers.ts'

export interface JudgedDecision extends PeerDecision {
  /** Of an interface; 0: nothing is done. One that is done anew has another number, so no packet is taken for one of before. */
  readonly treatment: number
}

/** Marks have 24 bits for them. */
const most = 0xffffff

const textOf = ({ log }: PeerDecision): string | undefined => (log === undefined ? undefined : `log ${ownerText(log)}`)

export function treated(decisions: readonly PeerDecision[]): readonly JudgedDecision[] {
  const numbers = stableNumbers(
    decisions.flatMap((each) => textOf(each) ?? []),
    most,
  )
  return decisions.map((each) => {
    const number = numbers.get(textOf(each) ?? '')
    return { ...each, treatment: number === undefined ? 0 : number + 1 }
  })
}
