// What the model says that a packet of a port would do: as much as the real switch says, of the flows that are there.
import type { TracedFrame, TracedOutput, TracedRule, TracedWay } from '../../../../core/node/traced.ts'
import type { LocalPort } from '../../../../core/node/wanted.ts'
import { printAction, type Action } from '../../../../core/pipeline/openflow/actions.ts'
import { printCookie } from '../../../../core/pipeline/cookie.ts'
import { arpOp, arpSha, icmp6Type, ndTll } from '../../../../core/pipeline/openflow/fields.ts'
import { printMatch, type Flow } from '../../../../core/pipeline/openflow/flow.ts'
import { tableName } from '../../../../core/pipeline/tables.ts'
import { ownerOf } from '../../../../core/pipeline/trace/answer.ts'
import { macValue, printMac } from '../../../../core/pipeline/openflow/values.ts'
import { tunnel, type Out } from '../planes/plane.ts'
import { readField } from '../../../../core/pipeline/model/frame.ts'
import { datagram, question } from './frame.ts'
import type { SwitchModel } from './model.ts'

/** Whatever its protocol a packet is a datagram here. Nobody asks of what arrives. */
export function tracedBy(model: SwitchModel, { ifcName, mac }: LocalPort, traced: TracedFrame): TracedWay {
  if (traced.kind === 'arrival') throw new TypeError('the model of a switch traces what its ports send')
  const sender = { mac, address: traced.from }
  const rules: TracedRule[] = []
  const frame =
    traced.kind === 'who-has' ? question(sender, traced.to) : datagram(sender, { mac: macValue(traced.mac), address: traced.to })
  const outs = model.asked(() => model.take(frame, ifcName, (flow) => rules.push(ruleOf(flow))))
  const answer = outs.find((out) => out.at === ifcName && traced.kind === 'who-has')
  return {
    rules,
    outputs: outs.flatMap((out) => outputOf(out, ifcName, model)),
    ...(answer !== undefined && { mac: macIn(answer) }),
  }
}

const ruleOf = ({ table, match, actions, cookie }: Flow): TracedRule => ({
  where: `${table} ${tableName(table)}`,
  match: printMatch(match) || 'everything else',
  does: actions.length === 0 ? ['drop'] : actions.map(spoken),
  owner: ownerOf(printCookie(cookie)),
  notes: [],
})
const spoken = (action: Action): string => (action.do === 'goto' ? `go to ${tableName(action.table)}` : printAction(action))

function outputOf({ at }: Out, from: string, model: SwitchModel): TracedOutput[] {
  if (at === tunnel) return ['tunnel']
  if (at === from) return ['back']
  const number = model.numberOf(at)
  return number === undefined ? [] : [number]
}

const macIn = ({ frame }: Out): string =>
  printMac(Number(readField(frame, readField(frame, arpOp) === 2 || readField(frame, icmp6Type) !== 136 ? arpSha : ndTll)))
