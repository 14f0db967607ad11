import { Page } from './page.tsx'
import type { View } from '../view.ts'

const pictured = ['L2Service', 'L2ServiceAttachment', 'ConnectionPoint', 'L2BridgeDomain', 'Fabric'] as const
/** They decide what a traced packet comes to; rules themselves are told to whoever may see them. */
const judging = ['SecurityGroup', 'UnifiedNetworkPolicy', 'NetworkPolicy', 'PolicyRuleSet'] as const

export const network: View = {
  name: 'network',
  title: 'Network',
  letter: 'n',
  icon: 'M10 3.200a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM4.500 12.800a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM15.500 12.800a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM9 7l-3.500 6M11 7l3.500 6M6.500 14.800h7',
  kinds: () => ['Pod', 'Port', 'Subnet', 'Vpc', 'Node'],
  // The server draws, and is asked again once something has changed: of a million objects none is held here.
  follows: { names: true, beside: [...pictured, ...judging] },
  Page,
}
