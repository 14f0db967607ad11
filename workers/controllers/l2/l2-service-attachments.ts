// L2ServiceAttachments: their NetworkAttachmentDefinitions.
import type { Write } from '../../../core/contracts/store.ts'
import { keyOfItem, refOf, type Resource } from '../../../core/kinds/index.ts'
import { planAttachment, type AttachmentDesired, type AttachmentObserved, type DefinitionAction } from '../../../core/plan/l2/attachment.ts'
import { domainNameOf } from '../../../core/plan/l2/service.ts'
import { planAttachmentPolicy, type AttachmentPolicyDesired } from '../../../core/plan/l2/attachment-policy.ts'
import type { PolicyAction } from '../../../core/plan/policy/port-policy.ts'
import { networksOf } from '../../../core/plan/pod/networks.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { refused, type Plan } from '../../../core/plan/plan.ts'
import type { Blockers } from '../../../core/plan/vpc/blockers.ts'
import { blockersAmong } from '../../gather/deletion-blockers.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { attachmentPolicyOf } from '../../gather/attachment-policy.ts'
import { podsOf, refusalIn, sharedWith, usedServices } from '../../gather/l2-users.ts'
import { identityWrites } from '../../providers/port-driver.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { attachmentPolicyWatches } from './attachment-policy-watches.ts'
import { changes, specChanges } from '../../watch/predicates.ts'
import { asItWas, by, every, itself, known, named, through } from '../../watch/map-to-keys.ts'
import { attachmentsItUses, attachmentsOnIt, letsGoOfNetworks, trunksBesideIt } from '../../watch/l2-keys.ts'
import {
  domainChanges,
  isGoingInIt,
  keyOfHolder,
  namespaceBeginsToGo,
  own,
  servicePhaseChanges,
  subnetPhaseChanges,
} from '../../watch/compared-fields.ts'

type Attachment = Resource<'L2ServiceAttachment'>

const ofService = by<'L2Service', 'L2ServiceAttachment'>('L2ServiceAttachment', 'l2Service', own)

export const l2Attachments: Row<'L2ServiceAttachment'> = row(
  'L2ServiceAttachment',
  (on) => [
    on('L2ServiceAttachment', { when: specChanges, keys: itself }),
    on('L2ServiceAttachment', { when: specChanges, keys: trunksBesideIt }),
    on('Namespace', { when: namespaceBeginsToGo, keys: every('L2ServiceAttachment', isGoingInIt) }),
    on('L2Service', { when: servicePhaseChanges, keys: ofService }),
    on('L2BridgeDomain', { when: domainChanges, keys: by('L2ServiceAttachment', 'l2Service', ({ spec }) => [keyOfHolder(spec.holder)]) }),
    on('ConnectionPoint', { when: specChanges, keys: attachmentsOnIt }),
    on('Subnet', { when: subnetPhaseChanges, keys: through(by('L2Service', 'subnet', own), ofService) }),
    on('NetworkAttachmentDefinition', { when: changes, keys: named('L2ServiceAttachment', 'the one of its name', own, known) }),
    on('Pod', { when: letsGoOfNetworks, keys: asItWas(attachmentsItUses) }),
    ...attachmentPolicyWatches(on),
  ],
  open,
)

type Desired = AttachmentDesired & { readonly policy: AttachmentPolicyDesired | undefined }
type Action = DefinitionAction | PolicyAction

function open(env: Env): Controller<Desired, Desired, AttachmentObserved, Action, Plan<Action>> {
  const { caches, store } = env
  const driver = objects<Desired, AttachmentObserved, Action>(store, 'definitions', {
    // Live: its cache need not follow, as a cluster without Multus does not have the kind.
    observe: async ({ attachment }) => ({ definition: await store.get({ ...refOf(attachment), kind: 'NetworkAttachmentDefinition' }) }),
    writesOf,
  })
  return {
    async gather(key) {
      const attachment = caches.L2ServiceAttachment.get(key)
      if (attachment === undefined) return undefined
      return {
        attachment,
        point: caches.ConnectionPoint.get(attachment.spec.connectionPoint),
        services: usedServices(attachment, caches),
        refusal: refusalIn(attachment, caches),
        shared: sharedWith(attachment, caches),
        blockers: await blockersOf(attachment, env),
        policy: attachmentPolicyOf(attachment, env),
      }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ attachment }) => attachment,
    basis: ({ services }) =>
      services.flatMap(({ service }) =>
        service === undefined ? [] : [refOf(service), { kind: 'L2BridgeDomain' as const, name: domainNameOf(service) }],
      ),
    plan: (desired, observed) => withPolicy(planAttachment(desired, observed), desired),
    // A pod that is told of a VLAN uses it at once, whether by the status or by the definition.
    needsLive: ({ attachment }, { phase, steps }) =>
      phase === 'ready' && (steps.length > 0 || attachment.status?.phase !== 'ready') ? [] : undefined,
    refusal: (message) => refused('Refused', message),
  }
}

/** What makes an identity known may come unnoticed. */
const identityAgainMs = 5_000

/** Beside the rest, whatever that waits for: its pods run. */
function withPolicy(plan: Plan<DefinitionAction>, { attachment, policy }: Desired): Plan<Action> {
  if (policy === undefined) return plan
  const { steps, section, waitsFor } = planAttachmentPolicy(attachment, policy)
  return {
    ...plan,
    steps: [...plan.steps, ...steps],
    sections: { ...plan.sections, policy: section },
    ...(waitsFor !== undefined && { waitsFor, requeueAfterMs: identityAgainMs }),
  }
}

/** Pods on its definition; where the cache knows none, those of its namespace are asked for. */
async function blockersOf(attachment: Attachment, env: Env): Promise<Blockers | undefined> {
  if (attachment.metadata.deletionTimestamp === undefined) return undefined
  const cached = podsOf(attachment, env.caches)
  const key = keyOfItem(attachment)
  const pods =
    cached.length > 0
      ? cached
      : (await env.store.list('Pod', { namespace: attachment.metadata.namespace ?? '' })).items.filter(
          (pod) => !isPodFinished(pod) && networksOf(pod).includes(key),
        )
  return blockersAmong(
    attachment,
    pods.map((pod) => pod.metadata.name),
    env,
  )
}

function writesOf(action: Action): readonly Write[] {
  switch (action.do) {
    case 'makeIdentity':
    case 'keepIdentity':
      return identityWrites(action)
    case 'makeDefinition':
      return [{ do: 'create', draft: action.draft }]
    case 'repairDefinition': {
      const { definition, draft } = action
      const annotations = { ...definition.metadata.annotations, ...draft.metadata.annotations }
      const { ownerReferences = [] } = draft.metadata
      return [
        {
          do: 'update',
          item: {
            ...definition,
            metadata: { ...definition.metadata, annotations, ownerReferences },
            spec: { ...definition.spec, ...draft.spec },
          },
        },
      ]
    }
    case 'deleteDefinition': {
      const { uid, resourceVersion } = action.definition.metadata
      return [{ do: 'delete', ref: refOf(action.definition), preconditions: { uid, resourceVersion } }]
    }
  }
}
