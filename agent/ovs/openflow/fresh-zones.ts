// Conntrack zones that come into use: what a zone knows of is of whoever had its number before, and would make answers of what is none.
import { describeRefusal } from '../../../core/wire/openflow/errors.ts'
import { FlowRefused } from '../../../core/errors.ts'
import type { Flow } from '../../../core/pipeline/openflow/flow.ts'
import { messageTypes, writeBare } from '../../../core/wire/openflow/openflow.ts'
import { writeFlushZone } from '../../../core/wire/openflow/zones.ts'
import { RefusedMessage, type OpenFlowConnection } from './openflow-connection.ts'

/** Zones that flows name, 0 aside, which is everybody's. */
export const zonesOf = (flows: readonly Flow[]): ReadonlySet<number> =>
  new Set(
    flows.flatMap(({ actions }) =>
      actions.flatMap((action) => (action.do === 'ct' && typeof action.zone === 'number' && action.zone !== 0 ? [action.zone] : [])),
    ),
  )

/** Resolves once the switch has forgotten their connections. @throws FlowRefused */
export async function flushZones(connection: OpenFlowConnection, bridge: string, zones: readonly number[]): Promise<void> {
  const xid = connection.xids(zones.length + 1)
  const barrier = xid + zones.length
  const answer = connection.answer(barrier, xid)
  connection.send((out) => {
    zones.forEach((zone, i) => writeFlushZone(out, xid + i, zone))
    writeBare(out, messageTypes.barrierRequest, barrier)
  })
  try {
    await answer
  } catch (err) {
    if (!(err instanceof RefusedMessage)) throw err
    throw new FlowRefused({ bridge, flow: `conntrack zones ${zones.join()}`, reason: describeRefusal(err.refusal) })
  }
}
