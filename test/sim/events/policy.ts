// Policies that select by labels are made, changed and deleted, and pods are labelled otherwise.
import type { SpecOf } from '../../../core/kinds/index.ts'
import type { UnifiedRule } from '../../../core/kinds/policy/unified-rule.ts'
import type { Dice } from '../dice.ts'
import { happeningKind } from '../happening.ts'
import type { Truth } from '../truth.ts'
import { apps, namespaces, outsideNames, podNames, policyNames, portNames, vpcNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
interface Selecting extends Named {
  /** Absent: all pods of the namespace. */
  readonly app?: (typeof apps)[number]
  readonly peer: (typeof apps)[number]
  readonly priority: number
  readonly everywhere: boolean
  /** Outside, that may be talked to, or may not. */
  readonly outside?: { readonly name: (typeof outsideNames)[number]; readonly action: 'allow' | 'deny' } | undefined
  /** Of each pod; absent: as much as it likes. */
  readonly max?: { readonly ingress?: Rate; readonly egress?: Rate }
  /** Of each Port; absent: none. */
  readonly min?: (typeof minimums)[number]
  readonly dscp?: number
  /** Of what its rule allows. */
  readonly rate?: Rate | undefined
  /** Its rule is for the MAC of one Port alone: of all that there are by then, in this place. */
  readonly nthMac?: number | undefined
  /** What it decides is logged. */
  readonly log?: true | undefined
  /** What goes out is as what comes in, and nothing is limited or marked: done on every data plane. */
  readonly bothWays?: boolean
  /** Of pods that follow their policy; absent: theirs by default. */
  readonly network?: string
  /** Minutes of the simulated hour; absent: always. */
  readonly window?: readonly [from: number, to: number]
}
type Rate = (typeof rates)[number]
const rates = ['1M', '10M'] as const
/** The last is more than a node has, of the others a few fit. */
const minimums = ['1M', '4M', '6M', '9M', '20M'] as const
/** Nothing begins or ends once all is to be at rest. */
const lastMinute = 5
const timeOf = (minute: number): string => `00:0${minute}`

const drawn = (dice: Dice): Selecting => ({
  namespace: dice.mostly(namespaces),
  name: dice.pick(policyNames),
  ...(dice.chance(0.6) && { app: dice.pick(apps) }),
  peer: dice.pick(apps),
  priority: dice.between(0, 2),
  everywhere: dice.chance(0.3),
  ...(dice.chance(0.4) ? { bothWays: true } : drawnTraffic(dice)),
  ...(dice.chance(0.2) && { outside: { name: dice.pick(outsideNames), action: dice.pick(['allow', 'deny'] as const) } }),
  ...(dice.chance(0.3) && { network: `${dice.mostly(namespaces)}/${dice.pick(vpcNames)}` }),
  ...(dice.chance(0.15) && { window: [dice.int(lastMinute), dice.int(lastMinute)] as const }),
})

const drawnTraffic = (dice: Dice): Pick<Selecting, 'max' | 'min' | 'dscp' | 'rate' | 'nthMac' | 'log'> => ({
  ...(dice.chance(0.7) && { min: dice.pick(minimums) }),
  ...(dice.chance(0.6) && { max: { [dice.pick(['ingress', 'egress'])]: dice.pick(rates) } }),
  ...(dice.chance(0.2) && { dscp: dice.between(0, 63) }),
  ...(dice.chance(0.2) && { rate: dice.pick(rates) }),
  ...(dice.chance(0.2) && { nthMac: dice.int(8) }),
  ...(dice.chance(0.2) && { log: true as const }),
})

interface Drawn extends Omit<Selecting, keyof Named | 'nthMac'> {
  readonly mac?: string | undefined
}

/** With the MAC that it names: nobody's where there is no Port. */
function withMac({ nthMac, ...of }: Omit<Selecting, keyof Named>, truth: Truth): Drawn {
  if (nthMac === undefined) return of
  const macs = [...truth.values('Port')].flatMap(({ status }) => status?.mac ?? [])
  return { ...of, mac: macs[nthMac % macs.length] ?? '02:ff:00:00:00:00' }
}

function rulesOf({
  peer,
  everywhere,
  rate,
  mac,
  log,
  outside,
}: Pick<Drawn, 'peer' | 'everywhere' | 'rate' | 'mac' | 'log' | 'outside'>): UnifiedRule[] {
  const l2 = mac === undefined ? {} : { l2: { mac } }
  const peers = [{ podSelector: { matchLabels: { app: peer } }, ...(everywhere && { namespaceSelector: {} }) }]
  return [
    { action: 'allow', peers, ...l2, ...(rate && { bandwidth: { max: rate } }), ...(log && { log }) },
    ...(outside === undefined ? [] : [{ action: outside.action, peers: [{ fqdn: outside.name }], ...(log && { log }) }]),
  ]
}

type Bandwidth = NonNullable<SpecOf<'UnifiedNetworkPolicy'>['bandwidth']>
const bandwidthOf = (max: Drawn['max'], min: Drawn['min']): { readonly bandwidth?: Bandwidth } =>
  max === undefined && min === undefined ? {} : { bandwidth: { ...(max && { max }), ...(min && { min }) } }

function specOf({
  app,
  peer,
  priority,
  everywhere,
  max,
  min,
  dscp,
  rate,
  mac,
  log,
  bothWays,
  outside,
  network,
  window,
}: Drawn): SpecOf<'UnifiedNetworkPolicy'> {
  const rules = rulesOf({ peer, everywhere, rate, mac, log, outside })
  return {
    podSelector: app === undefined ? {} : { matchLabels: { app } },
    priority,
    defaults: { ingress: 'deny', ...(bothWays === true && { egress: 'deny' }) },
    ...bandwidthOf(max, min),
    ...(dscp !== undefined && { dscp }),
    ...(network !== undefined && { network }),
    ...(window !== undefined && { schedule: [{ from: timeOf(window[0]), to: timeOf(window[1]) }] }),
    ingress: rules,
    ...(bothWays === true && { egress: rules }),
  }
}

export const createPolicy = happeningKind<Selecting>({
  name: 'create-policy',
  fault: false,
  weight: 5,
  draw: drawn,
  run({ namespace, name, ...of }, { outside, site: { truth } }) {
    const spec = specOf(withMac(of, truth))
    outside.spawn('create-policy', () =>
      outside.create({ kind: 'UnifiedNetworkPolicy', metadata: { namespace, name }, spec }, `operator:${namespace}`),
    )
  },
})

export const editPolicy = happeningKind<Selecting>({
  name: 'edit-policy',
  fault: false,
  weight: 3,
  draw: drawn,
  run({ namespace, name, ...of }, { outside, site: { truth } }) {
    const spec = specOf(withMac(of, truth))
    outside.spawn('edit-policy', () =>
      outside.edit({ kind: 'UnifiedNetworkPolicy', namespace, name }, `operator:${namespace}`, (policy) => ({ ...policy, spec })),
    )
  },
})

export const deletePolicy = happeningKind<Named>({
  name: 'delete-policy',
  fault: false,
  weight: 3,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.pick(policyNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-policy', () => outside.remove({ kind: 'UnifiedNetworkPolicy', namespace, name }, `operator:${namespace}`)),
})

/** @param app absent: the label goes */
function labelled({ app: _, ...others }: Readonly<Record<string, string>> = {}, app: string | undefined): Readonly<Record<string, string>> {
  return { ...others, ...(app !== undefined && { app }) }
}

export const relabelPod = happeningKind<Named & { readonly app?: string }>({
  name: 'relabel-pod',
  fault: false,
  weight: 6,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.pick(podNames), ...(dice.chance(0.9) && { app: dice.pick(apps) }) }),
  run({ namespace, name, app }, { outside, site: { truth } }) {
    outside.write('operator', () => {
      const pod = truth.at('Pod', `${namespace}/${name}`)
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
      const labels = labelled(pod.metadata.labels, app)
      truth.commit([{ do: 'update', item: { ...pod, metadata: { ...pod.metadata, labels } } }], `operator:${namespace}`)
    })
  },
})

/** One without a pod is known by its own labels. */
export const relabelPort = happeningKind<Named & { readonly app?: string }>({
  name: 'relabel-port',
  fault: false,
  weight: 5,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(portNames), ...(dice.chance(0.9) && { app: dice.pick(apps) }) }),
  run({ namespace, name, app }, { outside }) {
    outside.spawn('relabel-port', () =>
      outside.edit({ kind: 'Port', namespace, name }, `operator:${namespace}`, (port) => {
        return { ...port, metadata: { ...port.metadata, labels: labelled(port.metadata.labels, app) } }
      }),
    )
  },
})
