import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const clouds: View = {
  name: 'clouds',
  title: 'Clouds',
  letter: 'l',
  icon: 'M6 15a4 4 0 0 1 0-8 5 5 0 0 1 9 1 3.500 3.500 0 0 1 0 7z',
  kinds: () => ['Cloud', 'Vpc', 'Subnet', 'Port', 'Audit'],
  Page,
}
