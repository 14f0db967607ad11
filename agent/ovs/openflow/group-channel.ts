// A bridge's groups: changed in one bundle, and read back, over a connection of their own: only OpenFlow 1.5 says what a hash is over.
import { groupText, type Group } from '../../../core/pipeline/openflow/group.ts'
import { Bytes } from '../../../core/wire/bytes.ts'
import {
  groupVersion,
  readGroups,
  writeBundledGroup,
  writeGroupsRequest,
  type GroupChange,
  type SeenGroup,
} from '../../../core/wire/openflow/groups.ts'
import { writeBundleControl } from '../../../core/wire/openflow/openflow.ts'
import { commitXid, committed, type Bundle } from './bundle.ts'
import { Channel, request, type ChannelOptions } from './channel.ts'
import { OneByOne } from '../one-by-one.ts'
import type { OpenFlowConnection } from './openflow-connection.ts'

export class GroupChannel {
  readonly #bridge: string
  readonly #channel: Channel
  #bundle = 1
  /** A switch has one bundle under way at a time. */
  readonly #bundles = new OneByOne()

  constructor(options: ChannelOptions) {
    this.#bridge = options.bridge
    this.#channel = new Channel(options, { version: groupVersion })
  }

  /** Groups of ours that are there. @throws SwitchUnavailable */
  async groups(signal: AbortSignal): Promise<readonly SeenGroup[]> {
    const messages = await this.#channel.exchange(signal, (connection) => request(connection, writeGroupsRequest))
    return messages.flatMap(readGroups)
  }

  /**
   * All of them as one: packets see all of it or nothing of it. Dropping takes along the flows that use a group, whosever they are: those
   * go before.
   *
   * @throws FlowRefused        with the group that the switch did not take; then nothing was changed
   * @throws SwitchUnavailable  nobody answers: it may have been done
   */
  change(changes: readonly GroupChange[], signal: AbortSignal): Promise<void> {
    if (changes.length === 0) return Promise.resolve()
    return this.#bundles.run(() => this.#channel.exchange(signal, (connection) => this.#bundled(connection, changes)))
  }

  close(): void {
    this.#channel.close()
  }

  async #bundled(connection: OpenFlowConnection, changes: readonly GroupChange[]): Promise<void> {
    const bundle: Bundle = { id: this.#bundle++, messages: changes.length, xid: connection.xids(changes.length + 2) }
    const answer = committed(connection, bundle, {
      bridge: this.#bridge,
      spoken: groupVersion,
      describe: (nth) => describe(changes[nth]!.group),
    })
    // A refusal may come while there is still something to send.
    answer.catch(() => undefined)
    const out = new Bytes()
    writeBundleControl(out, bundle.xid, { bundle: bundle.id, control: 'open', spoken: groupVersion })
    for (const [nth, change] of changes.entries()) writeBundledGroup(out, bundle.xid + 1 + nth, bundle.id, change)
    writeBundleControl(out, commitXid(bundle), { bundle: bundle.id, control: 'commit', spoken: groupVersion })
    await connection.stream(out)
    await answer
  }
}

const describe = (group: Group): string => `group ${group.id} ${groupText(group)}`
