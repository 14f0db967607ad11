// What a switch does with a frame: the flows of one table after the other, as OpenFlow 1.4 section 5 has it. As much of it as our
// pipeline uses; what it does not is an error, so that a new feature comes here too.
import { inPort, ipTtl, vlanVid } from '../../../../core/pipeline/fields.ts'
import { backToSender, type Action, type Flow, type Term } from '../../../../core/pipeline/flow.ts'
import { readBits, readField, writeBits, type Frame, type Written } from './frame.ts'

export interface Out {
  readonly number: number
  readonly frame: Frame
}

/** @param flowsOf of a table, the strongest first */
export function through(flowsOf: (table: number) => readonly Flow[], given: Frame, number: number): readonly Out[] {
  const frame: Written = new Map(given)
  frame.set(inPort, number)
  const run = new Run(frame, number)
  for (let table: number | undefined = 0; table !== undefined; ) {
    const flow: Flow | undefined = flowsOf(table).find(({ match }) => match.every((term) => isMatched(frame, term)))
    table = undefined
    for (const action of flow?.actions ?? []) table = run.act(action) ?? table
  }
  return run.outs
}

function isMatched(frame: Frame, { field, value, mask }: Term): boolean {
  const has = readField(frame, field)
  return mask === undefined ? has === value : (BigInt(has) & BigInt(mask)) === BigInt(value)
}

class Run {
  readonly outs: Out[] = []
  readonly #frame: Written
  readonly #from: number

  constructor(frame: Written, from: number) {
    this.#frame = frame
    this.#from = from
  }

  /** @returns the table that is next, where the action says one */
  act(action: Action): number | undefined {
    const frame = this.#frame
    if (action.do === 'goto') return action.table
    if (action.do === 'set') frame.set(action.field, action.value)
    else if (action.do === 'load') writeBits(frame, action.to, BigInt(action.value))
    else if (action.do === 'move') writeBits(frame, action.to, readBits(frame, action.of))
    else if (action.do === 'decTtl') frame.set(ipTtl, Number(readField(frame, ipTtl)) - 1)
    else if (action.do === 'popVlan') frame.set(vlanVid, 0)
    else this.#out(action.do === 'output' ? action.number : Number(readBits(frame, action.of)))
    return undefined
  }

  /** Never where it came from, save where it is told so by name. */
  #out(number: number): void {
    if (number === this.#from) return
    this.outs.push({ number: number === backToSender ? this.#from : number, frame: new Map(this.#frame) })
  }
}
