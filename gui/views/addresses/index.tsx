import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const addresses: View = {
  name: 'addresses',
  title: 'Addresses',
  letter: 'a',
  icon: 'M3 4h14v12H3zM3 8h14M3 12h14M7.700 4v12M12.300 4v12',
  kinds: () => ['Subnet', 'IPLock', 'Port'],
  Page,
}
