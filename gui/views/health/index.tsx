import type { View } from '../view.ts'
import { Page } from './page.tsx'

export const health: View = { name: 'health', title: 'Health', letter: 'h', icon: 'M2 10h4l2-5 4 10 2-5h4', kinds: () => [], Page }
