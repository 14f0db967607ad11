import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const services: View = {
  name: 'services',
  title: 'Services',
  letter: 's',
  icon: 'M3 5h4v4H3zM3 12h4v4H3zM13 8h4v4h-4zM7 7l6 3M7 14l6-4',
  kinds: () => ['NetworkService', 'NetworkServiceEndpoint', 'Connection', 'Port'],
  Page,
}
