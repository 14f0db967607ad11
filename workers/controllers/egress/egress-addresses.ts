// EgressAddresses: what Vpcs have of a pool on each node, each the lock of an address. Which there are the row of Vpcs says.
import { keyOfItem, refFromKey, refOf, type Resource } from '../../../core/kinds/index.ts'
import { planPoolAddress } from '../../../core/plan/pool/pool-address.ts'
import { waitingFor } from '../../../core/plan/plan.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { asItWasAndIs, by, itself } from '../../watch/map-to-keys.ts'
import { own, subnetChanges } from '../../watch/compared-fields.ts'
import { either, goes, isReportedInAnotherPhase, specChanges } from '../../watch/predicates.ts'
import { heldBy, pooledAddresses, type PooledController } from '../pooled/pooled-addresses.ts'

interface Sending {
  /** Its Vpc is not there any more, which would have given it back. */
  readonly isLeft: boolean
}

export const egressAddresses: Row<'EgressAddress'> = row(
  'EgressAddress',
  (on) => [
    on('EgressAddress', { when: either(specChanges, isReportedInAnotherPhase), keys: itself }),
    on('Vpc', {
      when: goes,
      keys: asItWasAndIs('EgressAddress', 'by index EgressAddress.vpc', (vpc, { caches }) =>
        [...caches.EgressAddress.by('vpc', keyOfItem(vpc))].map(keyOfItem),
      ),
    }),
    on('Subnet', { when: subnetChanges, keys: by('EgressAddress', 'subnet', own) }),
    on('IPLock', { when: specChanges, keys: heldBy('EgressAddress') }),
  ],
  (env) => pooledAddresses('EgressAddress', env, ofEgress),
)

const isOwnedBy = ({ metadata: { ownerReferences = [] } }: Resource, vpc: Resource<'Vpc'> | undefined): boolean =>
  ownerReferences.some(({ uid }) => uid === vpc?.metadata.uid)

const ofEgress: PooledController<'EgressAddress', Sending> = {
  around: (address, { caches }) => ({
    fixed: [],
    announcing: [address.spec.node],
    isLeft: !isOwnedBy(address, caches.Vpc.get(address.spec.vpc)),
  }),
  basis: ({ spec }) => [refFromKey('Vpc', spec.vpc)],
  plan(desired) {
    const { address, isLeft } = desired
    if (!isLeft || address.metadata.deletionTimestamp !== undefined) return planPoolAddress(desired)
    const because = { rule: 'an EgressAddress whose Vpc is gone', of: refOf(address) }
    return { ...waitingFor('VpcGone', 'its Vpc is gone'), steps: [{ action: { do: 'deleteAddress', address }, because }] }
  },
  readBeforeFree: [],
}
