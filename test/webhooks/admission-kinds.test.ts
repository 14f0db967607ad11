import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { nicsAnnotation } from '../../core/kinds/annotations.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import type { buildAdmission } from '../../webhooks/server.ts'
import {
  ask,
  defaulted,
  furnish,
  openAdmission,
  patchIn,
  podWith,
  reviewOf,
  type AdmissionTestServer,
  type Answer,
} from './admission-test-server.ts'

let cluster: AdmissionTestServer
const traceOfReview = '00-705ab4f5639311e8b7cc42010a800002-705ab4f5639311e8-01'
const noted = {
  op: 'add',
  path: '/metadata/annotations',
  value: { 'megrez.io/traceparent': traceOfReview, 'megrez.io/requested-at': '2026-01-01T00:00:00.000Z' },
}
let server: ReturnType<typeof buildAdmission>
const metrics = makeMetrics()
before(async () => {
  cluster = await openAdmission()
  await furnish(cluster)
  await cluster.make('Namespace', 'defaulted', {}, { metadata: defaulted })
  await cluster.make('Vpc', 'defaulted/blue', {})
  await cluster.make(
    'Subnet',
    'defaulted/only',
    { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } },
    { sections: { segment: { validated: true } } },
  )
  server = cluster.server({ metrics })
  await server.ready()
})
after(() => cluster.close())

const at = (answer: Answer): string => answer.status?.details.causes[0]?.field ?? ''

const object = (kind: string, spec: unknown, metadata: object = {}): unknown => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind,
  metadata: { name: 'x', namespace: 'a', ...metadata },
  spec,
})
const own = (kind: string, spec: unknown, more: Readonly<Record<string, unknown>> = {}): unknown =>
  reviewOf(object(kind, spec, more['metadata'] as object), { kind: { group: 'megrez.io', version: 'v1alpha1', kind }, ...more })

describe('our own kinds', () => {
  test('are born with the finalizers of what they hold and of who is to be told', async () => {
    assert.deepEqual(patchIn(await ask(server, '/mutate-objects', own('Vpc', { callbackURL: 'https://example.org' }))), [
      noted,
      { op: 'add', path: '/metadata/finalizers', value: ['megrez.io/vpc', 'megrez.io/notice'] },
    ])
    assert.deepEqual(
      patchIn(
        await ask(
          server,
          '/mutate-objects',
          own('Subnet', { vpc: 'blue', ipv4: { cidr: '10.5.0.0/24' } }, { metadata: { finalizers: ['a/b', 'megrez.io/subnet'] } }),
        ),
      ),
      [noted],
    )
  })
  test('that are being deleted get none back', async () => {
    const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] }
    assert.deepEqual(patchIn(await ask(server, '/mutate-objects', own('Vpc', {}, { operation: 'UPDATE', metadata: going }))), [])
  })
  interface Wrong {
    readonly kind: string
    readonly spec: unknown
    readonly field: string
    readonly says: RegExp
    readonly more?: Readonly<Record<string, unknown>>
  }
  const wrong: Readonly<Record<string, Wrong>> = {
    'a field that there is not': {
      kind: 'Subnet',
      spec: { vpc: 'blue', cidr: '10.5.0.0/24' },
      field: '/spec/cidr',
      says: /is not a field here/,
    },
    'a block with host bits': {
      kind: 'Subnet',
      spec: { vpc: 'blue', ipv4: { cidr: '10.5.0.1/24' } },
      field: '/spec/ipv4/cidr',
      says: /host bits are zero/,
    },
    'a Vpc that there is not': {
      kind: 'Subnet',
      spec: { vpc: 'green', ipv4: { cidr: '10.5.0.0/24' } },
      field: '/spec/vpc',
      says: /Vpc green not found/,
    },
    'an overlap that is known': {
      kind: 'Subnet',
      spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.128/25' } },
      field: '/spec/ipv4/cidr',
      says: /overlaps 10.0.0.0\/24 of Subnet front/,
    },
    'a VNI that is taken': { kind: 'Vpc', spec: { vni: 5000 }, field: '/spec/vni', says: /VNI 5000 belongs to Vpc blue/ },
    'a VLAN that is taken': {
      kind: 'Vpc',
      spec: { vlan: { physicalNetwork: 'physnet1', id: 100 } },
      field: '/spec/vlan',
      says: /VLAN 100 of physical network physnet1 belongs to Vpc tagged/,
    },
    'a Port in no Subnet': { kind: 'Port', spec: { subnet: 'back' }, field: '/spec/subnet', says: /Subnet back not found/ },
    'a Port with an address elsewhere': {
      kind: 'Port',
      spec: { subnet: 'front', ips: ['10.9.9.9'] },
      field: '/spec/ips/0',
      says: /is not in 10.0.0.0\/24/,
    },
    'a private callback': {
      kind: 'SecurityGroup',
      spec: { callbackURL: 'https://192.168.1.1' },
      field: '/spec/callbackURL',
      says: /192\.168\.1\.1 is/,
    },
    'a change of what may not change': {
      kind: 'Subnet',
      spec: { vpc: 'red', ipv4: { cidr: '10.0.0.0/24' } },
      field: '/spec/vpc',
      says: /cannot be changed/,
      more: { operation: 'UPDATE', oldObject: object('Subnet', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } }) },
    },
    'no object': { kind: 'Vpc', spec: {}, field: '', says: /must be an object of kind Vpc/, more: { object: 5 } },
  }
  for (const [name, { kind, spec, field, says, more }] of Object.entries(wrong)) {
    test(`are refused for ${name}`, async () => {
      const answer = await ask(server, '/validate-objects', own(kind, spec, more))
      assert.equal(answer.allowed, false)
      assert.equal(at(answer), field)
      assert.match(answer.status?.message ?? '', says)
    })
  }
  test('that are being deleted are let through, whatever is wrong with them', async () => {
    const old = object('Subnet', { vpc: 'gone' }, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    assert.equal(
      (await ask(server, '/validate-objects', own('Subnet', { vpc: 'gone' }, { operation: 'UPDATE', oldObject: old }))).allowed,
      true,
    )
  })
  test("a portID is one Port's in its Vpc", async () => {
    await cluster.make('Port', 'a/first', { subnet: 'front', portID: 'door' })
    assert.match(
      (await ask(server, '/validate-objects', own('Port', { subnet: 'front', portID: 'door' }))).status?.message ?? '',
      /portID door is that of Port first/,
    )
    assert.equal((await ask(server, '/validate-objects', own('Port', { subnet: 'front', portID: 'window' }))).allowed, true)
  })
})

