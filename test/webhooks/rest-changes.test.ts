// Writers and reporters at once, requests that come twice, and work that goes on after the answer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { trials } from '../setup/trials.ts'
import { ask, openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => void (rest = await openHarness()))
after(() => rest.close())

interface Meta {
  readonly name: string
  readonly uid: string
  readonly annotations?: Readonly<Record<string, string>>
}
const metaOf = (answer: Answer): Meta => answer.body['metadata'] as Meta
const tag = (answer: Answer): string => String(answer.headers['etag'])
const vpc = (name: string, spec: object = {}) => ({ metadata: { name }, spec })
const all = '/v1/namespaces/c/vpcs'
const report = (name: string, uid: string, phase: 'pending' | 'ready' | 'error', more: object = {}) =>
  rest.store.patchStatus({ ref: { kind: 'Vpc', namespace: 'c', name }, uid }, { report: { phase, ...more } })

describe('a change', () => {
  test('goes through although the status has changed since it was read', async () => {
    const made = await rest.ask(`POST ${all}`, { body: vpc('a') })
    await report('a', metaOf(made).uid, 'ready')
    const got = await rest.ask(`GET ${all}/a`, { headers: { 'if-none-match': tag(made) } })
    assert.equal(got.status, 200, 'whoever looks is shown the new status')
    assert.notEqual(tag(got), tag(made))
    assert.equal((await rest.ask(`PATCH ${all}/a`, { body: { spec: { mtu: 1400 } }, headers: { 'if-match': tag(made) } })).status, 200)
    assert.equal((await rest.ask(`PATCH ${all}/a`, { body: { spec: { mtu: 1300 } }, headers: { 'if-match': tag(made) } })).status, 412)
  })

  test('of labels alone is a change too, which another writer must have seen', async () => {
    const made = await rest.ask(`POST ${all}`, { body: vpc('b') })
    assert.equal(
      (await rest.ask(`PATCH ${all}/b`, { body: { metadata: { labels: { x: '1' } } }, headers: { 'if-match': tag(made) } })).status,
      200,
    )
    assert.equal(
      (await rest.ask(`PATCH ${all}/b`, { body: { metadata: { labels: { x: '2' } } }, headers: { 'if-match': tag(made) } })).status,
      412,
    )
  })

  test('of many writers that each add one, while somebody reports without end, is never lost', async () => {
    const made = await rest.ask(`POST ${all}`, { body: vpc('counted', { mtu: 1280 }) })
    const writers = 4
    const each = Math.max(2, Math.round(trials(500)))
    let done = false
    const reporter = (async () => {
      for (let i = 0; !done; i++) {
        await report('counted', metaOf(made).uid, i % 2 === 0 ? 'ready' : 'pending')
        // Others have a turn between two reports, as they have with a store that is not in memory.
        for (let tick = 0; tick < 3; tick++) await new Promise((next) => setImmediate(next))
      }
    })()
    const writer = async (name: string): Promise<void> => {
      for (let added = 0; added < each;) {
        const got = await rest.ask(`GET ${all}/counted`)
        const labels = (got.body['metadata'] as { labels?: Record<string, string> }).labels ?? {}
        const patched = await rest.ask(`PATCH ${all}/counted`, {
          body: { metadata: { labels: { [name]: String(Number(labels[name] ?? 0) + 1), sum: String(Number(labels['sum'] ?? 0) + 1) } } },
          headers: { 'if-match': tag(got) },
        })
        assert.ok([200, 409, 412].includes(patched.status), patched.text)
        if (patched.status === 200) added++
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, i) => writer(`w${i}`)))
    done = true
    await reporter
    const { labels } = (await rest.ask(`GET ${all}/counted`)).body['metadata'] as { labels: Record<string, string> }
    assert.equal(labels['sum'], String(writers * each))
    for (let i = 0; i < writers; i++) assert.equal(labels[`w${i}`], String(each))
  })
})

