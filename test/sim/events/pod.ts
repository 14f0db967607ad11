// A pod: asked for (and stored, refused afterwards, or only tried), ended, deleted.
import {
  callbackAnnotation,
  clusterNicAnnotation,
  networkAnnotation,
  nicsAnnotation,
  vpcAnnotation,
} from '../../../core/kinds/annotations.ts'
import { happeningKind } from '../happening.ts'
import { addresses, namespaces, podNames, sinks, subnetNames, vpcNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
type Fate = 'stored' | 'refused' | 'dry-run'
interface PodRequest extends Named {
  readonly vpc: string
  readonly nics: object[]
  readonly fate: Fate
  readonly twice: boolean
  readonly callbackURL?: string
  readonly rest: boolean
  /** It has the cluster's own NIC too. */
  readonly delegate?: boolean
  /** Its network is its policy's to say. */
  readonly follows?: boolean
  /** Its label. */
  readonly app?: string
}
export const createPod = happeningKind<PodRequest>({
  name: 'create-pod',
  fault: false,
  weight: 24,
  draw(dice) {
    const namespace = dice.mostly(namespaces)
    const owner = dice.chance(0.75) ? namespace : dice.mostly(namespaces)
    const nic = (): object => ({ subnet: dice.mostly(subnetNames), ...(dice.chance(0.4) && { ip: dice.mostly(addresses) }) })
    return {
      namespace,
      name: dice.mostly(podNames),
      vpc: owner === namespace ? dice.mostly(vpcNames) : `${owner}/${dice.mostly(vpcNames)}`,
      nics: dice.chance(0.15) ? [{ portID: 'door', subnet: dice.mostly(subnetNames) }] : dice.chance(0.25) ? [nic(), nic()] : [nic()],
      fate: dice.chance(0.85) ? 'stored' : dice.pick(['refused', 'dry-run'] as const),
      twice: dice.chance(0.2),
      rest: dice.chance(0.2),
      ...(dice.chance(0.4) && { callbackURL: dice.pick(sinks) }),
      ...(dice.chance(0.4) && { delegate: true }),
      ...(dice.chance(0.15) && { follows: true }),
    }
  },
  run({ namespace, name, vpc, nics, fate, twice, callbackURL, rest, delegate = false, follows = false, app }, { outside, site }) {
    const annotations = {
      [vpcAnnotation]: vpc,
      [nicsAnnotation]: JSON.stringify(follows ? [{ name: 'fast' }] : nics),
      [clusterNicAnnotation]: delegate || follows ? 'delegate' : 'none',
      ...(follows && { [networkAnnotation]: 'policy' }),
      ...(callbackURL !== undefined && { [callbackAnnotation]: callbackURL }),
    }
    const draft = {
      kind: 'Pod' as const,
      metadata: { namespace, name, annotations, ...(app !== undefined && { labels: { app } }) },
      spec: { containers: [{ name: 'app', image: 'app' }] },
    }
    const by = `operator:${namespace}`
    outside.spawn('create-pod', () =>
      site.mode === 'sqlite' || rest ? outside.create(draft, by, { rest: true }) : outside.createPod(draft, by, { fate, twice }),
    )
  },
})

export const endPod = happeningKind<Named>({
  name: 'end-pod',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(podNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.write('kubelet', () => outside.status('Pod', `${namespace}/${name}`, (was) => ({ ...was, phase: 'Succeeded' }), 'kubelet')),
})

export const deletePod = happeningKind<Named>({
  name: 'delete-pod',
  fault: false,
  weight: 9,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(podNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-pod', () => outside.remove({ kind: 'Pod', namespace, name }, `operator:${namespace}`)),
})
