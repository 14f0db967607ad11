// BGPSpeakers: what each node says and hears. A key is the name of a node.
import type { Write } from '../../../core/contracts/store.ts'
import { refFromKey, refOf, type Resource } from '../../../core/kinds/index.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { planSpeaker, saysLess, unheardNodes, type SpeakerAction, type SpeakerDesired } from '../../../core/plan/bgp/speaker.ts'
import type { Env } from '../../controller-env.ts'
import { objects } from '../../drivers/store-objects.ts'
import { bgpBasis, bgpNetOf, egressOn, portsOn, servicesIn, subnetsOn } from './bgp-net.ts'
import type { Controller } from '../../loop/controller.ts'
import type { LiveKind } from '../../loop/live-reads.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { subnetChanges } from '../../watch/compared-fields.ts'
import { changes, specChanges } from '../../watch/predicates.ts'
import { itself } from '../../watch/map-to-keys.ts'
import {
  addressesMove,
  nodeSpeaksOtherwise,
  portMoves,
  speakerOfEachNode,
  speakerOfEgress,
  speakerOfNode,
  speakerOfPort,
  speakersOfLock,
  speakersOfServices,
  speakersOfSubnet,
  speakersOfVpc,
  vpcAgreesOtherwise,
} from './bgp-watches.ts'

export const bgpSpeakers: Row<'BGPSpeaker'> = row(
  'BGPSpeaker',
  (on) => [
    on('BGPSpeaker', { when: specChanges, keys: itself }),
    on('Node', { when: nodeSpeaksOtherwise, keys: speakerOfNode }),
    on('BGPSessionGroup', { when: specChanges, keys: speakerOfEachNode }),
    on('Vpc', { when: vpcAgreesOtherwise, keys: speakersOfVpc }),
    on('Subnet', { when: subnetChanges, keys: speakersOfSubnet }),
    // A Port that its pod's pass has made whole is news to its node.
    on('Port', { when: portMoves, keys: speakerOfPort, hearsMade: true }),
    on('ServiceAddress', { when: addressesMove, keys: speakersOfServices }),
    on('EgressAddress', { when: specChanges, keys: speakerOfEgress }),
    on('PrefixLock', { when: changes, keys: speakersOfLock }),
  ],
  open,
)

function open(env: Env): Controller<SpeakerDesired, undefined, undefined, SpeakerAction, Plan<SpeakerAction>> {
  const { caches, store } = env
  const driver = objects<undefined, undefined, SpeakerAction>(store, 'objects', { observe: () => undefined, writesOf })
  return {
    gather(name) {
      const subnetsHere = subnetsOn(name, env)
      return {
        name,
        node: caches.Node.get(name),
        speaker: caches.BGPSpeaker.get(name),
        nodes: [...caches.Node.values()],
        net: bgpNetOf(env),
        subnetsHere,
        services: servicesIn(subnetsHere, env),
        egress: egressOn(name, env),
        subnetsOf: ({ metadata }) => caches.Subnet.by('vpc', `${metadata.namespace}/${metadata.name}`),
      }
    },
    driver: () => driver,
    scope: () => undefined,
    item: () => undefined,
    basis: (desired) => [
      refFromKey('BGPSpeaker', desired.name),
      ...[desired.name, ...unheardNodes(desired)].map((name) => refFromKey('Node', name)),
      ...bgpBasis(
        new Set([...desired.subnetsHere, ...[...desired.services, ...desired.egress].map(({ spec }) => spec.subnet)]),
        desired.net,
      ),
    ],
    plan: planSpeaker,
    // A worker that hears late would begin to say what it may not, or take back what another has just said, and the two would not end.
    needsLive: ({ name }, plan) =>
      plan.steps.length === 0 ? undefined : ['BGPSessionGroup', ...(saysLess(plan) ? [portsOn(name), egressAt(name)] : [])],
  }
}

const egressAt = (node: string): LiveKind => ({
  kind: 'EgressAddress',
  within: { fields: { '.spec.node': node } },
  isWithin: (item) => (item as Resource<'EgressAddress'>).spec.node === node,
})

function writesOf(action: SpeakerAction): readonly Write[] {
  switch (action.do) {
    case 'makeSpeaker':
      return [{ do: 'create', draft: { kind: 'BGPSpeaker', metadata: { name: action.spec.node }, spec: action.spec } }]
    case 'changeSpeaker':
      return [{ do: 'update', item: { ...action.speaker, spec: action.spec } }]
    case 'deleteSpeaker': {
      const { uid, resourceVersion } = action.speaker.metadata
      return [{ do: 'delete', ref: refOf(action.speaker), preconditions: { uid, resourceVersion } }]
    }
  }
}
