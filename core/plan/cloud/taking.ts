// A Port takes what was made ahead. Its status says of which Port before the cloud is asked; it makes one of its own only once that is not
// to be had any more, so that it never has two; and the cloud gives a port to one of all who ask.
import type { CloudAction, CloudPort, CloudSeen } from '../../contracts/cloud.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { readyCondition } from '../../kinds/meta.ts'
import { waitingFor, type Plan } from '../plan.ts'
import { endNameOf } from '../node/pieces.ts'
import { pollMs, sentWithinMs, type LifeDesired } from './life.ts'

type Port = Resource<'Port'>

/** entry, a Port made ahead, is kept for another. */
export interface KeepEntry {
  readonly do: 'keepEntry'
  readonly entry: Port
  readonly for: NonNullable<NonNullable<Port['spec']['warm']>['for']>
}
export interface PortSeen extends CloudSeen<'port'> {
  /** The port of the Port that its status is taking one from, as long as it is still that one's. */
  readonly entry?: CloudPort
}
export interface TakingDesired extends Pick<LifeDesired<'port'>, 'cloud' | 'scope'> {
  readonly item: Port
  readonly createdByUs: boolean
  /** A Port made ahead that it may take. */
  readonly offer: Port | undefined
}
type TakingPlan = Plan<CloudAction<'port'> | KeepEntry>

/** Undefined: it takes none, or has it. */
export function planTaking(desired: TakingDesired, { there, entry, problem }: PortSeen, now: number): TakingPlan | undefined {
  const { item, offer } = desired
  if (there !== undefined || problem !== undefined) return undefined
  const { from } = item.status ?? {}
  if (from !== undefined && entry !== undefined) return claimed(desired, entry, now)
  if (offer !== undefined) return kept(desired, offer, now)
  return from === undefined ? undefined : without(desired, from.name, now)
}

function kept({ item, cloud, createdByUs }: TakingDesired, offer: Port, now: number): TakingPlan {
  const { name, uid } = item.metadata
  const because = { rule: 'a Port made ahead that another takes', of: refOf(offer) }
  const { addresses = [], mac } = offer.status ?? {}
  return {
    ...waitingFor('Taking', `takes what was made ahead as Port ${offer.metadata.name}`, 1),
    steps: offer.spec.warm?.for?.uid === uid ? [] : [{ action: { do: 'keepEntry', entry: offer, for: { name, uid } }, because }],
    sections: {
      address: { addresses, ...(mac !== undefined && { mac }), ifcName: endNameOf({ metadata: item.metadata, status: {} }) },
      provider: {
        portID: uid,
        createdByUs,
        cloud,
        requestedAt: new Date(now).toISOString(),
        from: { name: offer.metadata.name, uid: offer.metadata.uid },
      },
    },
  }
}

/** As with what is created: that it is asked for is stored anew before a request that would be too late for that. */
function claimed({ item, cloud, scope }: TakingDesired, there: CloudPort, now: number): TakingPlan {
  const { requestedAt = '', from, portID, createdByUs } = item.status ?? {}
  const plan = waitingFor('Taking', `cloud ${cloud} is asked for what was made ahead as Port ${from?.name ?? ''}`, pollMs(item, now))
  if (!(now - Date.parse(requestedAt) <= sentWithinMs))
    return {
      ...plan,
      requeueAfterMs: 1,
      sections: { provider: { portID, createdByUs, cloud, from, requestedAt: new Date(now).toISOString() } },
    }
  return {
    ...plan,
    requeueAfterMs: 1,
    steps: [{ action: { do: 'claim', scope, there }, because: { rule: 'a port made ahead', of: refOf(item) } }],
  }
}

/** Somebody else has it, or has deleted it: no request for it can be done any more. */
const without = ({ cloud }: TakingDesired, name: string, now: number): TakingPlan => ({
  ...waitingFor('Requested', `what was made ahead as Port ${name} is gone: cloud ${cloud} is asked for one`, 1),
  sections: { address: {}, provider: { cloud, requestedAt: new Date(now).toISOString() } },
})

/** A Port made ahead whose port at the cloud is another's by now: it is not made a second time. */
export const given = ({ item, cloud }: Pick<TakingDesired, 'item' | 'cloud'>): Plan<never> => ({
  steps: [],
  phase: 'ready',
  reason: givenReason,
  message: `Port ${item.spec.warm?.for?.name ?? ''} has taken its port of cloud ${cloud}`,
  sections: { address: {}, provider: { cloud, ...(item.status?.requestedAt !== undefined && { requestedAt: item.status.requestedAt }) } },
})

const givenReason = 'Given'
const reasonOf = ({ status }: Port): string | undefined => readyCondition(status?.conditions)?.reason
export const isGiven = (port: Port): boolean => reasonOf(port) === givenReason

/** It is there, on no node, and kept for nobody else. */
export const isOffered = (port: Port, uid: string): boolean => isMade(port) && isFreeFor(port, uid)

function isMade(port: Port): boolean {
  const { phase, providerID, addresses = [] } = port.status ?? {}
  return phase === 'ready' && reasonOf(port) === 'Made' && providerID !== undefined && addresses.length > 0
}

function isFreeFor({ spec: { warm, node }, metadata: { deletionTimestamp } }: Port, uid: string): boolean {
  if (warm === undefined || node !== undefined || deletionTimestamp !== undefined) return false
  return warm.for === undefined || warm.for.uid === uid
}
