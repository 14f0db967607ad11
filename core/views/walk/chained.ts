// By which service chain a packet goes that passes a node where a subject of its policy is: functions by name, and where they are.
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import type { Waypoint } from '../../policy/trace/way.ts'
import { isFrameType, type Carried } from '../../policy/verdict.ts'
import { isOn, sides, type StoredNetwork } from './carried.ts'
import { chainTaken } from './taken-chain.ts'

/** Of an end that the caller does not see nothing is said. */
export function chainedOn(
  { name = '', fate, message }: Waypoint,
  { ends, sets }: StoredNetwork,
  transport: Carried,
): Pick<Waypoint, 'message'> {
  if (fate !== 'passes' || message !== undefined || isFrameType(transport)) return {}
  const names = sides.flatMap((side) => (isOn(ends[side], name) ? (ends[side].port?.status?.policy?.ruleSets ?? []) : []))
  const packet = { from: ends.from.address, to: ends.to.address, transport }
  const [chain] = sets.flatMap((set) => (names.includes(ruleSetName(set)) ? (chainTaken(set, packet) ?? []) : []))
  return chain === undefined ? {} : { message: chain }
}
