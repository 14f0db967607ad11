// Whether endpoints of NetworkServices are there: who has an address answers whoever asks for its MAC, and no rules are asked about that.
import { neighbourFilter } from '../../core/wire/guest/filter.ts'
import { neighbourRequest } from '../../core/wire/guest/neighbour.ts'
import { portOf } from '../ports/node-status.ts'
import type { Pulse } from './pulses.ts'

export const ofEndpoints: Pulse = {
  everyMs: 300,
  field: 'unreachable',
  about: 'whether an endpoint of a NetworkService answers its node',
  isAsked: ({ uid, type }, env) => type !== 'dpdk' && portOf(uid, env)?.spec.networkService?.as === 'endpoint',
  frame: ({ mac, addresses: [address] }) => (address === undefined ? undefined : neighbourRequest(mac, address)),
  filter: neighbourFilter,
}
