// What a bridge is and can do beyond flows, asked of it in OpenFlow: its program's version, versions of the protocol, groups, meters.
import type { Capabilities } from '../../../core/contracts/dataplane.ts'
import { readGroupFeatures, readMeterFeatures, readProgram, writeFeaturesRequest } from '../../../core/wire/openflow/features.ts'
import { timeLimit, type Clock } from '../../../platform/clock.ts'
import { OpenFlowConnection } from './openflow-connection.ts'

/** A bridge that is up answers in less than a millisecond. */
const answerMs = 2_000

/** Nothing but `openflow: false` where nobody answers, or not in a version that we speak. */
export async function flowCapabilities(path: string, clock: Clock, signal: AbortSignal): Promise<Capabilities> {
  const connection = new OpenFlowConnection(path)
  const end = AbortSignal.any([signal, timeLimit(answerMs, clock)])
  const give = (): void => connection.close(new Error('no answer'))
  end.addEventListener('abort', give)
  try {
    const versions = await connection.greeted
    const [program, groups, meters] = [
      await read(connection, 'program'),
      await read(connection, 'groups'),
      await read(connection, 'meters'),
    ]
    const rates = meters === undefined ? { max: 0, bands: '' } : readMeterFeatures(meters)
    return {
      ...(program !== undefined && { version: readProgram(program) }),
      openflow: versions.join(' '),
      groups: groups === undefined ? '' : readGroupFeatures(groups),
      meters: rates.max,
      meterBands: rates.bands,
    }
  } catch {
    return { openflow: false }
  } finally {
    end.removeEventListener('abort', give)
    connection.close()
  }
}

/** Undefined where the switch does not know the question. */
async function read(connection: OpenFlowConnection, of: 'program' | 'groups' | 'meters'): Promise<Uint8Array | undefined> {
  const xid = connection.xids(1)
  const answer = connection.answer(xid)
  connection.send((out) => writeFeaturesRequest(out, xid, of))
  return (await answer.catch(() => []))[0]
}