test('a text that nobody expected is never an answer without a review', async () => {
  const answer = await ask(server, '/validate-pods', reviewOf({ metadata: { annotations: { [nicsAnnotation]: '\u0000' } }, spec: {} }))
  assert.equal(answer.allowed, false)
})

describe('the request behind a review', () => {
  const value = (patch: unknown, name: string): string | undefined => {
    const all = (patch as readonly { readonly path: string; readonly value: unknown }[]).flatMap(({ path, value: given }) =>
      path === '/metadata/annotations'
        ? Object.entries(given as Readonly<Record<string, string>>)
        : [[path.replace('/metadata/annotations/', '').replace('~1', '/'), given as string] as const],
    )
    return all.find(([key]) => key === name)?.[1]
  }
  const given = `00-${'c'.repeat(32)}-00f067aa0ba902b7-01`

  test('is noted by the trace that its API server names, for pods and for objects of ours', async () => {
    for (const [path, review] of [
      ['/mutate-pods', reviewOf(podWith(undefined))],
      ['/mutate-objects', own('Vpc', {})],
    ] as const) {
      const reply = await server.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/json', traceparent: given, tracestate: 'a=b' },
        payload: JSON.stringify(review),
      })
      const patch = patchIn(reply.json<{ response: Answer }>().response)
      assert.deepEqual([value(patch, 'megrez.io/traceparent'), value(patch, 'megrez.io/tracestate')], [given, 'a=b'], path)
    }
  })

  test('is another one where a change wants something else, and none where it wants what is there', async () => {
    const annotations = { 'megrez.io/traceparent': given, 'megrez.io/requested-at': '2025-12-31T00:00:00.000Z' }
    const metadata = { annotations, finalizers: ['megrez.io/vpc'] }
    const old = object('Vpc', { mtu: 1_400 }, metadata)
    const changed = patchIn(
      await ask(server, '/mutate-objects', own('Vpc', { mtu: 1_300 }, { operation: 'UPDATE', oldObject: old, metadata })),
    )
    assert.deepEqual(
      [value(changed, 'megrez.io/traceparent'), value(changed, 'megrez.io/requested-at')],
      [traceOfReview, '2026-01-01T00:00:00.000Z'],
    )
    assert.deepEqual(
      patchIn(await ask(server, '/mutate-objects', own('Vpc', { mtu: 1_400 }, { operation: 'UPDATE', oldObject: old, metadata }))),
      [],
    )
  })
})
