// VRFs of data-centre gateways: which ports of which routers have an L2BridgeDomain's VLANs in the VRF that it names, and why none has.
import { makesVrfs, type GatewayRouter } from '../../kinds/l2/fabric.ts'
import type { Resource, SpecOf } from '../../kinds/index.ts'
import { bySwitch, type PortsBySwitch, type SwitchPort } from './switch-ports.ts'

export interface WantedRoutes {
  /** The ports of routers. */
  readonly ports: PortsBySwitch
  /** Physical networks whose gateways have no such VRF for it, in words; and routers that cannot make one. */
  readonly refused: readonly VrfRefusal[]
}
export interface VrfRefusal {
  readonly reason: 'VrfNotOffered' | 'Unsupported'
  readonly message: string
}
type Fabric = Resource<'Fabric'>
type RoutedSpec = Pick<SpecOf<'L2BridgeDomain'>, 'physicalNW' | 'vrf' | 'holder'>

/** A gateway that offers it is enough for a physical network; where several do, it is made on each. */
export function routesOfDomain({ physicalNW = [], vrf, holder: { namespace = '' } }: RoutedSpec, fabrics: readonly Fabric[]): WantedRoutes {
  if (vrf === undefined) return { ports: new Map(), refused: [] }
  const found: SwitchPort[] = []
  const refused: VrfRefusal[] = []
  for (const network of physicalNW) {
    const routers = fabrics.flatMap((fabric) => routersOf(fabric, network).map((router) => ({ fabric, router })))
    const offering = routers.filter(({ router }) => offers(router, vrf, namespace))
    // Whether there is one for others is none of its business.
    if (offering.length === 0)
      refused.push({
        reason: 'VrfNotOffered',
        message: `no gateway of physical network ${network} offers VRF ${vrf} to namespace ${namespace}`,
      })
    for (const { fabric, router } of offering) {
      const driver = driverOf(fabric, router)
      const at = `${fabric.metadata.name}/${router.switch}`
      if (makesVrfs(driver)) found.push({ fabric: fabric.metadata.name, switch: router.switch, port: router.port })
      else refused.push({ reason: 'Unsupported', message: `VRF ${vrf}: ${at} is of driver ${driver}, which makes no VRFs` })
    }
  }
  return { ports: bySwitch(found), refused }
}

const routersOf = ({ spec }: Fabric, network: string): readonly GatewayRouter[] =>
  (spec.gateways ?? []).flatMap(({ physicalNetwork, router }) => (physicalNetwork === network && router !== undefined ? [router] : []))
const offers = ({ vrfs }: GatewayRouter, vrf: string, namespace: string): boolean =>
  vrfs.some(({ name, namespaces }) => name === vrf && namespaces.includes(namespace))
const driverOf = ({ spec }: Fabric, router: GatewayRouter): string =>
  spec.switches.find(({ name }) => name === router.switch)?.driver ?? 'none'
