import { after, before, describe } from 'node:test'
import { neutronSkip, startNeutron, type NeutronWorld } from './lab.ts'
import { alkaidsEnd, besideNeutron, builtinTests } from './beside-agent.ts'
import { pluggedByHand } from './plugged.ts'
import { podTests } from './pods.ts'
import { alcorsEnd } from './three-clouds.ts'
import { trunkTests } from './trunks.ts'

describe('Open vSwitch with an agent of Neutron', { skip: neutronSkip }, () => {
  let world: NeutronWorld
  before(async () => {
    world = await startNeutron({ mechanism: 'ovs', auth: 'keystone' })
  })
  after(() => world?.stop())

  pluggedByHand(() => world)
  const { cloud, endTests } = podTests(() => world, { mtu: 1450, settings: besideNeutron, more: builtinTests })
  trunkTests(() => world)
  endTests()
  alkaidsEnd(cloud)
  alcorsEnd()
})
