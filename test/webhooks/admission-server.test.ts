import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import supertest from 'supertest'
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

const uid = '705ab4f5-6393-11e8-b7cc-42010a800002'
const at = (answer: Answer): string => answer.status?.details.causes[0]?.field ?? ''
const counted = async (how: string): Promise<number> => {
  const { values } = (await metrics.registry.getMetricsAsJSON()).find(
    ({ name }) => name === 'megrez_admission_reviews_total',
  ) as unknown as { values: { value: number; labels: { path: string; how: string } }[] }
  return values.find(({ labels }) => labels.path === '/mutate-pods' && labels.how === how)?.value ?? 0
}

describe('a review', () => {
  test('is answered with its UID, a patch and its type', async () => {
    const answer = await ask(server, '/mutate-pods', reviewOf(podWith(undefined)))
    assert.equal(answer.uid, uid)
    assert.equal(answer.allowed, true)
    assert.equal(answer.patchType, 'JSONPatch')
    assert.deepEqual(patchIn(answer), [
      { op: 'add', path: '/metadata/annotations/megrez.io~1nics', value: '[{"name":"eth0","subnet":"front"}]' },
      { op: 'add', path: '/metadata/annotations/megrez.io~1traceparent', value: traceOfReview },
      { op: 'add', path: '/metadata/annotations/megrez.io~1requested-at', value: '2026-01-01T00:00:00.000Z' },
      { op: 'add', path: '/metadata/labels', value: { 'megrez.io/managed': 'true' } },
    ])
  })
  test('of a faulty pod is refused at the field, in both admissions', async () => {
    for (const path of ['/mutate-pods', '/validate-pods']) {
      const answer = await ask(server, path, reviewOf(podWith([{ ip: '10.0.9.9' }])))
      assert.equal(answer.allowed, false)
      assert.equal(answer.status?.code, 422)
      assert.equal(answer.status.message, '/metadata/annotations/megrez.io~1nics/0/ip: 10.0.9.9 is not in 10.0.0.0/24 of Subnet front')
      assert.equal(at(answer), '/metadata/annotations/megrez.io~1nics/0/ip')
    }
  })
  test('with dryRun writes nothing', async () => {
    const answer = await ask(server, '/validate-pods', reviewOf(podWith([{ ip: '10.0.0.44' }]), { dryRun: true }))
    assert.equal(answer.allowed, true)
    assert.deepEqual((await cluster.store.list('IPLock')).items, [])
  })
  test('keeps an address, and warnings are told', async () => {
    const answer = await ask(
      server,
      '/validate-pods',
      reviewOf(podWith([{ ip: '10.0.0.45' }], { annotations: { 'megrez.io/cluster-nic': 'none' } })),
    )
    assert.equal(answer.allowed, true)
    assert.match(answer.warnings?.[0] ?? '', /probes/)
    assert.ok((await cluster.store.list('IPLock')).items.some(({ spec }) => spec.address === '10.0.0.45'))
  })
  test('of anything but the making of a pod, and a change of its hot NICs, is let through', async () => {
    const change = { operation: 'UPDATE', oldObject: podWith('broken') }
    for (const more of [{ operation: 'DELETE', object: null }, change, { subResource: 'status' }]) {
      assert.equal((await ask(server, '/validate-pods', reviewOf(podWith('broken'), more))).allowed, true)
    }
  })
  test('a pod whose namespace is only in the request is judged there', async () => {
    const { namespace: _, ...metadata } = podWith(undefined).metadata
    assert.equal((await ask(server, '/mutate-pods', reviewOf({ metadata, spec: {} }))).allowed, true)
  })
})

