// Inquiries: the node is named, whose agent then answers in a section of its own; when its time is over each is deleted.
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import { inventoryTopic } from '../../../core/kinds/node/inquiry.ts'
import { isExpired, planInquiry, type InquiryAction, type InquiryDesired } from '../../../core/plan/inquiry.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { either, part, specChanges } from '../../watch/predicates.ts'
import { itself } from '../../watch/map-to-keys.ts'

type Inquiry = Resource<'Inquiry'>

export const inquiries: Row<'Inquiry'> = row(
  'Inquiry',
  (on) => [
    on('Inquiry', {
      when: either(
        specChanges,
        part<'Inquiry'>('its answer', (item) => item?.status?.answer),
      ),
      keys: itself,
    }),
  ],
  open,
)

function open(env: Env): Controller<InquiryDesired, undefined, undefined, InquiryAction, Plan<InquiryAction>> {
  const { caches, clock } = env
  /** When this process first saw each, by UID: clocks of two machines are never compared. */
  const seen = new Map<string, number>()
  caches.Inquiry.on(({ before, after }) => {
    if (after === undefined) seen.delete(before!.metadata.uid)
    else if (!seen.has(after.metadata.uid)) seen.set(after.metadata.uid, clock.elapsed())
  })
  const driver = objects<undefined, undefined, InquiryAction>(env.store, 'objects', {
    observe: () => undefined,
    writesOf: ({ inquiry }) => [{ do: 'delete', ref: refOf(inquiry), preconditions: { uid: inquiry.metadata.uid } }],
  })
  return {
    gather(key) {
      const inquiry = caches.Inquiry.get(key)
      if (inquiry === undefined) return undefined
      const place = placeOf(inquiry, env)
      const ageMs = clock.elapsed() - (seen.get(inquiry.metadata.uid) ?? clock.elapsed())
      return { inquiry, ageMs, place, waiting: place !== undefined && 'node' in place ? waitingAt(place.node, env) : 0 }
    },
    driver: () => driver,
    scope: () => undefined,
    // Of what it deletes nothing is reported.
    item: (desired) => (isExpired(desired) ? undefined : desired.inquiry),
    plan: planInquiry,
  }
}

function placeOf({ metadata: { namespace = '' }, spec }: Inquiry, { caches, config }: Env): InquiryDesired['place'] {
  const { about, port: name, node = '' } = spec
  // Admission refuses it of anybody else already.
  if (about === inventoryTopic)
    return namespace === config.namespace ? { node } : { problem: 'an inventory is asked by Megrez alone, in its own namespace' }
  if (name === undefined) return placeOfNode(node, namespace, caches)
  const port = caches.Port.get(`${namespace}/${name}`)
  if (port === undefined) return { problem: `Port ${name} not found in namespace ${namespace}` }
  return port.spec.node === undefined ? undefined : { node: port.spec.node }
}

/** A node that no Port of the namespace is on is not told apart from one that is not there. */
function placeOfNode(node: string, namespace: string, caches: Env['caches']): InquiryDesired['place'] {
  const isThere = [...caches.Port.by('node', node)].some(({ metadata }) => metadata.namespace === namespace)
  return isThere ? { node } : { problem: `no Port of namespace ${namespace} is on a node ${node}` }
}

const waitingAt = (node: string, { caches }: Env): number =>
  [...caches.Inquiry.by('node', node)].filter(({ status }) => status?.answer === undefined).length
