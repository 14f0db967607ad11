import { pluggedByHand } from './plugged.ts'

pluggedByHand('OVN on two chassis', { mechanism: 'ovn', auth: 'noauth' })
