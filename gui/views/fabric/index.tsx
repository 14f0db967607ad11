import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const fabric: View = {
  name: 'fabric',
  title: 'Fabric',
  letter: 'f',
  icon: 'M3 6h14v8H3zM6 9.500v1M9 9.500v1M12 9.500v1M15 9.500v1',
  kinds: () => ['Fabric', 'L2BridgeDomain', 'ConnectionPoint', 'NodePool', 'Node'],
  Page,
}
