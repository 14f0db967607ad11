// What an EgressClass takes and refuses, and a Vpc that names one.
import type { OwnKind } from '../../core/kinds/index.ts'

interface EgressCase {
  readonly kind: OwnKind
  readonly spec: object
  readonly was?: object
  readonly refused?: string
}
const egressClass = (more: object, refused?: string): EgressCase => ({
  kind: 'EgressClass',
  spec: { vpcs: ['a/v'], ...more },
  ...(refused !== undefined && { refused }),
})
const address = { subnet: 'op/public', vni: 7, vpc: 'a/v', node: 'n1', addresses: ['192.0.2.1'] }
const egressAddress = (more: object, refused?: string): EgressCase => ({
  kind: 'EgressAddress',
  spec: { ...address, ...more },
  ...(refused !== undefined && { refused }),
})

export const egressCases: Readonly<Record<string, EgressCase>> = {
  'an EgressClass': egressClass({}),
  'an EgressClass of nobody': egressClass({ vpcs: [] }),
  'an EgressClass with blocks': egressClass({ to: ['0.0.0.0/0', '10.20.0.0/16', 'fd00::/48'], except: ['203.0.113.0/24'] }),
  'an EgressClass whose Vpc has no namespace': egressClass({ vpcs: ['v'] }, 'spec.vpcs[0]'),
  'an EgressClass that leaves for nothing': egressClass({ to: [] }, 'spec.to'),
  'an EgressClass that leaves for an address': egressClass({ to: ['198.51.100.7/24'] }, 'spec.to'),
  'an EgressClass that leaves for the metadata of a cloud': egressClass({ to: ['169.254.169.254/32'] }, 'spec.to'),
  'an EgressClass that leaves for link-local addresses': egressClass({ to: ['fe80::/64'] }, 'spec.to'),
  'an EgressClass that leaves out what is no block': egressClass({ except: ['everybody'] }, 'spec.except'),
  'an EgressClass with a pool': egressClass({ pool: 'op/public' }),
  'an EgressClass whose pool has no namespace': egressClass({ pool: 'public' }, 'spec.pool'),
  'an EgressAddress': egressAddress({}),
  'an EgressAddress of three addresses': egressAddress({ addresses: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] }, 'spec.addresses'),
  'an EgressAddress that gets its address': { ...egressAddress({}), was: { ...address, addresses: [] } },
  'an EgressAddress that is for another node': { ...egressAddress({ node: 'n2' }, 'spec.node'), was: address },
  'an EgressAddress that is for another Vpc': { ...egressAddress({ vpc: 'b/v' }, 'spec.vpc'), was: address },
  'an EgressAddress of another VNI': { ...egressAddress({ vni: 8 }, 'spec.vni'), was: address },
  'an EgressAddress of another pool': { ...egressAddress({ subnet: 'op/other' }, 'spec.subnet'), was: address },
  'a Vpc that names an EgressClass': { kind: 'Vpc', spec: { egressClass: 'internet' } },
  'a Vpc that is a VLAN and names an EgressClass': {
    kind: 'Vpc',
    spec: { egressClass: 'internet', vlan: { physicalNetwork: 'p', id: 7 } },
    refused: 'spec.egressClass',
  },
  'a Vpc of a cloud that names an EgressClass': {
    kind: 'Vpc',
    spec: { egressClass: 'internet', provider: 'memory', cloud: 'c' },
    refused: 'spec.egressClass',
  },
}
