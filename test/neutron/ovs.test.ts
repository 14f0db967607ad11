import { after, before, describe } from 'node:test'
import { neutronSkip, startNeutron, type NeutronWorld } from './lab.ts'
import { pluggedByHand } from './plugged.ts'
import { trunkTests } from './trunks.ts'

describe('Open vSwitch with an agent of Neutron', { skip: neutronSkip }, () => {
  let world: NeutronWorld
  before(async () => {
    world = await startNeutron({ mechanism: 'ovs', auth: 'keystone' })
  })
  after(() => world?.stop())

  pluggedByHand(() => world)
  trunkTests(() => world)
})
