import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const routing: View = {
  name: 'routing',
  title: 'Routing',
  letter: 'r',
  icon: 'M4 15a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM16 8a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM5.500 13.500h5a3 3 0 0 0 0-7h4',
  kinds: () => ['BGPSessionGroup', 'BGPSpeaker', 'Node'],
  Page,
}