describe('a pod that is not ours', () => {
  const plain = { metadata: { name: 'web', annotations: { 'example.org/x': 'y' } }, spec: { containers: [{ name: 'a' }] } }
  test('is answered without being parsed', async () => {
    const [skipped, parsed] = [await counted('skipped'), await counted('parsed')]
    assert.deepEqual(await ask(server, '/mutate-pods', reviewOf(plain)), { uid, allowed: true })
    assert.equal(await counted('skipped'), skipped + 1)
    assert.equal(await counted('parsed'), parsed)
  })
  test('is parsed where its namespace is defaulted, and gets its Nic', async () => {
    const answer = await ask(server, '/mutate-pods', reviewOf(plain, { namespace: 'defaulted' }))
    assert.match(JSON.stringify(patchIn(answer)), /only/)
  })
  test('is parsed where a key could be spelt with escapes', async () => {
    const text = JSON.stringify(reviewOf(podWith(undefined))).replaceAll('megrez.io/', 'megrez\\u002eio/')
    assert.match(JSON.stringify(patchIn(await ask(server, '/mutate-pods', text))), /front/)
  })
  test('is parsed where the review is not written as the API server writes it', async () => {
    const parsed = await counted('parsed')
    assert.deepEqual(await ask(server, '/mutate-pods', JSON.stringify(reviewOf(plain), null, 1)), { uid, allowed: true })
    assert.equal(await counted('parsed'), parsed + 1)
  })
  test('is answered the same when the namespace of the object says otherwise', async () => {
    const other = { ...plain, metadata: { ...plain.metadata, namespace: 'defaulted' } }
    assert.deepEqual(await ask(server, '/mutate-pods', reviewOf(other)), { uid, allowed: true })
  })
})

