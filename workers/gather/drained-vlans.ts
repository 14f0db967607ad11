// Which VLANs of before, of an L2Service that was given another, no definition says any more.
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { vlansIn } from '../../core/plan/l2/definitions.ts'
import { domainNameOf } from '../../core/plan/l2/service.ts'
import type { Env } from '../controller-env.ts'
import type { Consumer } from './l2-users.ts'

/** @returns whether a VLAN of before is one; where none is waited for, nothing is read and the answer is no */
export async function followedBy(
  consumers: readonly Consumer[],
  service: Resource<'L2Service'>,
  env: Env,
): Promise<(before: number) => boolean> {
  const { draining = [] } = env.caches.L2BridgeDomain.get(domainNameOf(service))?.spec ?? {}
  if (draining.every(({ since }) => since !== undefined)) return () => false
  const answers = await Promise.all(consumers.map(({ attachment }) => answerOf(attachment, service, env)))
  return (before) => answers.every((vlans) => vlans !== 'unknown' && !vlans.includes(before))
}

/**
 * One that cannot follow, as another of its L2Services is missing, say, goes on saying what it said: by its status, and by the definition
 * itself, which stands before the status does. Who has no definition has none of before either.
 */
async function answerOf(
  attachment: Resource<'L2ServiceAttachment'>,
  service: Resource<'L2Service'>,
  { store }: Env,
): Promise<readonly number[] | 'unknown'> {
  const { vlans, phase } = attachment.status ?? {}
  if (phase === 'ready') return vlans?.includes(service.spec.segmentationID) === true ? [] : 'unknown'
  const found = await store.get({ ...refOf(attachment), kind: 'NetworkAttachmentDefinition' })
  return [...(vlans ?? []), ...(found === undefined ? [] : vlansIn(found))]
}
