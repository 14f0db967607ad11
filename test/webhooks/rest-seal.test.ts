// What REST gives out to be sent back, and what comes back that it never gave out.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ConfigInvalid } from '../../core/errors.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openSigner, Signer, signerSecret } from '../../webhooks/plugins/signer.ts'
import { trials } from '../setup/trials.ts'
import { ask, openHarness, type Answer, type Harness } from './rest-harness.ts'

const b64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const metaOf = (answer: Answer): { readonly uid: string; readonly continue?: string } => answer.body['metadata'] as { readonly uid: string }

describe('the key of ids and places', () => {
  const namespace = 'megrez-system'
  const opening = (store: SqliteStore): Promise<Signer> => openSigner(store, namespace, randomBytes)

  test('is one for all servers on a store, whoever comes first, and outlives them', async () => {
    const store = SqliteStore.open(':memory:')
    try {
      const all = await Promise.all(Array.from({ length: 8 }, () => opening(store)))
      const sealed = all[0]!.close('text', ['a'])
      assert.deepEqual(new Set([...all, await opening(store)].map((seal) => seal.open(sealed, ['a']))), new Set(['text']))
      assert.equal((await store.list('Secret')).items.length, 1)
    } finally {
      await store.close()
    }
  })

  test('fills the empty Secret that a chart has made, and takes nothing that is no key', async () => {
    const store = SqliteStore.open(':memory:')
    try {
      const made = await store.create({
        kind: 'Secret',
        metadata: { namespace, name: signerSecret, labels: { by: 'helm' } },
        spec: { type: 'Opaque', data: {} },
      })
      await Promise.all([opening(store), opening(store)])
      const filled = await store.get({ kind: 'Secret', namespace, name: signerSecret })
      assert.deepEqual(
        [filled?.metadata.uid, filled?.metadata.labels, Buffer.from(filled?.spec.data['key'] ?? '', 'base64').length],
        [made.metadata.uid, { by: 'helm' }, 32],
      )
      await store.update({ ...filled!, spec: { ...filled!.spec, data: { key: 'c2hvcnQ=' } } })
      await assert.rejects(opening(store), (err) => err instanceof ConfigInvalid && /is not 32 bytes/.test(err.message))
    } finally {
      await store.close()
    }
  })

  test('opens what it has closed for the same question, and nothing that was changed by a letter', () => {
    const seal = new Signer(randomBytes(32))
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string(), { maxLength: 4 }),
        fc.nat(),
        fc.constantFrom(...'Aa0_-.'),
        (text, bound, at, letter) => {
          const sealed = seal.close(text, bound)
          assert.equal(seal.open(sealed, bound), Buffer.from(text).toString())
          assert.equal(seal.open(sealed, [...bound, '']), undefined)
          const i = at % sealed.length
          const forged = sealed.slice(0, i) + letter + sealed.slice(i + 1)
          if (forged !== sealed) assert.equal(seal.open(forged, bound), undefined)
        },
      ),
      { numRuns: trials(10_000) },
    )
  })
})

