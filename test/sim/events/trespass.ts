// A tenant asks REST for what is another's, and for what is ours to say of his own Ports: he is refused, whatever it is.
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { happeningKind } from '../happening.ts'
import {
  hostile,
  inquiryNames,
  nodeNames,
  podNames,
  portNames,
  subnetNames,
  subscriptionNames,
  vnis,
  vpcNames,
  vpcVlans,
} from '../layout.ts'

interface Trespass {
  readonly victim: string
  readonly kind: 'Vpc' | 'Subnet' | 'Port' | 'Pod' | 'Subscription' | 'Inquiry'
  readonly name: string
  readonly does: 'read' | 'edit' | 'delete'
}
const namesOf = {
  Vpc: vpcNames,
  Subnet: subnetNames,
  Port: portNames,
  Pod: podNames,
  Subscription: subscriptionNames,
  Inquiry: inquiryNames,
} as const
const victims = ['a', 'b'] as const
const thief = `provider:${hostile}`

export const trespass = happeningKind<Trespass>({
  name: 'trespass',
  fault: false,
  weight: 4,
  draw(dice) {
    const kind = dice.pick(Object.keys(namesOf) as Trespass['kind'][])
    return {
      victim: dice.mostly(victims),
      kind,
      name: dice.mostly<string>(namesOf[kind]),
      does: dice.pick(['read', 'edit', 'delete'] as const),
    }
  },
  run({ victim: namespace, kind, name, does }, { outside }) {
    const ref = { kind: kind as Kind, namespace, name }
    const labelled = (item: Resource): Resource => ({ ...item, metadata: { ...item.metadata, labels: { owner: hostile } } })
    outside.forbidden(`${does} ${kind} ${namespace}/${name}`, () => {
      if (does === 'read') return outside.read(ref, thief)
      return does === 'edit' ? outside.edit(ref, thief, labelled, { rest: true }) : outside.remove(ref, thief, { rest: true })
    })
  },
})

type Spec = Resource<'Port'>['spec']
const forgeries = {
  claim: (pod: string, podUID: string): Partial<Spec> => ({ claim: { pod, nic: 'eth0', owner: `Pod/${pod}`, podUID } }),
  podUID: (_: string, podUID: string): Partial<Spec> => ({ podUID }),
  node: (node: string): Partial<Spec> => ({ node }),
} as const

/** Of his own Port: who it is for, whose it is, and, once it is made, where it is. */
export const forgeEdit = happeningKind<{ readonly nth: number; readonly field: keyof typeof forgeries; readonly to: string }>({
  name: 'forge-edit',
  fault: false,
  weight: 3,
  draw(dice) {
    const field = dice.pick(Object.keys(forgeries) as (keyof typeof forgeries)[])
    return { nth: dice.int(3), field, to: field === 'node' ? dice.pick(nodeNames) : dice.pick(podNames) }
  },
  run({ nth, field, to }, { outside, site }) {
    const mine = [...site.truth.values('Port')].filter(({ metadata }) => metadata.namespace === hostile)
    const port = mine[nth % mine.length]?.metadata.name
    if (port === undefined) return
    const uid = site.uid()
    outside.forbidden(`edit ${field} of Port ${hostile}/${port}`, () =>
      outside.edit(
        { kind: 'Port', namespace: hostile, name: port },
        `operator:${hostile}`,
        (item) => (item.spec.node === to ? undefined : { ...item, spec: { ...item.spec, ...forgeries[field](to, uid) } }),
        { rest: true },
      ),
    )
  },
})

/** A VNI or a VLAN of his own choice, which a provider alone may name. */
export const forgeVni = happeningKind<{ readonly name: string; readonly vni: number; readonly vlan?: number }>({
  name: 'forge-vni',
  fault: false,
  weight: 1,
  draw: (dice) => ({ name: dice.pick(vpcNames), vni: dice.pick(vnis), ...(dice.chance(0.5) && { vlan: dice.pick(vpcVlans) }) }),
  run({ name, vni, vlan }, { outside }) {
    const spec = vlan === undefined ? { vni } : { vlan: { physicalNetwork: 'default', id: vlan } }
    outside.forbidden(`make Vpc ${hostile}/${name} with VNI ${vni}${vlan === undefined ? '' : `, or VLAN ${vlan}`}`, () =>
      outside.create({ kind: 'Vpc', metadata: { namespace: hostile, name }, spec }, `operator:${hostile}`, { rest: true }),
    )
  },
})
