// ServiceAddresses: their addresses, each the lock of one in the pool.
import { poolOf } from '../../../core/admit/service/pool.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { planPoolAddress } from '../../../core/plan/pool/pool-address.ts'
import { announcersOf, blocksOf } from '../../../core/plan/services/announced.ts'
import { isSource, planUnneeded, sourceKeyOf, sourceSteps, spreadOver } from '../../../core/plan/services/sources.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { asItWasAndIs, itself, by, named } from '../../watch/map-to-keys.ts'
import { own, subnetChanges } from '../../watch/compared-fields.ts'
import { changes, either, part, isReportedInAnotherPhase, specChanges } from '../../watch/predicates.ts'
import { heldBy, pooledAddresses, type PooledController } from '../pooled/pooled-addresses.ts'

type Address = Resource<'ServiceAddress'>
interface Beside {
  readonly of: Address
  readonly speakers: readonly Resource<'BGPSpeaker'>[]
  /** All of its pool. */
  readonly beside: readonly Address[]
}

/** Who sends on to whom. */
const spreadsOtherwise = part<'ServiceAddress'>(
  'which nodes it is spread over, or whether it is there',
  (address) => address && [spreadOver(address), address.metadata.deletionTimestamp],
)
const sources = asItWasAndIs<'ServiceAddress', 'ServiceAddress'>(
  'ServiceAddress',
  'what these nodes send from; of that, by index ServiceAddress.subnet, those that a node sends on',
  (address, { caches }) => {
    const { subnet, node } = address.spec
    if (node === undefined) return spreadOver(address).map((each) => sourceKeyOf(subnet, each))
    const inPool = [...caches.ServiceAddress.by('subnet', subnet)]
    return inPool.filter((each) => spreadOver(each).includes(node)).map(keyOfItem)
  },
)

export const serviceAddresses: Row<'ServiceAddress'> = row(
  'ServiceAddress',
  (on) => [
    on('ServiceAddress', { when: either(specChanges, isReportedInAnotherPhase), keys: itself }),
    on('ServiceAddress', { when: spreadsOtherwise, keys: sources }),
    on('Service', { when: changes, keys: named('ServiceAddress', 'that of its name', own) }),
    on('Subnet', { when: subnetChanges, keys: by('ServiceAddress', 'subnet', own) }),
    on('IPLock', { when: specChanges, keys: heldBy('ServiceAddress') }),
    on('BGPSpeaker', { when: specChanges, keys: by('ServiceAddress', 'vni', vnisOf) }),
  ],
  (env) => pooledAddresses('ServiceAddress', env, ofServices),
)

function vnisOf({ spec }: Resource<'BGPSpeaker'>): readonly string[] {
  return [...new Set(spec.groups.flatMap(({ advertise }) => advertise.map(({ vni }) => String(vni))))]
}

const ofServices: PooledController<'ServiceAddress', Beside> = {
  around(address, env: Env) {
    const { metadata, spec } = address
    const service = env.caches.Service.get(`${metadata.namespace ?? ''}/${metadata.name}`)
    const pool = service && poolOf(service, env.view, spec.subnet)
    const speakers = [...env.caches.BGPSpeaker.values()]
    return {
      fixed: pool?.kind === 'pool' ? pool.fixed : [],
      announcing: blocksOf(address, speakers),
      of: address,
      speakers,
      beside: [...env.caches.ServiceAddress.by('subnet', spec.subnet)],
    }
  },
  basis: ({ metadata: { namespace = '', name } }) => [{ kind: 'Service', namespace, name }],
  plan(desired) {
    const { of, speakers, beside } = desired
    const unneeded = of.metadata.deletionTimestamp === undefined ? planUnneeded(of, beside, speakers) : undefined
    if (unneeded !== undefined) return unneeded
    const plan = planPoolAddress(desired)
    if (plan.phase !== 'ready') return plan
    const there = new Map(beside.filter(isSource).map((each) => [keyOfItem(each), each]))
    return {
      ...plan,
      steps: [...plan.steps, ...sourceSteps(of, speakers, (key) => there.get(key))],
      sections: { announcement: { announcing: announcersOf(of, speakers) } },
    }
  },
  readBeforeFree: ['BGPSpeaker'],
  readBeforeDelete: ({ spec: { vni } }) => [
    'BGPSpeaker',
    {
      kind: 'ServiceAddress',
      within: { fields: { '.spec.vni': String(vni) } },
      isWithin: (item) => (item as Address).spec.vni === vni,
    },
  ],
}
