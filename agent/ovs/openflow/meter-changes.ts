// Meters one by one: no bundle takes them, and what is there is modified, what is not is added.
import { FlowRefused } from '../../../core/errors.ts'
import { meterText, type Meter } from '../../../core/pipeline/openflow/meter.ts'
import { describeRefusal } from '../../../core/wire/openflow/errors.ts'
import { meterRefusals, writeMeterMod, type MeterCommand } from '../../../core/wire/openflow/meters.ts'
import { messageTypes, writeBare } from '../../../core/wire/openflow/openflow.ts'
import { RefusedMessage, type OpenFlowConnection } from './openflow-connection.ts'

export interface MeterOf {
  readonly bridge: string
  readonly meter: Meter
}

/**
 * Whether it is there is not known: a rival may have added or dropped it since somebody looked. Dropping takes along the flows that use it,
 * whosever they are: those go before.
 *
 * @throws FlowRefused
 */
export async function changeMeter(connection: OpenFlowConnection, command: 'put' | 'drop', of: MeterOf): Promise<void> {
  const tries: readonly MeterCommand[] = command === 'drop' ? ['drop'] : ['modify', 'add', 'modify']
  for (const [nth, each] of tries.entries()) {
    const refused = await refusalOf(connection, each, of.meter)
    if (refused === undefined) return
    const { type, code } = refused.refusal
    const isOther = type === meterRefusals.type && (code === meterRefusals.exists || code === meterRefusals.unknown)
    if (!isOther || nth === tries.length - 1)
      throw new FlowRefused({
        bridge: of.bridge,
        flow: `meter ${of.meter.id} ${meterText(of.meter)}`,
        reason: describeRefusal(refused.refusal),
      })
  }
}

/** A change has no answer but a refusal: the barrier after it has one. */
async function refusalOf(connection: OpenFlowConnection, command: MeterCommand, meter: Meter): Promise<RefusedMessage | undefined> {
  const xid = connection.xids(2)
  const answer = connection.answer(xid + 1, xid)
  connection.send((out) => {
    writeMeterMod(out, xid, command, meter)
    writeBare(out, messageTypes.barrierRequest, xid + 1)
  })
  try {
    await answer
    return undefined
  } catch (err) {
    if (err instanceof RefusedMessage) return err
    throw err
  }
}
