import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => (rest = await openHarness()))
after(() => rest.close())

const vpc = (name: string, spec: object = {}, more: object = {}) => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Vpc',
  metadata: { name, ...more },
  spec,
})
const pointers = (answer: Answer) => answer.problem.errors?.map((each) => each.pointer)
const etagOf = async (path: string): Promise<string> => String((await rest.ask(`GET ${path}`)).headers['etag'])

describe('one object', () => {
  test('is made with defaults and finalizers, and found where Location says', async () => {
    const made = await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('blue', {}, { labels: { tier: 'web' } }) })
    assert.equal(made.status, 201)
    assert.equal(made.headers['location'], '/v1/namespaces/one/vpcs/blue')
    assert.deepEqual(made.body['spec'], { provider: 'builtin' })
    assert.deepEqual((made.body['metadata'] as { finalizers: string[] }).finalizers, ['megrez.io/vpc'])
    const got = await rest.ask('GET /v1/namespaces/one/vpcs/blue')
    assert.equal(got.status, 200)
    assert.deepEqual(got.body, made.body)
    assert.match(String(got.headers['etag']), /^"[0-9a-f-]{36}\.\d+\.[\w-]+\.\d+"$/)
    assert.equal(got.headers['etag'], made.headers['etag'])
  })

  test('need not repeat what the address says, and must not contradict it', async () => {
    assert.equal((await rest.ask('POST /v1/namespaces/one/vpcs', { body: { metadata: { name: 'terse' }, spec: {} } })).status, 201)
    const wrong = await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('x', {}, { namespace: 'two' }) })
    assert.equal(wrong.status, 422)
    assert.deepEqual(pointers(wrong), ['/metadata/namespace'])
    const kind = await rest.ask('POST /v1/namespaces/one/vpcs', { body: { ...vpc('x'), kind: 'Subnet', apiVersion: 'v1' } })
    assert.deepEqual(pointers(kind), ['/apiVersion', '/kind'])
  })

  test('of a kind that is not ours is held to as much as its contract says', async () => {
    const definition = (spec: object) =>
      rest.ask('POST /v1/namespaces/one/network-attachment-definitions', {
        body: { apiVersion: 'k8s.cni.cncf.io/v1', kind: 'NetworkAttachmentDefinition', metadata: { name: 'nad' }, spec },
      })
    for (const config of [null, 5, {}, ['{}']]) assert.deepEqual(pointers(await definition({ config })), ['/spec/config'])
    assert.deepEqual(pointers(await definition({ config: '{}', 'a/b': 1 })), ['/spec/a~1b'])
    assert.equal((await definition({ config: '{}' })).status, 201)
  })

  test('of a name that is taken is refused as a conflict', async () => {
    const again = await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('blue') })
    assert.equal(again.status, 409)
    assert.equal(again.headers['content-type'], 'application/problem+json')
    assert.deepEqual(again.problem, {
      type: 'https://megrez.io/errors/already-exists',
      title: 'Already exists',
      status: 409,
      detail: 'Vpc one/blue already exists',
      code: 'already-exists',
    })
  })

  test('may leave its name to us', async () => {
    const made = await rest.ask('POST /v1/namespaces/one/vpcs', { body: { metadata: { generateName: 'blue-' }, spec: {} } })
    assert.match((made.body['metadata'] as { name: string }).name, /^blue-[a-z0-9]{5}$/)
  })

  test('is refused with every fault and its pointer', async () => {
    const wrong = await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('Blue', { vni: 0, mtu: '1500', vnis: 4 }, { lables: {} }) })
    assert.equal(wrong.status, 422)
    assert.equal(wrong.problem.code, 'invalid')
    assert.deepEqual(pointers(wrong)?.sort(), ['/metadata/lables', '/metadata/name', '/spec/mtu', '/spec/vni', '/spec/vnis'])
    assert.equal(await rest.store.get({ kind: 'Vpc', namespace: 'one', name: 'Blue' }), undefined)
  })

  test('breaks a rule, and is told which', async () => {
    const wrong = await rest.ask('POST /v1/namespaces/one/subnets', {
      body: { metadata: { name: 's' }, spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.1/24' } } },
    })
    assert.deepEqual(wrong.problem.errors, [
      { pointer: '/spec/ipv4/cidr', detail: 'must be an IPv4 block whose host bits are zero, such as 10.0.0.0/24' },
    ])
  })

  test('speaks of another that is not there', async () => {
    const wrong = await rest.ask('POST /v1/namespaces/one/subnets', {
      body: { metadata: { name: 's' }, spec: { vpc: 'nowhere', ipv4: { cidr: '10.0.0.0/24' } } },
    })
    assert.deepEqual(pointers(wrong), ['/spec/vpc'])
  })

  test('asks us to call where nobody may be called', async () => {
    const wrong = await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('caller', { callbackURL: 'https://169.254.169.254/' }) })
    assert.deepEqual(pointers(wrong), ['/spec/callbackURL'])
  })

  test('that asks by an edit to be told is kept until its end is told', async () => {
    await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('silent') })
    const path = '/v1/namespaces/one/vpcs/silent'
    const edited = await rest.ask(`PATCH ${path}`, {
      body: { spec: { callbackURL: 'https://hooks.example/' } },
      headers: { 'if-match': '*' },
    })
    assert.equal(edited.status, 200)
    assert.deepEqual((edited.body['metadata'] as { finalizers: string[] }).finalizers, ['megrez.io/vpc', 'megrez.io/notice'])
    assert.deepEqual((await rest.ask(`GET ${path}`)).body, edited.body)
  })

  test('is only tried with dryRun', async () => {
    const tried = await rest.ask('POST /v1/namespaces/one/vpcs?dryRun=true', { body: vpc('dry') })
    assert.equal(tried.status, 201)
    assert.deepEqual(tried.body['spec'], { provider: 'builtin' })
    assert.equal(await rest.store.get({ kind: 'Vpc', namespace: 'one', name: 'dry' }), undefined)
    assert.equal((await rest.ask('POST /v1/namespaces/one/vpcs?dryRun=true', { body: vpc('blue') })).status, 409)
  })

  test('that would cost more to read than to send is refused before it is read', async () => {
    const send = async (body: string): Promise<string> => {
      const { status, problem } = await rest.ask('POST /v1/namespaces/a/vpcs', { body, headers: { 'content-type': 'application/yaml' } })
      return `${status} ${problem.code}`
    }
    const deep = [
      '['.repeat(200_000),
      `${'{a: '.repeat(40_000)}1${'}'.repeat(40_000)}`,
      '- '.repeat(100_000),
      '? '.repeat(100_000),
      '--- 1\n'.repeat(30_000),
      `a: "${'\\q'.repeat(100_000)}"`,
    ]
    for (const body of deep) assert.equal(await send(body), '400 malformed', body.slice(0, 20))
    const many = Array.from({ length: 20_000 }, (_, i) => i)
    const long = [
      many.map((i) => `k${i}: v`).join('\n'),
      `[${many.join(', ')}]`,
      many.map((i) => `- &a${i} x`).join('\n'),
      `${'%FOO bar\n'.repeat(20_000)}---\nx`,
      '}'.repeat(200_000),
      '\n'.repeat(900_000),
    ]
    for (const body of long) assert.equal(await send(body), '413 too-large', body.slice(0, 20))
    assert.equal(await send('metadata: {name: twice}\nspec: {}\nspec: {}'), '400 malformed')
  })

  test('may be YAML', async () => {
    const headers = { 'content-type': 'application/yaml' }
    assert.equal(
      (
        await rest.ask('POST /v1/namespaces/one/vpcs', {
          body: 'kind: Vpc\napiVersion: megrez.io/v1alpha1\nmetadata: {name: from-yaml}\nspec: {mtu: 1400}\n',
          headers,
        })
      ).status,
      201,
    )
    const bad = [
      'a: [',
      'a: 1\n---\nb: 2',
      'a: 1\na: 2',
      '__proto__: {x: 1}',
      'spec: {__proto__: 1}',
      '- 1',
      '',
      'a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]',
    ]
    for (const body of bad) {
      const answer = await rest.ask('POST /v1/namespaces/one/vpcs', { body, headers })
      assert.ok([400, 422].includes(answer.status), `${body} → ${answer.status} ${answer.text}`)
    }
    assert.equal(({} as { x?: unknown }).x, undefined)
  })
})

