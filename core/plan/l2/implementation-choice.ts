// Which implementation a ConnectionPoint gives an attachment, and what each of them can carry.
import type { Resource, SpecOf } from '../../kinds/index.ts'
import type { SupportedCni } from '../../kinds/l2/connection-point.ts'

export interface ImplementationChoice {
  readonly cni: SupportedCni
  readonly podInterfaceType: 'kernel' | 'dpdk'
}
type InterfaceRequest = Pick<SpecOf<'L2ServiceAttachment'>, 'implementation' | 'podInterfaceType' | 'vlanType'>

/** What a ConnectionPoint offers, in its order of preference; the older shape says it by type. */
export function implementationsOf({ spec }: Resource<'ConnectionPoint'>): readonly SupportedCni[] {
  if (spec.supportedCnis !== undefined) return spec.supportedCnis
  if (spec.type === 'pcidev') {
    const poolName = spec.resourceName ?? ''
    return [
      { name: 'host-device', supportedInterfaceTypes: ['kernel'], poolName },
      { name: 'sriov', supportedInterfaceTypes: ['kernel', 'dpdk'], poolName },
    ]
  }
  return spec.interfaceName === undefined
    ? [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }]
    : [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: spec.interfaceName }]
}

/** Why an implementation cannot do what is asked, by the schema of its plugin; undefined where it can. */
function cannot({ name }: SupportedCni, podInterfaceType: 'kernel' | 'dpdk', vlanType: InterfaceRequest['vlanType']): string | undefined {
  if (podInterfaceType === 'dpdk' && name !== 'sriov' && name !== 'megrez') return `${name} makes no dpdk interfaces`
  if (name === 'host-device' && vlanType !== 'trunk') return 'host-device carries trunks only'
  if (name === 'sriov' && vlanType === 'selectivetrunk') return 'sriov has no list of VLANs: access or trunk'
  return name === 'macvlan' && vlanType === 'selectivetrunk' ? 'macvlan has no list of VLANs: access or trunk' : undefined
}

/**
 * ENO's table: what is given must match; of what is left open the first in the list that can do it is taken.
 *
 * @returns a sentence where nothing fits
 */
export function choose(
  offers: readonly SupportedCni[],
  { implementation, podInterfaceType, vlanType }: InterfaceRequest,
): ImplementationChoice | string {
  const named = implementation === undefined ? offers : offers.filter(({ name }) => name === implementation)
  if (named.length === 0) return `it offers ${offers.map(({ name }) => name).join(', ')}, not ${implementation}`
  const fitting = podInterfaceType === undefined ? named : named.filter((cni) => cni.supportedInterfaceTypes.includes(podInterfaceType))
  if (fitting.length === 0)
    return `it offers no ${podInterfaceType} interface${implementation === undefined ? '' : ` by ${implementation}`}`
  const whyNot: string[] = []
  for (const cni of fitting) {
    const type = podInterfaceType ?? cni.supportedInterfaceTypes[0]!
    const why = cannot(cni, type, vlanType)
    if (why === undefined) return { cni, podInterfaceType: type }
    whyNot.push(why)
  }
  return whyNot.join('; ')
}
