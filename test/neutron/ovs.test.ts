import { pluggedByHand } from './plugged.ts'

pluggedByHand('Open vSwitch with an agent of Neutron', { mechanism: 'ovs', auth: 'noauth' })
