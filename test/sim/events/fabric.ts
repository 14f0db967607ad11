// External networks of tenants, and what happens to the switches that carry them. Drawn for cases of Fabrics alone (fabric-case.ts).
import type { Kind } from '../../../core/kinds/index.ts'
import type { VlanId } from '../../../core/net/segment.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { inUseKinds } from './in-use.ts'
import { vrfKinds } from './vrf.ts'
import { sinks } from '../layout.ts'
import { addresses, connectionPoints, portOf } from '../world/switches.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
const tenants = ['a', 'b'] as const
const vlans = [100, 101, 102] as const
const services = ['s1', 's2'] as const
const attachments = ['t1', 't2', 't3'] as const
const by = (namespace: string): string => `provider:${namespace}`

const createService = happeningKind<Named & { readonly vlan: number; readonly gateway: boolean }>({
  name: 'create-l2-service',
  fault: false,
  weight: 10,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.mostly(services), vlan: dice.pick(vlans), gateway: dice.chance(0.4) }),
  run({ namespace, name, vlan, gateway }, { outside }) {
    const spec = { segmentationID: vlan, ...(gateway && { physicalNW: ['physnet'] }) }
    outside.spawn('create-l2-service', () => outside.create({ kind: 'L2Service', metadata: { namespace, name }, spec }, by(namespace)))
  },
})

const renumber = happeningKind<Named & { readonly vlan: number }>({
  name: 'renumber-l2-service',
  fault: false,
  weight: 4,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.mostly(services), vlan: dice.pick(vlans) }),
  run({ namespace, name, vlan }, { outside }) {
    outside.spawn('renumber-l2-service', () =>
      outside.edit({ kind: 'L2Service', namespace, name }, by(namespace), (item) => ({
        ...item,
        spec: { ...item.spec, segmentationID: vlan },
      })),
    )
  },
})

const attach = happeningKind<Named & { readonly of: readonly string[]; readonly at: string; readonly callbackURL?: string }>({
  name: 'attach',
  fault: false,
  weight: 14,
  draw: (dice) => ({
    namespace: dice.mostly(tenants),
    name: dice.pick(attachments),
    of: dice.chance(0.3) ? services : [dice.mostly(services)],
    at: dice.mostly(Object.keys(connectionPoints)),
    ...(dice.chance(0.3) && { callbackURL: dice.pick(sinks) }),
  }),
  run({ namespace, name, of, at, ...more }, { outside }) {
    const spec = {
      l2Services: [...of],
      connectionPoint: at,
      vlanType: of.length > 1 ? ('selectivetrunk' as const) : ('access' as const),
      ...more,
    }
    outside.spawn('attach', () => outside.create({ kind: 'L2ServiceAttachment', metadata: { namespace, name }, spec }, by(namespace)))
  },
})

const removing = (name: string, kind: 'L2Service' | 'L2ServiceAttachment', names: readonly string[]): HappeningKind =>
  happeningKind<Named>({
    name,
    fault: false,
    weight: 7,
    draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.pick(names) }),
    run: ({ namespace, name: of }, { outside }) => outside.spawn(name, () => outside.remove({ kind, namespace, name: of }, by(namespace))),
  })

const cutSwitch = happeningKind<{ readonly address: string; readonly ms: number }>({
  name: 'cut-switch',
  fault: true,
  weight: 5,
  draw: (dice) => ({ address: dice.pick(addresses), ms: dice.between(500, 40_000) }),
  run: ({ address, ms }, { switches, site }) => void switches.cutUntil.set(address, site.scheduler.now + ms),
})

const loseAnswer = happeningKind<{ readonly address: string; readonly times: number }>({
  name: 'lose-switch-answer',
  fault: true,
  weight: 5,
  draw: (dice) => ({ address: dice.pick(addresses), times: dice.between(1, 3) }),
  run: ({ address, times }, { switches }) => void switches.lostAnswers.set(address, times),
})

/** It says that it has done what it has not, or a part of it. */
const lie = happeningKind<{ readonly address: string; readonly times: number; readonly takes: number }>({
  name: 'switch-lies',
  fault: true,
  weight: 5,
  draw: (dice) => ({ address: dice.pick(addresses), times: dice.between(1, 3), takes: dice.pick([0, 0, 1, 2]) }),
  run: ({ address, ...lies }, { switches }) => void switches.lies.set(address, lies),
})

const saveSwitch = happeningKind<{ readonly address: string }>({
  name: 'save-switch',
  fault: false,
  weight: 4,
  draw: (dice) => ({ address: dice.pick(addresses) }),
  run: ({ address }, { switches }) => switches.save(address),
})

/** It comes back with what was saved last, and is not there meanwhile. */
const rebootSwitch = happeningKind<{ readonly address: string; readonly downMs: number }>({
  name: 'reboot-switch',
  fault: true,
  weight: 4,
  draw: (dice) => ({ address: dice.pick(addresses), downMs: dice.between(500, 30_000) }),
  run({ address, downMs }, { switches, site: { scheduler } }) {
    switches.cutUntil.set(address, scheduler.now + downMs)
    switches.reboot(address)
  },
})

/** Another editor opens a VLAN of his own, closes it, or closes one of ours. */
const editSwitch = happeningKind<{ readonly node: string; readonly vlan: number; readonly does: 'open' | 'close' | 'close ours' }>({
  name: 'edit-switch',
  fault: true,
  weight: 8,
  draw: (dice) => ({
    node: dice.pick(Object.keys(portOf)),
    vlan: dice.chance(0.7) ? 900 : dice.pick(vlans),
    does: dice.pick(['open', 'close', 'close ours'] as const),
  }),
  run({ node, vlan, does }, { switches }) {
    const [address, port] = portOf[node]!
    const one = vlan as VlanId
    switches.edit(address, port, ({ ours, others }) => {
      const mine = new Map([...ours].filter(([each]) => does !== 'close ours' || each !== one))
      const theirs = new Set([...others].filter((each) => does !== 'close' || each !== one))
      if (does === 'open' && !mine.has(one)) theirs.add(one)
      return { ours: mine, others: theirs, mode: mine.size + theirs.size > 0 ? 'trunk' : 'closed' }
    })
  },
})

const watched: readonly Kind[] = [
  'L2Service',
  'L2ServiceAttachment',
  'L2BridgeDomain',
  'SegmentLock',
  'Fabric',
  'NodePool',
  'ConnectionPoint',
  'Subnet',
  'SecurityGroup',
  'Port',
]
const lateNews = (name: 'stale' | 'unobserved') => ({
  name,
  weight: 6,
  draw: (dice: Parameters<HappeningKind['draw']>[0]) => ({
    process: dice.pick(['workers-1', 'workers-2']),
    kind: dice.pick(watched),
    ms: dice.between(10, 40_000),
  }),
})

export const ofFabrics: readonly HappeningKind[] = [
  createService,
  renumber,
  attach,
  removing('delete-l2-service', 'L2Service', services),
  removing('detach', 'L2ServiceAttachment', attachments),
  cutSwitch,
  loseAnswer,
  lie,
  saveSwitch,
  rebootSwitch,
  editSwitch,
  ...inUseKinds,
  ...vrfKinds,
]
/** What else happens in their cases, with arguments of their own. */
export const besideFabrics = [lateNews('stale'), lateNews('unobserved')]
