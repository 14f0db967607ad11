import { Page } from './page.tsx'
import type { View } from '../view.ts'

export const network: View = {
  name: 'network',
  title: 'Network',
  letter: 'n',
  icon: 'M10 3.200a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM4.500 12.800a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM15.500 12.800a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM9 7l-3.500 6M11 7l3.500 6M6.500 14.800h7',
  kinds: () => ['Pod', 'Port', 'Subnet', 'Vpc', 'Node'],
  Page,
}
