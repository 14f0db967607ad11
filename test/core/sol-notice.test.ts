import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { solNotice } from '../../core/plan/notify/profiles/sol.ts'

const metadata = {
  namespace: 'nfv',
  uid: '6c0a9a52-5b7c-4e1b-8f0d-0a4b1c2d3e4f',
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
}
const subscription = (verbosity: 'FULL' | 'SHORT'): Resource<'Subscription'> => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Subscription',
  metadata: { ...metadata, name: 'nfvo' },
  spec: { sink: 'https://nfvo.example.org/', profile: 'sol', verbosity },
})
function noticeOf(kind: Kind, verbosity: 'FULL' | 'SHORT' = 'FULL', root?: string): Record<string, unknown> {
  const object = { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { ...metadata, name: 'tenant-a' }, spec: {} }
  const { body, headers } = solNotice(
    { eventId: 'event-1', sequence: 2, phase: 'ready', time: '2026-01-01T00:00:00.000Z', object, root },
    subscription(verbosity),
  )
  assert.equal(headers['version'], '1.0.0')
  return JSON.parse(body) as Record<string, unknown>
}

test('an attachment is told with its NetworkAttachmentDefinition as NetAttDefResourceData has it, in full and in short', () => {
  for (const verbosity of ['FULL', 'SHORT'] as const) {
    const body = noticeOf('L2ServiceAttachment', verbosity)
    assert.deepEqual(body['netAttDefResourceData'], [
      {
        netAttDefResourceId: 'nfv/tenant-a',
        resourceHandle: { resourceId: 'tenant-a', vimLevelResourceType: 'NetworkAttachmentDefinition', containerNamespace: 'nfv' },
      },
    ])
    assert.equal('resource' in body, verbosity === 'FULL')
  }
})

test('other kinds are told without one, as operations with states and links of SOL', () => {
  const { netAttDefResourceData, id, subscriptionId, notificationType, operationState, notificationStatus, _links } = noticeOf('Vpc')
  assert.equal(netAttDefResourceData, undefined)
  assert.deepEqual(
    [id, subscriptionId, notificationType, operationState, notificationStatus],
    ['event-1', metadata.uid, 'VpcStateChangeNotification', 'COMPLETED', 'RESULT'],
  )
  assert.deepEqual(_links, {
    subscription: { href: '/v1/namespaces/nfv/sol/subscriptions/6c0a9a52-5b7c-4e1b-8f0d-0a4b1c2d3e4f' },
    resource: { href: '/v1/namespaces/nfv/vpcs/tenant-a' },
  })
  const own = 'https://megrez.example.org/nfv'
  assert.deepEqual(
    noticeOf('Vpc', 'FULL', own)['_links'],
    {
      subscription: { href: `${own}/v1/namespaces/nfv/sol/subscriptions/${metadata.uid}` },
      resource: { href: `${own}/v1/namespaces/nfv/vpcs/tenant-a` },
    },
    'whole where it is known where REST is',
  )
})
