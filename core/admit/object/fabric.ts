// What a Fabric says of its switches: thousands of links times hundreds of switches, and no rule of CEL may cost as much (Kubernetes,
// "Resource constraints" of CEL).
import { makesVrfs, type FabricGateway } from '../../kinds/l2/fabric.ts'
import type { SpecOf } from '../../kinds/index.ts'
import { pointerTo, refuse, type Refusal } from '../refusal.ts'

type FabricSpec = SpecOf<'Fabric'>

export function refusalOfFabric(spec: FabricSpec): Refusal | undefined {
  const { switches, links = [], gateways = [] } = spec
  const names = new Set(switches.map(({ name }) => name))
  const missing = (field: string, all: readonly { readonly switch: string }[]): Refusal | undefined => {
    const place = all.findIndex((each) => !names.has(each.switch))
    return place < 0 ? undefined : refuse(pointerTo('spec', field, place, 'switch'), `${all[place]!.switch} is no switch of this Fabric`)
  }
  return (
    missing('links', links) ?? missing('gateways', gateways) ?? firstOf(gateways, (gateway, place) => refusalOfRouter(gateway, place, spec))
  )
}

function firstOf<T>(all: readonly T[], refusalOf: (each: T, place: number) => Refusal | undefined): Refusal | undefined {
  for (const [place, each] of all.entries()) {
    const refusal = refusalOf(each, place)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function refusalOfRouter(
  { router }: FabricGateway,
  place: number,
  { switches, links = [], gateways = [] }: FabricSpec,
): Refusal | undefined {
  if (router === undefined) return undefined
  const at = (field: string): string => pointerTo('spec', 'gateways', place, 'router', field)
  const driver = switches.find(({ name }) => name === router.switch)?.driver
  if (driver === undefined) return refuse(at('switch'), `${router.switch} is no switch of this Fabric`)
  if (!makesVrfs(driver))
    return refuse(at('switch'), `Unsupported: ${router.switch} is of driver ${driver}, which makes no VRFs; gnmi does`)
  // As a trunk it would carry on layer 2 what it is to route.
  return [...links, ...gateways].some((each) => each.switch === router.switch && each.switchPort === router.port)
    ? refuse(at('port'), `${router.port} of ${router.switch} is a switch port of this Fabric too: a port routes VLANs or carries them`)
    : undefined
}
