// Vpcs of a cloud, and what happens to the cloud. Drawn for cases of clouds alone (cloud-case.ts).
import { happeningKind, type HappeningKind } from '../happening.ts'
import { nodeNames, portNames, subnetNames, vpcNames } from '../layout.ts'
import { epochMs } from '../process.ts'
import { ofPools } from './warm-pools.ts'
import { lagMost, lagMostMs as alcorsLagMostMs } from '../world/alcor-cloud-model.ts'
import { lagMostMs } from '../world/neutron-cloud-model.ts'

const tenants = ['a', 'b'] as const

const createCloudVpc = happeningKind<{ readonly namespace: string; readonly name: string }>({
  name: 'create-cloud-vpc',
  fault: false,
  weight: 4,
  draw: (dice) => ({ namespace: dice.pick(tenants), name: dice.mostly(vpcNames) }),
  run({ namespace, name }, { outside, clouds }) {
    const spec = { provider: clouds.provider, cloud: 'c' }
    outside.spawn('create-cloud-vpc', () => outside.create({ kind: 'Vpc', metadata: { namespace, name }, spec }, `provider:${namespace}`))
  },
})

/** Most others name what a cloud refuses. */
const createCloudPort = happeningKind<{ readonly namespace: string; readonly name: string; readonly node?: string }>({
  name: 'create-cloud-port',
  fault: false,
  weight: 14,
  draw: (dice) => ({
    namespace: dice.pick(tenants),
    name: dice.pick(portNames),
    ...(dice.chance(0.5) && { node: dice.mostly(nodeNames) }),
  }),
  run({ namespace, name, ...more }, { outside }) {
    const spec = { subnet: subnetNames[0], ...more }
    outside.spawn('create-cloud-port', () => outside.create({ kind: 'Port', metadata: { namespace, name }, spec }, `operator:${namespace}`))
  },
})

const slowCloud = happeningKind<{ readonly forMs: number; readonly ms: number }>({
  name: 'slow-cloud',
  fault: true,
  weight: 4,
  draw: (dice) => ({ forMs: dice.between(1_000, 20_000), ms: dice.between(100, 4_900) }),
  run({ forMs, ms }, { site, clouds }) {
    clouds.slow = { until: site.scheduler.now + forMs, ms: clouds.pace === 'slow' ? 6 * ms : ms }
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

/** A worker dies between what it does at a cloud and hearing that it has done it. */
export const killAtCloud = happeningKind<{ readonly changes: number }>({
  name: 'kill-at-cloud',
  fault: true,
  weight: 0,
  draw: (dice) => ({ changes: dice.between(1, 3) }),
  run({ changes }, { site, clouds }) {
    clouds.endings.push({ changes, end: (process) => site.kill(process) })
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
    if (it === undefined) return
    if (how === 'delete') cloud.removePort(it.id)
    else cloud.editPort(it.id)
  },
})

/** What a worker leaves that stopped between its plan and its request for too long, and what others have: an audit tells them apart. */
const strew = happeningKind<{ readonly whose: 'ours' | 'theirs'; readonly nth: number }>({
  name: 'strew-at-cloud',
  fault: true,
  weight: 4,
  draw: (dice) => ({ whose: dice.pick(['ours', 'theirs'] as const), nth: dice.int(1_000_000) }),
  run({ whose, nth }, { site, clouds: { cloud, strewn } }) {
    const uid = `nobodys-${nth}`
    const theirs = nth % 2 === 0 ? undefined : { uid, installation: 'elsewhere' }
    const { id } = cloud.putNetwork(`strewn-${nth}`, whose === 'ours' ? { uid, installation: 'here' } : theirs)
    strewn.set(id, { whose, atMs: epochMs + site.scheduler.now })
  },
})

/** Whoever looks after the cloud has it audited, with repair or without. */
const audit = happeningKind<{ readonly name: string; readonly repair: boolean }>({
  name: 'audit',
  fault: false,
  weight: 3,
  draw: (dice) => ({ name: `audit-${dice.int(3)}`, repair: dice.chance(0.7) }),
  run({ name, repair }, { outside }) {
    outside.spawn('audit', () => outside.create({ kind: 'Audit', metadata: { name }, spec: { cloud: 'c', repair } }, 'provider'))
  },
})

/** As behind replicas of a database that is written to elsewhere. */
const lagging = happeningKind<{ readonly ms: number }>({
  name: 'cloud-lists-what-was',
  fault: true,
  weight: 5,
  draw: (dice) => ({ ms: dice.between(100, lagMostMs) }),
  run({ ms }, { clouds: { neutron } }) {
    neutron?.lag(ms)
  },
})

/** Others of the project take what its quota leaves, and give it back. */
const overQuota = happeningKind<{ readonly left: number; readonly forMs: number }>({
  name: 'cloud-over-quota',
  fault: true,
  weight: 3,
  draw: (dice) => ({ left: dice.int(3), forMs: dice.between(500, 20_000) }),
  run({ left, forMs }, { site, clouds: { neutron } }) {
    neutron?.limit(left)
    site.scheduler.after(forMs, 'the quota is what it was', () => neutron?.limit(undefined))
  },
})

const lostHost = happeningKind<{ readonly node: string; readonly forMs: number }>({
  name: 'neutron-loses-a-host',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.pick(nodeNames), forMs: dice.between(1_000, 20_000) }),
  run({ node, forMs }, { site, clouds: { neutron } }) {
    neutron?.lose(node)
    site.scheduler.after(forMs, `Neutron hears of ${node} again`, () => neutron?.find(node))
  },
})

const laggingAlcor = happeningKind<{ readonly changes: number; readonly forMs: number }>({
  name: 'alcor-lists-what-was',
  fault: true,
  weight: 5,
  draw: (dice) => ({ changes: dice.between(1, lagMost), forMs: dice.between(500, alcorsLagMostMs) }),
  run({ changes, forMs }, { site, clouds: { alcor } }) {
    alcor?.lag(changes)
    site.scheduler.after(forMs, "Alcor's lists say what is there", () => alcor?.lag(0))
  },
})

/** A manager that fails behind its gateway: what it was asked is done by then, or not. */
const breakingAlcor = happeningKind<{ readonly when: 'breaksBefore' | 'breaksAfter'; readonly times: number }>({
  name: 'alcor-breaks',
  fault: true,
  weight: 5,
  draw: (dice) => ({ when: dice.pick(['breaksBefore', 'breaksAfter'] as const), times: dice.between(1, 4) }),
  run({ when, times }, { clouds: { alcor } }) {
    alcor?.breaks(when, times)
  },
})

export const ofClouds: readonly HappeningKind[] = [
  createCloudVpc,
  createCloudPort,
  slowCloud,
  cloudDown,
  lostAnswer,
  changedByOthers,
  strew,
  audit,
  ...ofPools,
]
/** Of a Neutron beside. */
export const ofNeutron: readonly HappeningKind[] = [lagging, overQuota]
/** Of VMs at a cloud, beside what goes wrong on their nodes. */
export const ofVmsAtClouds: readonly HappeningKind[] = [lostHost]
/** Of an Alcor. */
export const ofAlcor: readonly HappeningKind[] = [laggingAlcor, breakingAlcor]
