// Vpcs of a cloud, and what happens to the cloud. Drawn for cases of clouds alone (cloud-case.ts).
import { happeningKind, type HappeningKind } from '../happening.ts'
import { vpcNames } from '../layout.ts'

const tenants = ['a', 'b'] as const

const createCloudVpc = happeningKind<{ readonly namespace: string; readonly name: string }>({
  name: 'create-cloud-vpc',
  fault: false,
  weight: 4,
  draw: (dice) => ({ namespace: dice.pick(tenants), name: dice.mostly(vpcNames) }),
  run({ namespace, name }, { outside }) {
    const spec = { provider: 'memory' as const, cloud: 'c' }
    outside.spawn('create-cloud-vpc', () => outside.create({ kind: 'Vpc', metadata: { namespace, name }, spec }, `provider:${namespace}`))
  },
})

const slowCloud = happeningKind<{ readonly forMs: number; readonly ms: number }>({
  name: 'slow-cloud',
  fault: true,
  weight: 4,
  draw: (dice) => ({ forMs: dice.between(1_000, 20_000), ms: dice.between(100, 4_900) }),
  run({ forMs, ms }, { site, clouds }) {
    clouds.slow = { until: site.scheduler.now + forMs, ms }
  },
})

const cloudDown = happeningKind<{ readonly forMs: number }>({
  name: 'cloud-down',
  fault: true,
  weight: 4,
  draw: (dice) => ({ forMs: dice.between(500, 15_000) }),
  run({ forMs }, { site, clouds }) {
    clouds.downUntil = site.scheduler.now + forMs
  },
})

const lostAnswer = happeningKind<{ readonly times: number }>({
  name: 'cloud-loses-answers',
  fault: true,
  weight: 6,
  draw: (dice) => ({ times: dice.between(1, 4) }),
  run({ times }, { clouds }) {
    clouds.lostAnswers += times
  },
})

const changedByOthers = happeningKind<{ readonly nth: number; readonly how: 'edit' | 'delete' }>({
  name: 'changed-at-cloud',
  fault: true,
  weight: 5,
  draw: (dice) => ({ nth: dice.int(8), how: dice.chance(0.5) ? 'edit' : 'delete' }),
  run({ nth, how }, { clouds: { cloud } }) {
    const ports = cloud.all('port')
    const it = ports[nth % Math.max(1, ports.length)]
    if (it?.port === undefined) return
    if (how === 'delete') cloud.remove('port', it.id)
    else cloud.change('port', it.id, { port: { ...it.port, portSecurity: !it.port.portSecurity } })
  },
})

export const ofClouds: readonly HappeningKind[] = [createCloudVpc, slowCloud, cloudDown, lostAnswer, changedByOthers]
