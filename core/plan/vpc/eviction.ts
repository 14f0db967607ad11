// Guests in a Vpc whose namespace is being deleted. For a while they hold its end up, as what is in use should; then they are told to
// leave: their nodes unwire them, and what they held is free only after that. So a guest neither keeps the owner's namespace for ever
// nor has an address that is somebody else's by now.
import { wiredFinalizer } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'

type Port = Resource<'Port'>

/** The condition by which a Port is told to leave, and what everybody goes by. */
export const evictedCondition = 'Evicted'
/** The reason that a Port is told. */
export const vpcGoing = 'VpcGoing'

/** Whether a Port has been told to leave its Vpc: its node unwires it, and wires it no more. */
export const isEvicted = ({ status }: Port): boolean =>
  status?.phase === 'error' && status.conditions?.some(({ type, status: is }) => type === evictedCondition && is === 'True') === true

/** Whether there is something of a Port's that its Subnet must outlast: a lock in its VNI, or an interface on a node. */
export const isHolding = ({ metadata, status }: Port): boolean =>
  status?.vni !== undefined || metadata.finalizers?.includes(wiredFinalizer) === true
