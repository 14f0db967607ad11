// A Vpc is a network. Neutron refuses no second one: where two were asked for at once both are seen, and one of them goes.
import type { CloudNetwork, CloudThingDriver, NetworkWanted } from '../../../../core/contracts/cloud.ts'
import type { CloudState } from '../../../../core/kinds/vpc/at-provider.ts'
import type { NeutronApi, NeutronThing } from './api.ts'
import { callerOf, existing, made } from './lookup.ts'
import { create, handOver, isHandover } from './life.ts'
import { madeFor, nameOf, ownerOf } from './owner.ts'

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
      const [there, ...doubles] = (await made<Network>(api, 'networks', of.uid, caller)).map(networkSeen)
      return { there, ...(doubles.length > 0 && { doubles }) }
    },
    async apply(action, signal) {
      const { scope } = action
      const { uid } = scope.of
      const caller = callerOf(scope, signal)
      if (action.do === 'create') {
        if ((await made(api, 'networks', uid, caller)).length > 0) return
        const body = { name: nameOf(uid), description: madeFor(scope.of, api.installation), ...changeOf(action.wanted) }
        return create(api, 'networks', { uid, bodies: [body] }, caller)
      }
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