describe('what comes back to REST', () => {
  let rest: Harness
  before(async () => {
    rest = await openHarness()
  })
  after(() => rest.close())
  const as = async (subject: string, scope = 'viewer'): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await rest.issuer.issue({ subject, scope }, 600)}`,
  })
  const make = (namespace: string, name: string, more: Record<string, string> = {}): Promise<Answer> =>
    rest.ask(`POST /v1/namespaces/${namespace}/vpcs`, { body: { metadata: { name, labels: { list: 'yes' } }, spec: {} }, headers: more })

  test('as an operation that never was is none, however well it is made up', async () => {
    const { uid } = metaOf(await make('ops', 'there'))
    const parts = ['create', 'Vpc', 'there', uid, 1]
    const real = String((await make('ops', 'real', { prefer: 'respond-async' })).headers['location'])
      .split('/')
      .at(-1)!
    const signature = real.split('.')[1]!
    for (const id of [
      b64(parts),
      `${b64(parts)}.`,
      `${b64(parts)}.${signature}`,
      `.${signature}`,
      `${real}.x`,
      real.slice(0, -2),
      b64(['delete', 'Vpc', 'never', 'x', 1]),
      '%00',
      'x'.repeat(4_000),
    ]) {
      const answer = await rest.ask(`GET /v1/namespaces/ops/operations/${id}`)
      assert.deepEqual([answer.status, answer.body['operationState']], [404, undefined], id.slice(0, 100))
    }
  })

  test("as an operation is its caller's and its namespace's: to others it says the same as one that never was", async () => {
    const where = String((await make('mine', 'a', { prefer: 'respond-async' })).headers['location'])
    const never = `${where.slice(0, where.lastIndexOf('/'))}/never`
    assert.equal((await rest.ask(`GET ${where}`)).status, 200)
    assert.equal(
      (await rest.ask(`GET ${where}`, { headers: { authorization: `Bearer ${await rest.fresh()}` } })).status,
      200,
      'a newer token of the same caller',
    )
    const headers = await as('other')
    const [his, none] = [await rest.ask(`GET ${where}`, { headers }), await rest.ask(`GET ${never}`, { headers })]
    const words = ({ problem }: Answer, path: string): string => JSON.stringify(problem).replaceAll(path.split('/').at(-1) ?? '', 'IT')
    assert.deepEqual([his.status, words(his, where)], [404, words(none, never)])
    assert.equal((await rest.ask(`GET ${where.replace('/mine/', '/yours/')}`)).status, 404)
    assert.equal((await rest.ask(`GET ${where.replace('/namespaces/mine/', '/')}`)).status, 404)
  })

  test('is known to every server with the same key, and to none with another', async () => {
    const made = await make('shared', 'a', { prefer: 'respond-async' })
    const where = String(made.headers['location'])
    const stranger = rest.another({ seal: new Signer(Buffer.alloc(32, 9)) })
    assert.equal((await ask(rest.another(), rest.token, `GET ${where}`)).status, 200)
    assert.equal((await ask(stranger, rest.token, `GET ${where}`)).status, 404)
    await make('shared', 'b')
    const next = metaOf(await rest.ask('GET /v1/namespaces/shared/vpcs?limit=1')).continue
    assert.equal((await ask(rest.another(), rest.token, `GET /v1/namespaces/shared/vpcs?limit=1&continue=${next}`)).status, 200)
    assert.equal((await ask(stranger, rest.token, `GET /v1/namespaces/shared/vpcs?limit=1&continue=${next}`)).status, 400)
  })

  test('as the place of a list is of that very list', async () => {
    for (const [namespace, name] of [
      ['l1', 'a'],
      ['l1', 'b'],
      ['l1', 'c'],
      ['l2', 'a'],
    ] as const)
      await make(namespace, name)
    const pageOf = (path: string): Promise<Answer> => rest.ask(`GET ${path}`)
    const first = '/v1/namespaces/l1/vpcs?labelSelector=list&limit=1'
    const place = metaOf(await pageOf(first)).continue
    assert.equal(
      (await pageOf(`/v1/namespaces/l1/vpcs?labelSelector=list&limit=2&continue=${place}`)).status,
      200,
      'its pages may be of other sizes',
    )
    const others = [
      '/v1/namespaces/l1/vpcs?limit=1',
      '/v1/namespaces/l1/vpcs?labelSelector=list%3Dyes&limit=1',
      '/v1/namespaces/l2/vpcs?labelSelector=list&limit=1',
      '/v1/vpcs?labelSelector=list&limit=1',
      '/v1/namespaces/l1/subnets?labelSelector=list&limit=1',
      '/v1/namespaces/l1/vpcs?labelSelector=list&fieldSelector=metadata.name%3Da&limit=1',
    ]
    for (const path of others) {
      const answer = await pageOf(`${path}&continue=${place}`)
      assert.deepEqual([answer.status, answer.problem.errors?.[0]?.parameter], [400, 'continue'], path)
    }
    const made = b64(['l1', 'a', '1'])
    assert.equal((await pageOf(`${first}&continue=${made}`)).status, 400, "one that is the store's own word")
  })

  test("as the place of SOL's list is of that very list too", async () => {
    const marker = (await rest.ask('GET /v1/namespaces/l1/vpcs?labelSelector=list&limit=1')).body['metadata'] as {
      readonly continue: string
    }
    assert.equal((await rest.ask(`GET /v1/namespaces/l1/sol/subscriptions?nextpage_opaque_marker=${marker.continue}`)).status, 400)
  })
})
