// What a VpcPeering takes and refuses.
import type { OwnKind } from '../../core/kinds/index.ts'

interface PeeringCase {
  readonly kind: OwnKind
  readonly spec: object
  readonly was?: object
  readonly refused?: string
}

const spec = { vpc: 'v', peer: 'b/w' }
const peering = (more: object, refused?: string): PeeringCase => ({
  kind: 'VpcPeering',
  spec: { ...spec, ...more },
  ...(refused !== undefined && { refused }),
})
const changed = (more: object, refused?: string): PeeringCase => ({ ...peering(more, refused), was: spec })

export const peeringCases: Readonly<Record<string, PeeringCase>> = {
  'a VpcPeering': peering({}),
  'a VpcPeering of some Subnets': peering({ subnets: ['blue'] }),
  'a VpcPeering whose peer has no namespace': peering({ peer: 'w' }, 'spec.peer'),
  'a VpcPeering that gives other Subnets': changed({ subnets: ['red'] }),
  'a VpcPeering of another Vpc': changed({ vpc: 'x' }, 'spec.vpc'),
  'a VpcPeering with another peer': changed({ peer: 'c/w' }, 'spec.peer'),
}