describe('changing an object', () => {
  const path = '/v1/namespaces/two/vpcs/blue'
  before(
    async () => void (await rest.ask('POST /v1/namespaces/two/vpcs', { body: vpc('blue', { mtu: 1400 }, { labels: { a: '1', b: '2' } }) })),
  )

  test('needs If-Match', async () => {
    for (const line of [`PUT ${path}`, `PATCH ${path}`, `DELETE ${path}`]) {
      const answer = await rest.ask(line, { body: {} })
      assert.equal(answer.status, 428, line)
      assert.equal(answer.problem.code, 'precondition-required')
    }
  })

  test('from a state that has passed changes nothing', async () => {
    const old = await etagOf(path)
    assert.equal((await rest.ask(`PATCH ${path}`, { body: { spec: { mtu: 1500 } }, headers: { 'if-match': old } })).status, 200)
    const stale = ['PUT', 'PATCH', 'DELETE'].map((method) =>
      rest.ask(`${method} ${path}`, { body: vpc('blue', { mtu: 9000 }), headers: { 'if-match': old } }),
    )
    for (const answer of await Promise.all(stale)) assert.deepEqual([answer.status, answer.problem.code], [412, 'precondition-failed'])
    const weak = await rest.ask(`DELETE ${path}`, { headers: { 'if-match': `W/${await etagOf(path)}` } })
    assert.equal(weak.status, 412)
    assert.equal((await rest.store.get({ kind: 'Vpc', namespace: 'two', name: 'blue' }))?.spec.mtu, 1500)
  })

  test('by PUT replaces spec and labels, and keeps what is ours', async () => {
    const before = await rest.ask(`GET ${path}`)
    const put = await rest.ask(`PUT ${path}`, {
      body: {
        ...before.body,
        spec: { mtu: 1450 },
        metadata: { ...(before.body['metadata'] as object), labels: { a: '3' } },
        status: { phase: 'ready' },
      },
      headers: { 'if-match': String(before.headers['etag']) },
    })
    assert.equal(put.status, 200, put.text)
    const { metadata, spec, status } = put.body as unknown as {
      metadata: { labels: object; finalizers: string[] }
      spec: object
      status?: object
    }
    assert.deepEqual(
      [metadata.labels, metadata.finalizers, spec, status],
      [{ a: '3' }, ['megrez.io/vpc'], { provider: 'builtin', mtu: 1450 }, undefined],
    )
    assert.notEqual(put.headers['etag'], before.headers['etag'])
  })

  test('by PUT takes what was read before somebody reported on it, and nothing that would change what is ours', async () => {
    const name = 'reported'
    assert.equal((await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc(name) })).status, 201)
    const own = `/v1/namespaces/one/vpcs/${name}`
    const read = await rest.ask(`GET ${own}`)
    const { uid, finalizers } = read.body['metadata'] as { uid: string; finalizers: string[] }
    const ref = { kind: 'Vpc', namespace: 'one', name } as const
    await rest.store.patchStatus({ ref, uid }, { segment: { vni: 7_777 } })
    await rest.store.commit([{ do: 'addFinalizer', ref, uid, finalizer: 'megrez.io/notice' }])
    const headers = { 'if-match': String(read.headers['etag']) }
    const put = await rest.ask(`PUT ${own}`, { body: { ...read.body, spec: { mtu: 1450 } }, headers })
    assert.equal(put.status, 200, put.text)
    const { metadata, spec, status } = put.body as unknown as { metadata: { finalizers: string[] }; spec: object; status: object }
    assert.deepEqual(
      [metadata.finalizers, spec, status],
      [[...finalizers, 'megrez.io/notice'], { provider: 'builtin', mtu: 1450 }, { vni: 7_777 }],
    )
    const without = { ...put.body, metadata: { ...(put.body['metadata'] as object), finalizers: [] } }
    const refused = await rest.ask(`PUT ${own}`, { body: without, headers: { 'if-match': '*' } })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /metadata\/finalizers/)
    await rest.store.commit([{ do: 'removeFinalizer', ref, uid, finalizer: 'megrez.io/notice' }])
    for (const finalizer of finalizers) await rest.store.commit([{ do: 'removeFinalizer', ref, uid, finalizer }])
    await rest.ask(`DELETE ${own}`, { headers: { 'if-match': '*' } })
  })

  test('by PATCH changes what is named and takes away what is null', async () => {
    const patched = await rest.ask(`PATCH ${path}`, {
      body: { metadata: { labels: { a: null, c: '4' } }, spec: { mtu: null, defaultSubnet: 's' } },
      headers: { 'if-match': `"other", ${await etagOf(path)}` },
    })
    assert.equal(patched.status, 200, patched.text)
    const { metadata, spec } = patched.body as unknown as { metadata: { labels: object }; spec: object }
    assert.deepEqual([metadata.labels, spec], [{ c: '4' }, { provider: 'builtin', defaultSubnet: 's' }])
  })

  const refusals: Readonly<Record<string, { body: unknown; at: string; headers?: Record<string, string>; status?: number }>> = {
    'the status': { body: { status: { phase: 'ready' } }, at: '/status' },
    'what never changes': { body: { spec: { vni: 5000 } }, at: '/spec/vni' },
    'the name': { body: { metadata: { name: 'red' } }, at: '/metadata/name' },
    'the UID': { body: { metadata: { uid: 'x' } }, at: '/metadata/uid' },
    finalizers: { body: { metadata: { finalizers: [] } }, at: '/metadata/finalizers' },
    'to an unknown field': { body: { spec: { colour: 'blue' } }, at: '/spec/colour' },
    'to something that is no object': { body: ['a'], at: '' },
  }
  for (const [what, { body, at }] of Object.entries(refusals)) {
    test(`refuses to change ${what}`, async () => {
      const answer = await rest.ask(`PATCH ${path}`, { body, headers: { 'if-match': '*' } })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(pointers(answer), [at])
    })
  }

  test('with dryRun shows what would be, and changes nothing', async () => {
    const tag = await etagOf(path)
    const tried = await rest.ask(`PATCH ${path}?dryRun=true`, { body: { spec: { mtu: 1300 } }, headers: { 'if-match': tag } })
    assert.equal((tried.body['spec'] as { mtu: number }).mtu, 1300)
    assert.equal(await etagOf(path), tag)
    assert.equal((await rest.ask(`DELETE ${path}?dryRun=true`, { headers: { 'if-match': tag } })).status, 200)
    assert.equal(await etagOf(path), tag)
  })

  test('that does not change anything keeps its ETag', async () => {
    const tag = await etagOf(path)
    assert.equal((await rest.ask(`PATCH ${path}`, { body: {}, headers: { 'if-match': tag } })).headers['etag'], tag)
    assert.equal((await rest.ask(`GET ${path}`, { headers: { 'if-none-match': `W/${tag}` } })).status, 304)
    assert.equal((await rest.ask(`GET ${path}`, { headers: { 'if-none-match': '"other"' } })).status, 200)
  })

  test('of many at once from one state lets one win', async () => {
    const tag = await etagOf(path)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => rest.ask(`PATCH ${path}`, { body: { spec: { mtu: 2000 + i } }, headers: { 'if-match': tag } })),
    )
    assert.deepEqual(answers.map((each) => each.status).sort(), [200, ...Array.from({ length: 19 }, () => 412)])
  })

  test('by DELETE waits for its finalizers, then it is gone', async () => {
    const accepted = await rest.ask(`DELETE ${path}`, { headers: { 'if-match': await etagOf(path) } })
    assert.equal(accepted.status, 202)
    const { uid, deletionTimestamp } = accepted.body['metadata'] as { uid: string; deletionTimestamp: string }
    assert.ok(deletionTimestamp)
    await rest.store.commit([
      { do: 'removeFinalizer', ref: { kind: 'Vpc', namespace: 'two', name: 'blue' }, uid, finalizer: 'megrez.io/vpc' },
    ])
    assert.equal((await rest.ask(`GET ${path}`)).status, 404)
    assert.equal((await rest.ask(`DELETE ${path}`, { headers: { 'if-match': '*' } })).status, 404)
  })

  test('of one without finalizers takes it away at once', async () => {
    await rest.ask('POST /v1/namespaces/two/network-attachment-definitions', { body: { metadata: { name: 'web' }, spec: {} } })
    const gone = await rest.ask('DELETE /v1/namespaces/two/network-attachment-definitions/web', { headers: { 'if-match': '*' } })
    assert.deepEqual([gone.status, gone.text], [204, ''])
  })
})
