// Numbers of rules in their policy. They stand in flows: a rule that stays keeps its number when others come and go before it.
import { stableNumbers } from '../../net/stable-numbers.ts'

export const ruleMax = 256

export const indexesOf = (texts: readonly string[]): ReadonlyMap<string, number> => stableNumbers(texts, ruleMax)
