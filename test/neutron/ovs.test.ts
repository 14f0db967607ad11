import { after, before, describe } from 'node:test'
import { neutronSkip, startNeutron, type NeutronWorld } from './lab.ts'
import { alkaidsEnd, besideNeutron, builtinTests } from './beside-agent.ts'
import { hybridTests } from './hybrid.ts'
import { pluggedByHand } from './plugged.ts'
import { podTests, type PodsOfCloud } from './pods.ts'
import { alcorsEnd } from './three-clouds.ts'
import { trunkTests } from './trunks.ts'
import { workerKills } from './worker-kills.ts'

describe('Open vSwitch with an agent of Neutron', { skip: neutronSkip }, () => {
  let world: NeutronWorld
  before(async () => {
    world = await startNeutron({ mechanism: 'ovs', auth: 'keystone' })
  })
  after(() => world?.stop())

  const { killedTests, endTests: endOfKills } = workerKills(() => world)
  pluggedByHand(() => world)
  const more = (cloud: PodsOfCloud): void => {
    builtinTests(cloud)
    hybridTests(cloud, besideNeutron)
  }
  const { cloud, endTests } = podTests(() => world, { mtu: 1450, settings: besideNeutron, more })
  trunkTests(() => world)
  killedTests()
  endTests()
  alkaidsEnd(cloud)
  alcorsEnd()
  endOfKills()
})
