import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const callbacks: View = {
  name: 'callbacks',
  title: 'Callbacks',
  letter: 'c',
  icon: 'M3 5h14v10H3zM3 5.500l7 5.500 7-5.500',
  kinds: () => ['Subscription', 'Notice'],
  Page,
}
