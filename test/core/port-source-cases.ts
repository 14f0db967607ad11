// What a Port takes and refuses of what it may send from beside its own addresses, and what a Subnet allows of it.
import type { OwnKind } from '../../core/kinds/index.ts'

interface PortSourceCase {
  readonly kind: OwnKind
  readonly spec: object
  readonly refused?: string
}

const at = (refused: string | undefined): Pick<PortSourceCase, 'refused'> => (refused === undefined ? {} : { refused })
const port = (more: object, refused?: string): PortSourceCase => ({ kind: 'Port', spec: { subnet: 'blue', ...more }, ...at(refused) })
const subnet = (allowedRoutedBlocks: readonly object[], refused?: string, of: object = { vpc: 'blue' }): PortSourceCase => ({
  kind: 'Subnet',
  spec: { ...of, ipv4: { cidr: '10.0.0.0/24' }, allowedRoutedBlocks },
  ...at(refused),
})
const [behind, allowed] = ['spec.routedBlocks', 'spec.allowedRoutedBlocks']

export const portSourceCases: Readonly<Record<string, PortSourceCase>> = {
  'an address pair': port({
    allowedAddressPairs: [{ ip: '10.0.0.9' }, { ip: '10.0.9.0/24', mac: '02:00:00:00:00:01' }, { ip: '2001:db8::/64' }],
  }),
  'an address pair of a name': port({ allowedAddressPairs: [{ ip: 'web-0' }] }, 'spec.allowedAddressPairs'),
  'an address pair with host bits': port({ allowedAddressPairs: [{ ip: '10.0.9.9/24' }] }, 'spec.allowedAddressPairs'),
  'an address pair with a group MAC': port(
    { allowedAddressPairs: [{ ip: '10.0.0.9', mac: 'ff:ff:ff:ff:ff:ff' }] },
    'spec.allowedAddressPairs',
  ),
  'blocks behind a Port': port({ routedBlocks: ['10.9.0.0/24', '2001:db8:9::/64', '10.8.0.1/32'] }),
  'a block behind a Port with host bits': port({ routedBlocks: ['10.9.0.0/24', '10.9.1.1/24'] }, behind),
  'an address behind a Port without a length': port({ routedBlocks: ['10.9.0.1'] }, behind),
  'nine blocks behind a Port': port({ routedBlocks: Array.from({ length: 9 }, (_, i) => `10.9.${i}.0/24`) }, behind),
  'a Subnet that allows blocks behind its Ports': subnet([{ cidr: '10.9.0.0/16' }, { cidr: '2001:db8:9::/48', namespaces: ['a', 'b'] }]),
  'a block that a Subnet allows with host bits': subnet([{ cidr: '10.9.0.1/16' }], allowed),
  'a Subnet that allows to a namespace that is no name': subnet(
    [{ cidr: '10.9.0.0/16', namespaces: ['A B'] }],
    `${allowed}[0].namespaces[0]`,
  ),
  'a Subnet of an L2Service that allows blocks': subnet([{ cidr: '10.9.0.0/16' }], allowed, { l2Service: 'l' }),
}