describe('an Idempotency-Key', () => {
  const post = (key: string, body: object, more: Record<string, string> = {}) =>
    rest.ask(`POST ${all}`, { body, headers: { 'idempotency-key': key, ...more } })
  const count = async (prefix: string): Promise<number> =>
    (await rest.store.list('Vpc', { namespace: 'c' })).items.filter(({ metadata }) => metadata.name.startsWith(prefix)).length

  test('makes one object of a request that comes twice, and the answer is the same', async () => {
    const body = { metadata: { generateName: 'twice-' }, spec: {} }
    const first = await post('k1', body)
    const second = await post('k1', body)
    assert.deepEqual([first.status, second.status, second.headers['idempotency-replayed']], [201, 201, 'true'])
    assert.deepEqual([second.body, tag(second), second.headers['location']], [first.body, tag(first), first.headers['location']])
    assert.equal(await count('twice-'), 1)
  })

  test('lets one of many at once through', async () => {
    const answers = await Promise.all(
      Array.from({ length: trials(1_000) }, () => post('k2', { metadata: { generateName: 'flood-' }, spec: {} })),
    )
    assert.equal(await count('flood-'), 1)
    for (const { status, problem } of answers) assert.ok(status === 201 || (status === 409 && problem.code === 'key-in-use'), `${status}`)
    assert.ok(answers.some(({ status }) => status === 201))
  })

  test('with another request is refused', async () => {
    assert.equal((await post('k3', vpc('first'))).status, 201)
    const other = await post('k3', vpc('second'))
    assert.deepEqual([other.status, other.problem.code], [422, 'key-reused'])
  })

  test('of a refused request may come again, once it is right', async () => {
    const subnet = { metadata: { name: 's' }, spec: { vpc: 'not-yet', ipv4: { cidr: '10.0.0.0/24' } } }
    const send = () => rest.ask('POST /v1/namespaces/c/subnets', { body: subnet, headers: { 'idempotency-key': 'k4' } })
    assert.equal((await send()).status, 422)
    await rest.network('c', { vpc: 'not-yet', subnet: 'other', vni: 5001 })
    assert.equal((await send()).status, 201)
  })

  test("is each caller's own", async () => {
    const token = await rest.issuer.issue({ subject: 'somebody else', scope: 'admin' }, 60)
    const body = { metadata: { generateName: 'own-' }, spec: {} }
    await post('k5', body)
    assert.equal((await post('k5', body, { authorization: `Bearer ${token}` })).headers['idempotency-replayed'], undefined)
    assert.equal(await count('own-'), 2)
  })

  test('is remembered by the object itself where the server that was asked first is gone', async () => {
    const body = { metadata: { generateName: 'crash-' }, spec: {} }
    const first = await post('k6', body)
    const second = rest.another()
    try {
      const again = await ask(second, rest.token, `POST ${all}`, { body, headers: { 'idempotency-key': 'k6' } })
      assert.deepEqual([again.status, metaOf(again).uid], [201, metaOf(first).uid])
      const changed = await ask(rest.another(), rest.token, `POST ${all}`, {
        body: { metadata: { generateName: 'crash-' }, spec: { mtu: 1400 } },
        headers: { 'idempotency-key': 'k6' },
      })
      assert.deepEqual([changed.status, changed.problem.code], [422, 'key-reused'])
      assert.equal(await count('crash-'), 1)
    } finally {
      await second.close()
    }
  })

  test('is kept for a day', async () => {
    const clock = new TurnedClock(Date.parse('2026-11-21T12:00:00Z'))
    const own = await openHarness((store) => store, clock)
    const send = async () => ask(own.app, await own.fresh(), `POST ${all}`, { body: vpc('day'), headers: { 'idempotency-key': 'k7' } })
    try {
      assert.equal((await send()).status, 201)
      clock.advance(23 * 3_600_000)
      assert.equal((await send()).headers['idempotency-replayed'], 'true')
      clock.advance(2 * 3_600_000)
      const late = await send()
      assert.deepEqual([late.status, late.headers['idempotency-replayed']], [201, undefined], 'the object still knows what made it')
    } finally {
      await own.close()
    }
  })

  test('that is none is refused, and a pod may have one too', async () => {
    for (const key of ['', 'ä', 'a b', 'x'.repeat(256)]) assert.equal((await post(key, vpc('never'))).status, 400, key)
    await rest.network('kp', { vni: 5002 })
    const pod = {
      metadata: { generateName: 'p-' },
      spec: { containers: [{ name: 'c', image: 'i' }], vpc: 'vpc-1a2b3c4d', nics: [{ subnet: 'subnet-1' }] },
    }
    const send = () => rest.ask('POST /v1/namespaces/kp/pods', { body: pod, headers: { 'idempotency-key': 'p' } })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status, metaOf(second).uid], [201, 201, metaOf(first).uid])
    const elsewhere = await ask(rest.another(), rest.token, 'POST /v1/namespaces/kp/pods', {
      body: pod,
      headers: { 'idempotency-key': 'p' },
    })
    assert.deepEqual([elsewhere.status, metaOf(elsewhere).uid], [201, metaOf(first).uid])
  })
})

