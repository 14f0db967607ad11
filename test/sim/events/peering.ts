// Owners of two Vpcs who agree that these reach each other, and take that back.
import type { Dice } from '../dice.ts'
import { lateWorkers } from './stale.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { namespaces, subnetNames, vpcNames } from '../layout.ts'

/** One side. */
interface PeeringSide {
  readonly namespace: string
  readonly vpc: string
  /** `namespace/name` */
  readonly peer: string
}
export interface DrawnPeering extends PeeringSide {
  readonly subnets?: string[]
}

export const vpcs = namespaces.flatMap((namespace) => vpcNames.map((name) => `${namespace}/${name}`))

function drawSide(dice: Dice): PeeringSide {
  const [namespace, vpc] = [dice.mostly(namespaces), dice.mostly(vpcNames)]
  return {
    namespace,
    vpc,
    peer: dice.mostly(vpcs.filter((each) => !each.startsWith(`${namespace}/`)).filter((each) => each.endsWith('1'))),
  }
}

export const nameOfSide = ({ vpc, peer }: PeeringSide): string => `${vpc}-to-${peer.replace('/', '-')}`

export const agreeToPeer = happeningKind<DrawnPeering>({
  name: 'agree-to-peer',
  fault: false,
  weight: 12,
  draw: (dice) => ({ ...drawSide(dice), ...(dice.chance(0.2) && { subnets: [dice.mostly(subnetNames)] }) }),
  run(given, { outside }) {
    const { namespace, vpc, peer, subnets } = given
    const spec = { vpc, peer, ...(subnets && { subnets }) }
    outside.spawn('agree-to-peer', () =>
      outside.create({ kind: 'VpcPeering', metadata: { namespace, name: nameOfSide(given) }, spec }, `provider:${namespace}`),
    )
  },
})

const withdrawPeering = happeningKind<PeeringSide>({
  name: 'withdraw-peering',
  fault: false,
  weight: 7,
  draw: drawSide,
  run(given, { outside }) {
    const { namespace } = given
    outside.spawn('withdraw-peering', () =>
      outside.remove({ kind: 'VpcPeering', namespace, name: nameOfSide(given) }, `provider:${namespace}`),
    )
  },
})

export const ofPeerings: readonly HappeningKind[] = [agreeToPeer, withdrawPeering]
/** Workers that hear late of what decides who reaches whom. */
export const lateOfPeerings = lateWorkers(['VpcPeering', 'Vpc', 'Subnet'])