/** What comes in, where the fault is, and in which words. */
const malformed: Readonly<Record<string, { body: string | Buffer; field: string; says: RegExp; uid?: string }>> = {
  'broken JSON': {
    body: JSON.stringify(reviewOf(podWith([]))).replace('"operation":"CREATE"', '"operation":CREATE'),
    field: '/request/operation',
    says: /^\/request\/operation: is not JSON: found "CREATE/,
    uid,
  },
  'a review that ends too soon': {
    body: JSON.stringify(reviewOf(podWith([]))).slice(0, 500),
    field: '/request',
    says: /is not JSON: found/,
    uid,
  },
  'no JSON at all': { body: 'megrez.io/vpc: blue', field: '', says: /is not JSON: found "megrez.io\/vp" at position 0/ },
  nothing: { body: '', field: '', says: /has no body/ },
  'a list': { body: '[]', field: '', says: /must be an AdmissionReview, not a list of 0/ },
  null: { body: 'null', field: '', says: /must be an AdmissionReview, not null/ },
  'another kind': {
    body: JSON.stringify({ ...reviewOf({}), kind: 'TokenReview' }),
    field: '/kind',
    says: /must be AdmissionReview, not "TokenReview"/,
    uid,
  },
  'another version': {
    body: JSON.stringify({ ...reviewOf({}), apiVersion: 'admission.k8s.io/v1beta1' }),
    field: '/apiVersion',
    says: /must be admission.k8s.io\/v1, not/,
    uid,
  },
  'no request': {
    body: JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }),
    field: '/request',
    says: /must be an object, not absent/,
  },
  'no UID': { body: JSON.stringify(reviewOf(podWith([]), { uid: 7 })), field: '/request/uid', says: /must be a text, not 7/ },
  'an operation that there is not': {
    body: JSON.stringify(reviewOf(podWith([]), { operation: 'MAKE' })),
    field: '/request/operation',
    says: /must be one of CREATE/,
    uid,
  },
  '__proto__ in the object': {
    body: JSON.stringify(reviewOf(podWith([]))).replace('"spec":{', '"spec":{"__proto__":{"hostNetwork":true},'),
    field: '/request/object/spec/__proto__',
    says: /is not a field of anything/,
    uid,
  },
  '__proto__ in escapes': {
    body: JSON.stringify(reviewOf(podWith([]))).replace('"spec":{', '"spec":{"\\u005f_proto__":{},'),
    field: '/request/object/spec/__proto__',
    says: /is not a field of anything/,
    uid,
  },
  'no pod': { body: JSON.stringify(reviewOf(null, { x: 'megrez.io/' })), field: '', says: /must be an object, not absent/, uid },
  'a pod without a spec': {
    body: JSON.stringify(reviewOf({ metadata: podWith([]).metadata })),
    field: '/spec',
    says: /must be an object, not absent/,
    uid,
  },
  'annotations that are no texts': {
    body: JSON.stringify(reviewOf({ metadata: { annotations: { 'megrez.io/vpc': 7 } }, spec: {} })),
    field: '/metadata/annotations/megrez.io~1vpc',
    says: /must be a text, not 7/,
    uid,
  },
  'containers that are no list': {
    body: JSON.stringify(reviewOf({ ...podWith([]), spec: { containers: {} } })),
    field: '/spec/containers',
    says: /must be a list, not an object/,
    uid,
  },
  'a million brackets': { body: `{"megrez.io/":${'['.repeat(1_000_000)}`, field: '', says: /is not JSON/ },
  'a pod of a million brackets': {
    body: JSON.stringify(reviewOf({ metadata: {}, spec: { x: 'megrez.io/', y: 'deep' } }))
      .replace('"deep"', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`)
      .replace('"uid"', '"\\u0075id"'),
    field: 'allowed',
    says: /x/,
    uid,
  },
}

describe('malformed input is answered with a review', () => {
  for (const [name, { body, field, says, uid: wanted }] of Object.entries(malformed)) {
    test(name, async () => {
      const answer = await ask(server, '/mutate-pods', body)
      if (field === 'allowed') return assert.deepEqual(answer, { uid, allowed: true })
      assert.equal(answer.allowed, false)
      assert.equal(answer.uid, wanted ?? '')
      assert.match(answer.status?.message ?? '', says)
      if (field !== '') assert.equal(at(answer).slice(0, field.length), field)
    })
  }
  test('a wrong content type', async () => {
    for (const type of ['text/yaml', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const { body, status } = await supertest(server.server)
        .post('/validate-pods')
        .set('content-type', type)
        .send(JSON.stringify(reviewOf(podWith([]))))
      const { response } = JSON.parse(typeof body === 'string' ? body : JSON.stringify(body)) as { response: Answer }
      assert.equal(status, 200)
      assert.equal(response.uid, uid)
      assert.match(response.status?.message ?? '', /Content-Type must be application\/json, not/)
    }
  })
  test('a content type with parameters, in capitals, is right', async () => {
    const { body } = (await supertest(server.server)
      .post('/mutate-pods')
      .set('content-type', 'Application/JSON; charset=utf-8')
      .send(JSON.stringify(reviewOf(podWith([]))))) as { body: { response: Answer } }
    assert.equal(body.response.allowed, true)
  })
  test('more than the limit', async () => {
    const answer = await ask(server, '/mutate-pods', Buffer.alloc(8 * 1024 * 1024 + 1, 0x20))
    assert.match(answer.status?.message ?? '', /larger than 8388608 bytes/)
  })
  test('as much as the limit is read', async () => {
    const text = JSON.stringify(reviewOf(podWith([])))
    assert.equal(
      (await ask(server, '/mutate-pods', Buffer.concat([Buffer.alloc(8 * 1024 * 1024 - text.length, 0x20), Buffer.from(text)]))).allowed,
      true,
    )
  })
  test('another method, another address', async () => {
    for (const [method, url, says] of [
      ['GET', '/mutate-pods', /GET is not taken here/],
      ['POST', '/mutate', /nothing is served at \/mutate; addresses here end with/],
      ['DELETE', '/', /nothing is served/],
    ] as const) {
      const reply = await server.inject({ method, url })
      assert.equal(reply.statusCode, 200)
      assert.match(reply.json<{ response: Answer }>().response.status?.message ?? '', says)
    }
  })
})

test('a store that does not answer is a refusal with its reason, not a failed call', async () => {
  const { StoreUnavailable } = await import('../../core/errors.ts')
  const store = {
    ...cluster.store,
    get: () => Promise.reject(new StoreUnavailable({ reason: 'gone for lunch' })),
  } as unknown as typeof cluster.store
  const answer = await ask(cluster.server({ store }), '/validate-pods', reviewOf(podWith([{ ip: '10.0.0.99' }])))
  assert.equal(answer.status?.code, 503)
  assert.match(answer.status.message, /gone for lunch/)
})

test('health says what is missing', async () => {
  let missing: string[] = ['caches']
  const own = cluster.server({ problems: () => missing })
  const alive = await own.inject('/livez')
  assert.deepEqual([alive.statusCode, alive.body], [200, 'ok\ncaches\n'], 'a new start mends nothing of it')
  const unready = await own.inject('/readyz')
  assert.deepEqual([unready.statusCode, unready.body], [503, 'caches\n'])
  missing = []
  assert.equal((await own.inject('/readyz')).statusCode, 200)
  assert.match((await server.inject('/metrics')).body, /megrez_admission_reviews_total\{path="\/mutate-pods",how="skipped"\}/)
})
