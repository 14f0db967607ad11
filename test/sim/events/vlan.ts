// Pods with interfaces in VLANs, policies that judge them, and packets there. Drawn for cases of VLANs alone (vlan-case.ts).
import type { Kind, SpecOf } from '../../../core/kinds/index.ts'
import type { UnifiedRule } from '../../../core/kinds/policy/unified-rule.ts'
import { networksAnnotation } from '../../../core/kinds/annotations.ts'
import type { Dice } from '../dice.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { apps, podNames, policyNames } from '../layout.ts'
import { processNames } from '../roles/index.ts'
import { addressOf, strangers, toAll } from '../world/vlan-traffic.ts'

export const tenant = 'a'
export const attachmentsInVlans = { access: ['s1'], both: ['s1', 's2'] } as const
const vlans = [100, 101] as const
const blocks = ['10.1.1.0/30', '10.1.1.0/24', '10.1.1.2/32', '192.0.2.0/24', '0.0.0.0/0'] as const

interface Named {
  readonly namespace: string
  readonly name: string
}

const createVlanPod = happeningKind<Named & { readonly networks: string; readonly app?: string }>({
  name: 'create-vlan-pod',
  fault: false,
  weight: 20,
  draw: (dice) => ({
    namespace: tenant,
    name: dice.pick(podNames),
    networks: dice.pick(['access', 'both', 'access,both']),
    ...(dice.chance(0.8) && { app: dice.pick(apps) }),
  }),
  run({ namespace, name, networks, app }, { outside, site }) {
    const metadata = { namespace, name, ...(app !== undefined && { labels: { app } }), annotations: { [networksAnnotation]: networks } }
    const draft = { kind: 'Pod' as const, metadata, spec: { containers: [{ name: 'app', image: 'app' }] } }
    const by = `operator:${namespace}`
    outside.spawn('create-vlan-pod', () =>
      site.mode === 'sqlite' ? outside.create(draft, by, { rest: true }) : outside.createPod(draft, by),
    )
  },
})

/** Of each way what the other end is, in which VLAN, and whether it may. */
interface DrawnRule {
  readonly way: 'ingress' | 'egress'
  readonly action: 'allow' | 'deny'
  readonly cidr: string
  readonly vlan?: number
}
interface Judging extends Named {
  readonly app?: string
  readonly priority: number
  readonly closed: readonly ('ingress' | 'egress')[]
  readonly rules: readonly DrawnRule[]
}

const drawn = (dice: Dice): Judging => ({
  namespace: tenant,
  name: dice.pick(policyNames),
  ...(dice.chance(0.6) && { app: dice.pick(apps) }),
  priority: dice.between(0, 2),
  closed: (['ingress', 'egress'] as const).filter(() => dice.chance(0.6)),
  rules: Array.from({ length: dice.int(4) }, () => ({
    way: dice.pick(['ingress', 'egress'] as const),
    action: dice.pick(['allow', 'deny'] as const),
    cidr: dice.pick(blocks),
    ...(dice.chance(0.3) && { vlan: dice.pick(vlans) }),
  })),
})

function specOf({ app, priority, closed, rules }: Omit<Judging, keyof Named>): SpecOf<'UnifiedNetworkPolicy'> {
  const rulesFor = (way: DrawnRule['way']): UnifiedRule[] =>
    rules
      .filter((rule) => rule.way === way)
      .map(({ action, cidr, vlan }) => ({ action, peers: [{ cidr }], ...(vlan !== undefined && { l2: { vlan } }) }))
  return {
    podSelector: app === undefined ? {} : { matchLabels: { app } },
    priority,
    defaults: Object.fromEntries(closed.map((way) => [way, 'deny'])),
    ingress: rulesFor('ingress'),
    egress: rulesFor('egress'),
  }
}

const createVlanPolicy = happeningKind<Judging>({
  name: 'create-vlan-policy',
  fault: false,
  weight: 8,
  draw: drawn,
  run({ namespace, name, ...of }, { outside }) {
    const draft = { kind: 'UnifiedNetworkPolicy' as const, metadata: { namespace, name }, spec: specOf(of) }
    outside.spawn('create-vlan-policy', () => outside.create(draft, `operator:${namespace}`))
  },
})

const editVlanPolicy = happeningKind<Judging>({
  name: 'edit-vlan-policy',
  fault: false,
  weight: 8,
  draw: drawn,
  run({ namespace, name, ...of }, { outside }) {
    const spec = specOf(of)
    outside.spawn('edit-vlan-policy', () =>
      outside.edit({ kind: 'UnifiedNetworkPolicy', namespace, name }, `operator:${namespace}`, (policy) => ({ ...policy, spec })),
    )
  },
})

/** Everybody in VLANs sends to everybody, to all at once, and so do strangers. */
const talkInVlans = happeningKind<{ readonly times: number; readonly everyMs: number; readonly loud: boolean }>({
  name: 'talk-in-vlans',
  fault: false,
  weight: 30,
  draw: (dice) => ({ times: dice.between(1, 12), everyMs: dice.between(50, 2_500), loud: dice.chance(0.2) }),
  run({ times, everyMs, loud }, { vlanTraffic, site }) {
    const say = (left: number): void => {
      const all = [...vlanTraffic.stations()]
      for (const to of all) {
        const target = { mac: loud ? toAll : to.port.mac, to: addressOf(to) }
        for (const from of all) if (from.vlan === to.vlan && from.port.uid !== to.port.uid) vlanTraffic.send(from, target.mac, target.to)
        for (const source of strangers) vlanTraffic.sendFromOutside(to.vlan, source, target)
      }
      if (left > 1) site.scheduler.after(everyMs, 'the VLANs talk on', () => say(left - 1))
    }
    say(times)
  },
})

const watched: readonly Kind[] = ['L2ServiceAttachment', 'PolicyRuleSet', 'PolicyIdentity', 'UnifiedNetworkPolicy', 'Pod']
const lateNews = (name: 'stale' | 'unobserved') => ({
  name,
  weight: 8,
  draw: (dice: Dice) => ({ process: dice.pick(processNames), kind: dice.pick(watched), ms: dice.between(10, 40_000) }),
})

/** An interface in VLANs is there until DEL, or GC, is asked for: of a sandbox that is never ended it stays. */
const renewed = {
  name: 'new-sandbox',
  weight: 3,
  draw: (dice: Dice) => ({ namespace: tenant, name: dice.pick(podNames), del: dice.pick(['before', 'after', 'late'] as const) }),
}

/** Whoever runs a tenant's pods attaches them. */
const attachInVlans = happeningKind<Named & { readonly of: readonly string[]; readonly at: string }>({
  name: 'attach-in-vlans',
  fault: false,
  weight: 0,
  draw: () => ({ namespace: tenant, name: 'access', of: attachmentsInVlans.access, at: 'cp' }),
  run({ namespace, name, of, at }, { outside }) {
    const vlanType = of.length > 1 ? ('selectivetrunk' as const) : ('access' as const)
    const spec = { l2Services: [...of], connectionPoint: at, vlanType }
    outside.spawn('attach-in-vlans', () =>
      outside.create({ kind: 'L2ServiceAttachment', metadata: { namespace, name }, spec }, `operator:${namespace}`),
    )
  },
})

export const ofVlans: readonly HappeningKind[] = [attachInVlans, createVlanPod, createVlanPolicy, editVlanPolicy, talkInVlans]
/** What else happens in their cases, with arguments of their own. */
export const besideVlans = [lateNews('stale'), lateNews('unobserved'), renewed]
