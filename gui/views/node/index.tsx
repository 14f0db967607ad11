import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const node: View = {
  name: 'node',
  title: 'Node',
  letter: 'm',
  icon: 'M4 3h12v6H4zM4 11h12v6H4zM7 6h.500M7 14h.500',
  kinds: () => ['Node', 'Port', 'Subnet'],
  Page,
}
