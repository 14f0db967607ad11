// Ports whose interface has gone without us: with its namespace, or while no agent ran. What is to be on one that is not there no data
// plane takes, and with it nothing else of a change: one such Port would hold up all others of the node.
import { segmentNumberOf, type LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Wired } from '../ledger/record.ts'
import type { Inside } from '../links/links.ts'
import { isAdopted } from '../links/vif/adopted.ts'

type Hands = Pick<AgentEnv, 'links' | 'loop' | 'making' | 'segments' | 'log'>

/** They are in no network until they are wired again; the runtime is told by CHECK. Asked where a change was refused. */
export async function leaveOutWithoutInterface(env: Hands): Promise<void> {
  const { links, loop, making, segments, log } = env
  const there = new Set((await links.list()).map(({ ifcName }) => ifcName))
  const gone = [...loop.pieces.of(portPiece).values()].filter((port) => isInKernel(port) && !there.has(port.ifcName))
  for (const { uid, ifcName, attachment } of gone)
    await making.during(uid, async () => {
      // It may have come meanwhile.
      if ((await links.list()).some((each) => each.ifcName === ifcName)) return
      log.warn({ ifcName, uid }, 'a Port whose interface is gone: it is in no network until it is wired again')
      loop.pieces.set(portPiece, uid, undefined)
      segments.refresh(segmentNumberOf(attachment))
    })
}

/** Wired, and the interface that it had is not there: what came or went meanwhile is neither. */
export async function lostOn({ ledger, links, making }: Pick<AgentEnv, 'ledger' | 'links' | 'making'>): Promise<readonly Wired[]> {
  const had = [...ledger.wired()].filter(({ port, inside, external }) => external === undefined && hasEndOfOurs(port, inside))
  const there = new Set((await links.list()).map(({ ifcName }) => ifcName))
  return had.filter((wired) => !there.has(wired.port.ifcName) && ledger.wiredOf(wired.port.uid) === wired && !making.has(wired.port.uid))
}

/** What others make, or stands on the node's own interface, no list of ours has. */
const hasEndOfOurs = (port: LocalPort, { macvlanOn }: Inside): boolean =>
  port.type !== 'dpdk' && port.socket === undefined && macvlanOn === undefined && !isAdopted(port)

/** Of others the data plane makes the end itself. */
const isInKernel = ({ type, socket, attachment }: LocalPort): boolean =>
  type !== 'dpdk' && socket === undefined && attachment.kind !== 'vif'
