// What becomes of a bundle: the switch does all of it or nothing of it, and tells which message it did not take.
import { FlowRefused } from '../../../core/errors.ts'
import { describeRefusal } from '../../../core/wire/openflow/errors.ts'
import { writeBundleControl } from '../../../core/wire/openflow/openflow.ts'
import { RefusedMessage, type OpenFlowConnection } from './openflow-connection.ts'

export interface Bundle {
  readonly id: number
  /** Of its opening; each of its messages has one of its own after it, and then the commit. */
  readonly xid: number
  readonly messages: number
}

export const commitXid = ({ xid, messages }: Bundle): number => xid + 1 + messages

export interface BundleOf {
  readonly bridge: string
  /** Version on the wire; absent: 1.4's. */
  readonly spoken?: number
  /** What the nth message is about, in words. */
  readonly describe: (nth: number) => string
}

/**
 * Resolves once it is committed; is asked before anything of it is sent.
 *
 * @throws FlowRefused with what the switch did not take; then nothing was changed
 */
export async function committed(connection: OpenFlowConnection, bundle: Bundle, { bridge, spoken, describe }: BundleOf): Promise<void> {
  try {
    await connection.answer(commitXid(bundle), bundle.xid)
  } catch (err) {
    if (!(err instanceof RefusedMessage)) throw err
    connection.send((out) =>
      writeBundleControl(out, connection.xids(1), { bundle: bundle.id, control: 'discard', ...(spoken !== undefined && { spoken }) }),
    )
    const nth = err.xid - bundle.xid - 1
    const isOne = nth >= 0 && nth < bundle.messages
    throw new FlowRefused({ bridge, flow: isOne ? describe(nth) : 'a bundle', reason: describeRefusal(err.refusal) })
  }
}
