import { after, before, describe } from 'node:test'
import { chassisTests } from './chassis.ts'
import { cloudLaws } from './cloud-laws.ts'
import { neutronSkip, startNeutron, type NeutronWorld } from './lab.ts'
import { pluggedByHand } from './plugged.ts'
import { podTests } from './pods.ts'
import { workerKills } from './worker-kills.ts'

describe('OVN on two chassis', { skip: neutronSkip }, () => {
  let world: NeutronWorld
  before(async () => {
    world = await startNeutron({ mechanism: 'ovn', auth: 'keystone' })
  })
  after(() => world?.stop())

  pluggedByHand(() => world)
  const { endTests } = podTests(() => world, { mtu: 1442, more: chassisTests })
  const { endTests: endOfKills } = workerKills(() => world)
  cloudLaws(() => world)
  endTests()
  endOfKills()
})