describe('an operation', () => {
  const prefer = { prefer: 'respond-async' }
  const stateAt = async (location: string | undefined): Promise<unknown> => (await rest.ask(`GET ${location}`)).body['operationState']

  test('of a creation goes from its beginning to its end, as the object does', async () => {
    const accepted = await rest.ask(`POST ${all}`, { body: vpc('grown'), headers: prefer })
    assert.deepEqual(
      [accepted.status, accepted.headers['preference-applied'], accepted.headers['retry-after'], accepted.body['operationState']],
      [202, 'respond-async', '1', 'STARTING'],
    )
    const where = accepted.headers['location']
    const { uid } = accepted.body['resource'] as Meta
    await report('grown', uid, 'pending', { message: 'no VNI is free', observedGeneration: 1 })
    const waiting = await rest.ask(`GET ${where}`)
    assert.deepEqual(
      [waiting.body['operationState'], waiting.body['detail'], waiting.headers['retry-after']],
      ['PROCESSING', 'no VNI is free', '1'],
    )
    await report('grown', uid, 'error', { observedGeneration: 1 })
    assert.equal(await stateAt(where), 'FAILED_TEMP')
    await report('grown', uid, 'ready', { observedGeneration: 1 })
    const done = await rest.ask(`GET ${where}`)
    assert.deepEqual(
      [done.body['operationState'], done.headers['retry-after'], done.body['_links']],
      ['COMPLETED', undefined, { self: { href: where }, resource: { href: `${all}/grown` } }],
    )
    const changed = await rest.ask(`PATCH ${all}/grown`, { body: { spec: { mtu: 1400 } }, headers: { ...prefer, 'if-match': '*' } })
    assert.deepEqual([changed.status, changed.body['operationState']], [202, 'PROCESSING'], 'the new spec has not been seen yet')
    await report('grown', uid, 'ready', { observedGeneration: 2 })
    assert.equal(await stateAt(changed.headers['location']), 'COMPLETED')
    await rest.ask(`DELETE ${all}/grown`, { headers: { 'if-match': '*' } })
    assert.equal(await stateAt(changed.headers['location']), 'FAILED')
  })

  test('of a deletion ends when the object is gone, also when another has come in its place', async () => {
    const made = await rest.ask(`POST ${all}`, { body: vpc('going') })
    const deleted = await rest.ask(`DELETE ${all}/going`, { headers: { 'if-match': '*' } })
    const where = deleted.headers['location']
    assert.deepEqual([deleted.status, await stateAt(where)], [202, 'PROCESSING'])
    await rest.store.commit([
      { do: 'removeFinalizer', ref: { kind: 'Vpc', namespace: 'c', name: 'going' }, uid: metaOf(made).uid, finalizer: 'megrez.io/vpc' },
    ])
    assert.equal(await stateAt(where), 'COMPLETED')
    await rest.ask(`POST ${all}`, { body: vpc('going') })
    assert.equal(await stateAt(where), 'COMPLETED')
  })

  test('is seen by whoever asked for it, as long as he may read what it is about, and by nobody else', async () => {
    const accepted = await rest.ask(`POST ${all}`, { body: vpc('private'), headers: prefer })
    const path = accepted.headers['location']
    const of = async (scope: string, namespaces?: string[]) =>
      (
        await rest.ask(`GET ${path}`, {
          headers: {
            authorization: `Bearer ${await rest.issuer.issue({ subject: 'test', scope, ...(namespaces && { namespaces }), node: 'n' }, 60)}`,
          },
        })
      ).status
    assert.deepEqual(
      [await of('viewer'), await of('viewer', ['c']), await of('viewer', ['other']), await of('agent')],
      [200, 200, 403, 200],
    )
    for (const id of [
      'x',
      'W10',
      Buffer.from('["delete","Secret","a","b",1]').toString('base64url'),
      Buffer.from('["delete","Node","a","b",1]').toString('base64url'),
      Buffer.from('["create","Vpc","../x","b",1]').toString('base64url'),
    ])
      assert.equal((await rest.ask(`GET /v1/namespaces/c/operations/${id}`)).status, 404, id)
    assert.equal((await rest.ask(`POST ${path}`, { body: {} })).status, 405)
  })
})
