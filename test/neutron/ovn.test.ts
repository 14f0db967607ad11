import { after, before, describe } from 'node:test'
import { chassisTests } from './chassis.ts'
import { cloudLaws } from './cloud-laws.ts'
import { neutronSkip, startNeutron, type NeutronWorld } from './lab.ts'
import { eventTests, eventCloud } from './events.ts'
import { keystoneTests } from './keystone.ts'
import { pluggedByHand } from './plugged.ts'
import { auditTests } from './audits.ts'
import { importTests } from './imports.ts'
import { moveTests } from './moves.ts'
import { warmPoolTests } from './warm-pools.ts'
import { podTests, type PodsOfCloud } from './pods.ts'

describe('OVN on two chassis', { skip: neutronSkip }, () => {
  let world: NeutronWorld
  before(async () => {
    world = await startNeutron({ mechanism: 'ovn', auth: 'keystone', novaPath: `/clouds/${eventCloud}/v2.1` })
  })
  after(() => world?.stop())

  pluggedByHand(() => world)
  let endOfAudit: () => void = () => undefined
  const more = (cloud: PodsOfCloud): void => {
    endOfAudit = auditTests(cloud).endTests
    eventTests(cloud)
    warmPoolTests(cloud)
    importTests(cloud)
    keystoneTests(cloud)
    chassisTests(cloud)
    moveTests(cloud)
  }
  const { endTests } = podTests(() => world, { mtu: 1442, settings: { MEGREZ_PORTS_WITHOUT_POD: 'bare' }, more })
  cloudLaws(() => world)
  endOfAudit()
  endTests()
})
