// A bridge's groups: changed in one bundle, and read back, over a connection of their own: only OpenFlow 1.5 says what a hash is over.
import { FlowRefused } from '../../core/errors.ts'
import { groupText, type Group } from '../../core/pipeline/group.ts'
import { Bytes } from '../../core/wire/bytes.ts'
import { describeRefusal } from '../../core/wire/openflow/errors.ts'
import {
  groupVersion,
  readGroups,
  writeBundledGroup,
  writeGroupsRequest,
  type GroupChange,
  type SeenGroup,
} from '../../core/wire/openflow/groups.ts'
import { writeBundleControl } from '../../core/wire/openflow/openflow.ts'
import { Channel, request, type ChannelOptions } from './channel.ts'
import { RefusedMessage, type OpenFlowConnection } from './openflow-connection.ts'

export class GroupChannel {
  readonly #bridge: string
  readonly #channel: Channel
  #bundle = 1
  /** Bundles go one after the other: a switch has one under way at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ChannelOptions) {
    this.#bridge = options.bridge
    this.#channel = new Channel(options, { version: groupVersion })
  }

  /** Groups of ours that are there. @throws SwitchUnavailable */
  async groups(signal: AbortSignal): Promise<readonly SeenGroup[]> {
    const messages = await this.#channel.asked(signal, (connection) => request(connection, writeGroupsRequest))
    return messages.flatMap(readGroups)
  }

  /**
   * All of them as one: packets see all of it or nothing of it. Dropping takes along the flows that use a group, whosever they are: those
   * go
   * before.
   *
   * @throws FlowRefused        with the group that the switch did not take; then nothing was changed
   * @throws SwitchUnavailable  nobody answers: it may have been done
   */
  change(changes: readonly GroupChange[], signal: AbortSignal): Promise<void> {
    if (changes.length === 0) return Promise.resolve()
    const mine = this.#last.then(() => this.#channel.asked(signal, (connection) => this.#bundled(connection, changes)))
    this.#last = mine.catch(() => undefined)
    return mine
  }

  close(): void {
    this.#channel.close()
  }

  async #bundled(connection: OpenFlowConnection, changes: readonly GroupChange[]): Promise<void> {
    const bundle = this.#bundle++
    const first = connection.xids(changes.length + 2)
    const last = first + changes.length + 1
    const answer = connection.answer(last, first)
    const out = new Bytes()
    writeBundleControl(out, first, { bundle, control: 'open', spoken: groupVersion })
    for (const [nth, change] of changes.entries()) writeBundledGroup(out, first + 1 + nth, bundle, change)
    writeBundleControl(out, last, { bundle, control: 'commit', spoken: groupVersion })
    // A refusal may come while there is still something to send.
    answer.catch(() => undefined)
    await connection.stream(out)
    try {
      await answer
    } catch (err) {
      if (!(err instanceof RefusedMessage)) throw err
      connection.send((discard) => writeBundleControl(discard, connection.xids(1), { bundle, control: 'discard', spoken: groupVersion }))
      const group = changes[err.xid - first - 1]?.group
      throw new FlowRefused({
        bridge: this.#bridge,
        flow: group === undefined ? 'a bundle' : describe(group),
        reason: describeRefusal(err.refusal),
      })
    }
  }
}

const describe = (group: Group): string => `group ${group.id} ${groupText(group)}`
