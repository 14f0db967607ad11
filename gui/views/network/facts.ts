// What of each Port matters to the picture.
import type { Item } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'

export interface NetworkObjects {
  readonly pods: ReadonlyMap<string, Item<'Pod'>>
  readonly ports: ReadonlyMap<string, Item<'Port'>>
  readonly subnets: ReadonlyMap<string, Item<'Subnet'>>
  readonly vpcs: ReadonlyMap<string, Item<'Vpc'>>
  readonly nodes: ReadonlyMap<string, Item<'Node'>>
}
export interface NetworkChoice {
  readonly by: 'node' | 'vpc'
  /** Ids of groups, `all` or `none`; undefined: those that there is room for. */
  readonly open: string | undefined
  readonly vni: string | undefined
  readonly vpc: string | undefined
  readonly node: string | undefined
  readonly phase: string | undefined
}

export interface PortFacts {
  readonly key: string
  readonly port: Item<'Port'>
  readonly subnet: string
  /** Empty where its Subnet is of none, or is not known. */
  readonly vpc: string
  /** Empty where it is on none. */
  readonly node: string
  readonly pod: string | undefined
}

export const whole = (reference: string, namespace: string): string => (reference.includes('/') ? reference : `${namespace}/${reference}`)

export function factsOf(key: string, port: Item<'Port'>, objects: NetworkObjects): PortFacts {
  const { namespace = '' } = port.metadata
  const subnet = whole(port.spec.subnet, namespace)
  const pod = port.spec.claim === undefined ? undefined : `${namespace}/${port.spec.claim.pod}`
  return { key, port, subnet, vpc: vpcOf(subnet, objects), node: port.spec.node ?? nodeOf(pod, objects), pod }
}

export function vpcOf(subnet: string, { subnets }: NetworkObjects): string {
  const name = subnets.get(subnet)?.spec.vpc
  return name === undefined ? '' : whole(name, subnet.slice(0, subnet.indexOf('/')))
}

function nodeOf(pod: string | undefined, { pods }: NetworkObjects): string {
  const spec = pod === undefined ? undefined : (pods.get(pod)?.spec as { readonly nodeName?: string } | undefined)
  return spec?.nodeName ?? ''
}

export const isFiltered = ({ vni, vpc, node, phase }: NetworkChoice): boolean => [vni, vpc, node, phase].some((each) => each !== undefined)

export function isWanted({ port, vpc, node }: PortFacts, choice: NetworkChoice): boolean {
  const is = (wanted: string | undefined, found: () => string): boolean => wanted === undefined || wanted === found()
  return (
    is(choice.node, () => node) &&
    is(choice.vpc, () => vpc) &&
    is(choice.vni, () => String(port.status?.vni)) &&
    is(choice.phase, () => reportOf(port).phase ?? 'new')
  )
}
