import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const policy: View = {
  name: 'policy',
  title: 'Policy',
  letter: 'p',
  icon: 'M10 2.500l6 2.500v4.500c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8V5zM7.500 10l2 2 3.500-4',
  kinds: () => ['Vpc', 'Port', 'SecurityGroup', 'UnifiedNetworkPolicy'],
  Page,
}
