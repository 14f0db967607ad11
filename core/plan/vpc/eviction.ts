// Guests in a Vpc whose namespace is being deleted. For a while they hold its end up, as what is in use should; then they are told to
// leave: their nodes unwire them, and what they held is free only after that. So a guest neither keeps the owner's namespace for ever
// nor has an address that is somebody else's by now.
import type { Resource } from '../../kinds/index.ts'
import { segmentOf } from '../../kinds/vpc/segment.ts'
import type { Plan, Step } from '../plan.ts'
import { isWired } from './on-node.ts'

type Port = Resource<'Port'>

/** The condition that tells a Port to leave; everybody else reads it too. */
export const evictedCondition = 'Evicted'
/** The reason that a Port is told. */
export const vpcGoing = 'VpcGoing'

/** Whether a Port has been told to leave its Vpc: its node unwires it, and wires it no more. */
export const isEvicted = ({ status }: Port): boolean =>
  status?.phase === 'error' && status.conditions?.some(({ type, status: is }) => type === evictedCondition && is === 'True') === true

/** Whether its Subnet must outlast something of a Port's: a lock in its VNI or VLAN, a port at its provider, an interface on a node. */
export const isHolding = (port: Port): boolean => segmentOf(port) !== undefined || port.status?.providerID !== undefined || isWired(port)

interface Held<Action> {
  /** What gives back all that it holds. */
  readonly free: readonly Step<Action>[]
  /** What its status tells of where it is, once its addresses are taken back. */
  readonly held: object
}

/** First it is told, then its node unwires it, and then what it held is free. */
export function evictionOf<Action>(port: Port, network: string, { free, held }: Held<Action>): Plan<Action> {
  const going = `${network} is being deleted with its namespace`
  const condition = { type: evictedCondition, status: 'True', reason: vpcGoing, message: going } as const
  const report = { phase: 'error', reason: vpcGoing, conditions: [condition] } as const
  if (isWired(port)) return { ...report, steps: [], message: `${going}: node ${port.spec.node ?? ''} has still to unwire it` }
  if (!isEvicted(port)) return { ...report, steps: [], message: going, requeueAfterMs: 1 }
  // What it is told to have is taken back before it is free: a commit may be cut off between the two.
  if (port.status?.addresses !== undefined) return { ...report, steps: [], message: going, sections: { address: held }, requeueAfterMs: 1 }
  return { ...report, steps: free, message: `${going}: it has no address any more`, sections: { address: {}, provider: {} } }
}
