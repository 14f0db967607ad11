// What a packet of a Port would do, asked of the switch itself.
import type { TracedFrame, TracedWay } from '../../core/node/traced.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { printCookie } from '../../core/pipeline/cookie.ts'
import { reasonText } from '../../core/node/explained.ts'
import type { SwitchItem } from '../../core/pipeline/items.ts'
import { placeOf, readTrace } from '../../core/pipeline/trace/answer.ts'
import { traceFlow, traceOptions } from '../../core/pipeline/trace/frame.ts'
import { numberOf } from '../../core/wire/ovsdb/ovsdb.ts'
import { limited, type Clock } from '../../platform/clock.ts'
import { appctl, controlSocketIn } from './control-socket.ts'
import type { PortRow } from './ovsdb/rows.ts'

interface Switch {
  readonly row: PortRow | undefined
  readonly runDir: string
  readonly clock: Clock
  /** Whose reasons are known. */
  readonly known: readonly SwitchItem[]
}

/** A trace is some milliseconds of its main thread, which does all else that is asked too. */
const answerMs = 5_000

/** @throws Error where the switch has no such port, or does not answer */
export async function traced(
  { row, runDir, clock, known }: Switch,
  { port, frame }: { readonly port: LocalPort; readonly frame: TracedFrame },
  signal: AbortSignal,
): Promise<TracedWay> {
  const number = numberOf(row?.ifc.ofport) ?? -1
  if (row === undefined || number <= 0) throw new Error(`Open vSwitch has no port ${port.ifcName}`)
  const path = await controlSocketIn(runDir)
  const args = [row.bridge, traceFlow(number, port.mac, frame), ...traceOptions]
  const text = await limited(answerMs, clock, (late) => appctl(path, 'ofproto/trace', args, AbortSignal.any([signal, late])))
  const reasons = new Map(known.flatMap((item) => reasonOf(item)))
  return readTrace(text, row.bridge, (place) => reasons.get(place))
}

const reasonOf = ({ value, because }: SwitchItem): (readonly [string, string])[] =>
  value.kind === 'flow' ? [[placeOf(value.flow.table, printCookie(value.flow.cookie)), reasonText(because)]] : []
