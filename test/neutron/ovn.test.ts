import { after, before, describe } from 'node:test'
import { neutronSkip, startNeutron, type NeutronWorld } from './lab.ts'
import { pluggedByHand } from './plugged.ts'

describe('OVN on two chassis', { skip: neutronSkip }, () => {
  let world: NeutronWorld
  before(async () => {
    world = await startNeutron({ mechanism: 'ovn', auth: 'noauth' })
  })
  after(() => world?.stop())

  pluggedByHand(() => world)
})
