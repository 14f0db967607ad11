// A Vpc is a network. Neutron refuses no second one: where two were asked for at once both are seen, and one of them goes.
import type { CloudNetwork, CloudThingDriver, NetworkWanted } from '../../../../core/contracts/cloud.ts'
import type { CloudState } from '../../../../core/kinds/vpc/at-provider.ts'
import type { NeutronApi, NeutronThing } from './api.ts'
import { callerOf, existing, madeWithDoubles } from './lookup.ts'
import { createUnlessThere, handOver, isHandover } from './life.ts'
import { ownerOf } from './owner.ts'

export interface Network extends NeutronThing {
  readonly status?: string
  readonly mtu?: number
  readonly shared?: boolean
  readonly 'router:external'?: boolean
}

const states: Readonly<Record<string, CloudState>> = { ACTIVE: 'active', BUILD: 'building', ERROR: 'failed' }

export function networkDriver(api: NeutronApi): CloudThingDriver<'network'> {
  return {
    name: 'neutron',
    async observe(scope, signal) {
      const { of, existing: named } = scope
      const caller = callerOf(scope, signal)
      if (named !== undefined) {
        const there = await existing<Network>(api, 'networks', named, caller)
        return { there: there && networkSeen(there) }
      }
      return madeWithDoubles<Network, CloudNetwork>(api, 'networks', { uid: of.uid, seenAs: networkSeen }, caller)
    },
    async apply(action, signal) {
      const { scope } = action
      const caller = callerOf(scope, signal)
      if (action.do === 'create') return createUnlessThere(api, 'networks', { scope, more: changeOf(action.wanted) }, caller)
      if (isHandover(action)) return handOver(api, 'networks', { action }, caller)
      const { id, revision } = action.there
      if (action.do === 'update') await api.update('networks', { id, revision, change: changeOf(action.wanted) }, caller)
    },
  }
}

const changeOf = ({ mtu }: NetworkWanted): object => (mtu === undefined ? {} : { mtu })

export function networkSeen(network: Network): CloudNetwork {
  const { id, name, status = '', mtu, revision_number: revision } = network
  const isShared = network.shared === true || network['router:external'] === true
  return {
    id,
    name,
    state: states[status] ?? 'down',
    revision: String(revision),
    owner: ownerOf(network)?.uid,
    ...(isShared && { shared: true }),
    ...(status === 'ERROR' && { message: `network ${id} is in status ERROR` }),
    ...(mtu !== undefined && { mtu }),
  }
}
