// What is done with packets beside letting them pass, by a number that their mark carries from the map that judges to whatever does it.
import { ownerText, type PeerDecision, type PolicyRuleOwner } from '../kinds/policy/peer-decision.ts'
import { stableNumbers } from '../net/stable-numbers.ts'
import { marks } from '../node/frame-marks.ts'
import { bytesPerSecondOf } from './rates.ts'

export interface JudgedDecision extends Omit<PeerDecision, 'max' | 'dscp'> {
  /** Of an interface; 0: nothing is done. One that is done anew has another number, so no packet is taken for one of before. */
  readonly treatment: number
  /** Whether it is limited or marked. */
  readonly isRuled: boolean
}

/** What a treatment limits and marks. */
export interface RuledTraffic extends Pick<JudgedDecision, 'log' | 'treatment'> {
  readonly rate?: LinuxRuleRate
  readonly dscp?: number
}
export interface LinuxRuleRate {
  /** `5001.7.3`: the rule 3 of the set 7 of the VNI 5001. Whoever has it shares it. */
  readonly name: string
  readonly bytesPerSecond: number
}

const most = marks.treatment

/** What a frame's mark says once it is judged. */
export const markOf = ({ isAllowed, isRuled: ruled, log, treatment }: DecidedMark): number =>
  marks.decided + (log === undefined ? 0 : marks.logs) + (isAllowed ? marks.passes : 0) + (ruled ? marks.ruled : 0) + treatment
type DecidedMark = Pick<JudgedDecision, 'isAllowed' | 'isRuled' | 'treatment'> & { readonly log?: PolicyRuleOwner | undefined }

const isRuled = ({ max, dscp }: PeerDecision): boolean => max !== undefined || dscp !== undefined
function textOf(decision: PeerDecision): string | undefined {
  const { log, max, dscp } = decision
  if (log === undefined && !isRuled(decision)) return undefined
  return `log ${log && ownerText(log)} max ${max && `${ownerText(max.by)} ${max.bitsPerSecond}`} dscp ${dscp}`
}

const numbersOf = (decisions: readonly PeerDecision[]): ReadonlyMap<string, number> =>
  stableNumbers(
    decisions.flatMap((each) => textOf(each) ?? []),
    most,
  )

const numberOf = (numbers: ReadonlyMap<string, number>, decision: PeerDecision): number => {
  const number = numbers.get(textOf(decision) ?? '')
  return number === undefined ? 0 : number + 1
}

export function treated(decisions: readonly PeerDecision[]): readonly JudgedDecision[] {
  const numbers = numbersOf(decisions)
  return decisions.map((each) => {
    const { max: _, dscp: __, ...decision } = each
    return { ...decision, treatment: numberOf(numbers, each), isRuled: isRuled(each) }
  })
}

export function ruledTraffic(vni: number, decisions: readonly PeerDecision[]): readonly RuledTraffic[] {
  const numbers = numbersOf(decisions)
  const all = decisions.filter(isRuled).map((each): RuledTraffic => {
    const { log, max, dscp } = each
    const name = max && [vni, max.by.set, max.by.rule].join('.')
    return {
      treatment: numberOf(numbers, each),
      ...(log && { log }),
      ...(max && name !== undefined && { rate: { name, bytesPerSecond: bytesPerSecondOf(max.bitsPerSecond) } }),
      ...(dscp !== undefined && { dscp }),
    }
  })
  return [...new Map(all.map((each) => [each.treatment, each])).values()]
}
