// Which Subnet a Nic is in: the one it names, that of its Port, else the Vpc's default.
import { vpcAnnotation } from '../../kinds/annotations.ts'
import { resolveReference, type Resource } from '../../kinds/index.ts'
import { nicAt, type NicFields } from './nic-fields.ts'
import { annotationAt, isRefusal, refuse, refuseForNow, type Refusal } from '../refusal.ts'
import type { NetworkView } from '../network-view.ts'

type Subnet = Resource<'Subnet'>

const inVpc = (subnet: Subnet, vpc: Resource<'Vpc'>): boolean =>
  subnet.metadata.namespace === vpc.metadata.namespace && subnet.spec.vpc === vpc.metadata.name
/** Where a fault would be shown: worked out only when there is one. */
type At = () => string
const usable = (subnet: Subnet, at: At): Subnet | Refusal =>
  subnet.metadata.deletionTimestamp === undefined ? subnet : refuse(at(), `Subnet ${subnet.metadata.name} is being deleted`)

/** A Subnet by name: looked for where the Vpc is, since a Subnet is in its Vpc's namespace. */
export function subnetNamed(reference: string, vpc: Resource<'Vpc'>, world: NetworkView, at: At): Subnet | Refusal {
  const home = vpc.metadata.namespace ?? ''
  const { namespace, name } = resolveReference(reference, home)
  const subnet = namespace === home ? world.subnet(namespace, name) : undefined
  if (subnet === undefined) return refuseForNow(at(), `Subnet ${reference} not found in Vpc ${vpc.metadata.name}`)
  if (!inVpc(subnet, vpc))
    return refuse(at(), `Subnet ${reference} is in Vpc ${subnet.spec.vpc}, not in ${vpc.metadata.name}: all NICs of a pod are in one VPC`)
  return usable(subnet, at)
}

/** The Subnet of a Nic that names none. */
export function defaultSubnet(vpc: Resource<'Vpc'>, world: NetworkView, at: At): Subnet | Refusal {
  const { defaultSubnet: named } = vpc.spec
  if (named !== undefined) {
    const subnet = subnetNamed(named, vpc, world, at)
    return isRefusal(subnet) ? { ...subnet, message: `default of Vpc ${vpc.metadata.name}: ${subnet.message}` } : subnet
  }
  const all = [...world.subnetsOf(vpc)].filter((subnet) => subnet.metadata.deletionTimestamp === undefined)
  const [only, ...others] = all.filter((subnet) => subnet.status?.validated === true)
  if (only === undefined)
    return refuseForNow(
      at(),
      `Vpc ${vpc.metadata.name} has no validated Subnet yet to put a NIC on${all.length === 0 ? '' : `: ${namesOf(all)} still waits`}`,
    )
  return others.length === 0
    ? only
    : refuse(at(), `Vpc ${vpc.metadata.name} has no defaultSubnet: name one of ${namesOf([only, ...others])}`)
}

const namesOf = (subnets: readonly Subnet[]): string =>
  subnets
    .map((subnet) => subnet.metadata.name)
    .sort()
    .slice(0, 8)
    .join(', ')

/** The pre-made Port that a Nic names, which must be in a Subnet of this Vpc. */
export function portNamed(
  nic: NicFields,
  portID: string,
  index: number,
  { vpc, namespace, world }: { vpc: Resource<'Vpc'>; namespace: string; world: NetworkView },
): { readonly item: Resource<'Port'>; readonly subnet: Subnet } | Refusal {
  const at = nicAt({ ...nic, index }, 'portID')
  let elsewhere: string | undefined
  for (const item of world.portsByID(namespace, portID)) {
    const where = resolveReference(item.spec.subnet, namespace)
    const subnet = world.subnet(where.namespace, where.name)
    if (subnet === undefined || !inVpc(subnet, vpc)) elsewhere = subnet?.spec.vpc
    else if (item.metadata.deletionTimestamp !== undefined) return refuse(at, `Port ${item.metadata.name} is being deleted`)
    else return agrees(nic, subnet, vpc, index) ?? { item, subnet }
  }
  if (elsewhere === undefined) return refuseForNow(at, `no Port with portID ${portID} in namespace ${namespace}`)
  return refuse(at, `the Port with portID ${portID} is in Vpc ${elsewhere}, not in ${vpc.metadata.name}: all NICs of a pod are in one VPC`)
}

function agrees(nic: NicFields, subnet: Subnet, vpc: Resource<'Vpc'>, index: number): Refusal | undefined {
  if (nic.subnet === undefined) return undefined
  const { namespace, name } = resolveReference(nic.subnet, vpc.metadata.namespace ?? '')
  const same = namespace === subnet.metadata.namespace && name === subnet.metadata.name
  return same ? undefined : refuse(nicAt({ ...nic, index }, 'subnet'), `the Port that portID names is in Subnet ${subnet.metadata.name}`)
}

/** Where the missing subnet of a Nic is to be shown: a pod without a list has only its Vpc to point at. */
export const subnetAt = (listed: boolean, nic: { readonly hot?: true; readonly index: number }): string =>
  listed ? nicAt(nic, 'subnet') : annotationAt(vpcAnnotation)
