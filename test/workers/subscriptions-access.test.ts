import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { RbacDenied } from '../../platform/kube/answers.ts'
import type { SpecOf } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { NamespaceSecrets, printSecret, readSecrets } from '../../platform/signing.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { until } from '../setup/until.ts'
import { NotVerified, verify, type Headers } from '../../receiver/verify.ts'
import { openBound, thumbprintOf } from './notify-oauth.ts'
import { secret, secretsIn } from './notify-post.ts'
import { openReceiver } from './notify-receiver.ts'
import { using } from './subscriptions-test-cluster.ts'

function isVerified(secrets: readonly string[], body: string, headers: Headers, now: number): boolean {
  try {
    return verify(body, headers, { secrets, now }).id !== ''
  } catch (err) {
    if (err instanceof NotVerified) return false
    throw err
  }
}
const vpc: SpecOf<'Vpc'> = { provider: 'builtin' }

describe('how a sink knows us', () => {
  test('by name and password', () =>
    using(async (whole, receiver) => {
      await whole.secret('a/hooks', { username: 'nfvo', password: 'wörd: 1' })
      await whole.subscribe('a/s', { sink: receiver.url, auth: { type: 'basic', secret: 'hooks' } })
      await whole.make('Vpc', 'a/blue', vpc)
      await until(() => receiver.taken.length === 1, 'it is told')
      assert.equal(Buffer.from(receiver.taken[0]!.headers['authorization']!.replace('Basic ', ''), 'base64').toString(), 'nfvo:wörd: 1')
    }))

  test('by a token, and by the next one once the Secret has changed', () =>
    using(async (whole, receiver) => {
      const held = await whole.secret('a/hooks', { token: 'one' })
      const made = await whole.subscribe('a/s', { sink: receiver.url, auth: { type: 'bearer', secret: 'hooks' } })
      await whole.make('Vpc', 'a/blue', vpc)
      await until(() => receiver.taken.length === 1, 'it is told')
      await whole.change(held, { data: { token: Buffer.from('two').toString('base64') } })
      await whole.change(made, { test: 'now' })
      await until(async () => (await whole.get(made))?.status?.tested?.id === 'now', 'a sample is sent')
      await whole.make('Vpc', 'a/red', vpc)
      await until(() => receiver.taken.length === 3, 'it is told')
      assert.deepEqual(
        receiver.taken.map(({ headers }) => headers['authorization']),
        ['Bearer one', 'Bearer two', 'Bearer two'],
      )
      assert.equal((await whole.store.list('Secret', { namespace: 'megrez-system' })).items.length, 1, 'the old copy is gone')
    }))

  test("each by its own Subscription's Secret alone, of one host, one object and one name of a Secret too", () =>
    using(async (whole, receiver) => {
      const other = await openReceiver()
      const at = (url: string, path: string): string => new URL(path, url).href
      try {
        for (const [key, token] of [
          ['a/hooks', 'of-a'],
          ['b/hooks', 'of-b'],
          ['a/second', 'second'],
        ] as const)
          await whole.secret(key, { token })
        const bearer = (name: string) => ({ type: 'bearer', secret: name }) as const
        await whole.subscribe('a/one', { sink: at(receiver.url, '/one'), auth: bearer('hooks') })
        await whole.subscribe('a/two', { sink: at(receiver.url, '/two'), auth: bearer('second') })
        await whole.subscribe('a/none', { sink: at(receiver.url, '/none') })
        await whole.subscribe('b/one', { sink: at(other.url, '/one'), auth: bearer('hooks') })
        for (const namespace of ['a', 'b']) await whole.make('Vpc', `${namespace}/blue`, vpc)
        await until(() => receiver.taken.length === 3 && other.taken.length === 1, 'all are told')
        const shown = [...receiver.heard, ...other.heard].map(({ path, headers }) => [path, headers['authorization']])
        assert.deepEqual(shown.sort(), [
          ['/none', undefined],
          ['/one', 'Bearer of-a'],
          ['/one', 'Bearer of-b'],
          ['/two', 'Bearer second'],
        ])
        assert.equal(other.heard[0]?.headers['authorization'], 'Bearer of-b')
        other.answer = (_, response) => void response.writeHead(307, { location: at(receiver.url, '/elsewhere') }).end()
        await whole.make('Vpc', 'b/red', vpc)
        await until(() => other.heard.length > 1, 'it redirects')
        assert.deepEqual(
          receiver.heard.filter(({ path }) => path === '/elsewhere'),
          [],
        )
      } finally {
        await other.close()
      }
    }))

  test('not by a Secret that does not say it is for that, until it does', () =>
    using(async (whole, receiver) => {
      const held = await whole.make('Secret', 'a/hooks', {
        data: { token: Buffer.from('database').toString('base64'), secrets: Buffer.from(secret).toString('base64') },
      })
      const asked = [{ auth: { type: 'bearer', secret: 'hooks' } }, { signing: { secret: 'hooks' } }] as const
      const made = await Promise.all(asked.map((spec, i) => whole.make('Subscription', `a/s${i}`, { sink: receiver.url, ...spec })))
      for (const each of made)
        await until(
          async () => /has no label megrez\.io\/callback-credentials=true/.test((await whole.get(each))?.status?.message ?? ''),
          'it says why',
        )
      await whole.store.update({ ...held, metadata: { ...held.metadata, labels: { 'megrez.io/callback-credentials': 'true' } } })
      for (const each of made) await whole.change((await whole.get(each))!, { test: 'now' })
      await until(
        async () => (await Promise.all(made.map((each) => whole.get(each)))).every((each) => each?.status?.tested?.id === 'now'),
        'samples are sent',
      )
      assert.deepEqual(receiver.taken.map(({ headers }) => headers['authorization']).sort(), ['Bearer database', undefined])
    }))

  test("not by one that is named as Megrez's own are, and was not kept for it", () =>
    using(async (whole, receiver) => {
      await whole.secret('a/credentials-x', { token: 'word' })
      const made = await whole.make('Subscription', 'a/s', { sink: receiver.url, auth: { type: 'bearer', secret: 'credentials-x' } })
      await until(
        async () => /names that begin with credentials- are Megrez's own/.test((await whole.get(made))?.status?.message ?? ''),
        'it says why',
      )
      assert.equal(receiver.taken.length, 0)
    }))

  test('not at all where workers may not read Secrets of tenants, which the Subscription says', async () => {
    const store = SqliteStore.open(':memory:')
    const get = store.get.bind(store)
    store.get = (ref) =>
      ref.kind === 'Secret' && ref.namespace === 'a'
        ? Promise.reject(new RbacDenied({ reason: '403 cannot get resource "secrets"' }))
        : get(ref)
    await using(
      async (whole, receiver) => {
        const made = await whole.make('Subscription', 'a/s', { sink: receiver.url, auth: { type: 'bearer', secret: 'hooks' } })
        await until(
          async () => /workers\.subscriptionSecrets of the chart is off/.test((await whole.get(made))?.status?.message ?? ''),
          'it says why',
        )
        assert.notEqual((await whole.get(made))?.status?.phase, 'ready')
      },
      { store },
    )
    await store.close()
  })

  test('by a token for client credentials, which is had once, and anew after a 401', () =>
    using(async (whole, receiver) => {
      let count = 0
      const issuer = await openReceiver({
        answer(received, response) {
          assert.equal(received.body, 'grant_type=client_credentials')
          assert.equal(received.headers['authorization'], `Basic ${Buffer.from('me:word').toString('base64')}`)
          count += 1
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ access_token: `t${count}`, token_type: 'Bearer', expires_in: 3600 }))
          return undefined
        },
      })
      await whole.secret('a/hooks', { clientId: 'me', clientSecret: 'word' })
      await whole.subscribe('a/s', { sink: receiver.url, auth: { type: 'oauth2', secret: 'hooks', tokenEndpoint: issuer.url } })
      for (const name of ['one', 'two']) await whole.make('Vpc', `a/${name}`, vpc)
      await until(() => receiver.taken.length === 2, 'both are told')
      receiver.answer = ({ headers }) => (headers['authorization'] === 'Bearer t1' ? 401 : 204)
      await whole.make('Vpc', 'a/three', vpc)
      await until(() => receiver.taken.length === 3, 'it is told')
      assert.deepEqual(new Set(receiver.taken.map(({ headers }) => headers['authorization'])), new Set(['Bearer t1', 'Bearer t2']))
      assert.ok(count <= 3, `${count} tokens: two delivery queues may ask at once`)
      await issuer.close()
    }))

  test("by a certificate, where the sink's own authority is the Subscription's", () =>
    using(async (whole) => {
      const life = { now: Date.now(), ms: 3_600_000 }
      const [theirs, ours] = [makeAuthority('theirs', life), makeAuthority('ours', life)]
      const receiver = await openReceiver({
        tls: { ...issueLeaf(theirs, ['127.0.0.1'], life), ca: ours.cert, requestCert: true, rejectUnauthorized: true },
      })
      const client = issueLeaf(ours, ['megrez.example.org'], life, 'clientAuth')
      try {
        await whole.secret('a/hooks', { 'tls.crt': client.cert, 'tls.key': client.key })
        await whole.subscribe('a/s', { sink: receiver.url, ca: theirs.cert, auth: { type: 'certificate', secret: 'hooks' } })
        await whole.subscribe('a/t', { sink: receiver.url, ca: theirs.cert })
        await whole.subscribe('a/u', { sink: receiver.url, auth: { type: 'certificate', secret: 'hooks' } })
        await whole.make('Vpc', 'a/blue', vpc)
        await until(() => receiver.taken.length === 1, 'it is told')
        await until(
          async () => (await whole.store.list('Subscription')).items.filter(({ status }) => status?.circuit === 'open').length === 2,
          "the others' circuits are open",
        )
        assert.equal(receiver.heard.length, 1)
      } finally {
        await receiver.close()
      }
    }))

  test('by a token that is had by our certificate and bound to it, and by others once that is another', () =>
    using(async (whole) => {
      const site = await openBound()
      const { ca, issuer, receiver } = site
      try {
        const [first, second] = [site.certificate(), site.certificate()]
        const held = await whole.secret('a/hooks', { 'tls.crt': first.cert, 'tls.key': first.key })
        const auth = {
          type: 'oauth2-certificate',
          secret: 'hooks',
          tokenEndpoint: issuer.url.replace('/told', '/token'),
          clientId: 'megrez/nfv',
        } as const
        const made = await whole.subscribe('a/s', { sink: receiver.url, ca, auth: { ...auth, thumbprint: thumbprintOf(first) } })
        for (const name of ['one', 'two']) await whole.make('Vpc', `a/${name}`, vpc)
        await until(() => receiver.taken.length === 2, 'both are told')
        assert.deepEqual(
          new Set(receiver.heard.map(({ headers }) => headers['authorization'])),
          new Set([`Bearer bound.${thumbprintOf(first)}`]),
        )
        await whole.change(held, {
          data: Object.fromEntries(
            Object.entries({ 'tls.crt': second.cert, 'tls.key': second.key }).map(([key, text]) => [
              key,
              Buffer.from(text).toString('base64'),
            ]),
          ),
        })
        await whole.change(made, { paused: false })
        await until(
          async () =>
            (await whole.get(made))?.status?.message ===
            `the certificate in Secret hooks has the thumbprint ${thumbprintOf(second)}, not ${thumbprintOf(first)}`,
          'it says that the certificate is another than was named',
        )
        await whole.change(made, { auth: { ...auth, thumbprint: thumbprintOf(second) } })
        await whole.phase(made, 'ready')
        await whole.make('Vpc', 'a/three', vpc)
        await until(() => receiver.taken.length === 3, 'it is told')
        assert.equal(receiver.taken[2]!.headers['authorization'], `Bearer bound.${thumbprintOf(second)}`)
      } finally {
        await site.close()
      }
    }))

  test('and by signatures of its own secrets, two while one is replaced', () =>
    using(async (whole, receiver) => {
      const [old, next] = [9, 11].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [string, string]
      await whole.secret('a/hooks', { secrets: `${old} ${next}` })
      await whole.subscribe('a/s', { sink: receiver.url, signing: { secret: 'hooks' } })
      await whole.make('Vpc', 'a/blue', vpc)
      await until(() => receiver.taken.length === 1, 'it is told')
      const { body, headers } = receiver.taken[0]!
      for (const each of [old, next]) new Webhook(each).verify(body, headers)
      assert.throws(() => new Webhook(secret).verify(body, headers))
    }))

  for (const signing of ['its namespace', 'a Secret'] as const)
    test(`while the secret of ${signing} is replaced a receiver verifies by either, and afterwards by the new one alone`, async () => {
      let ahead = 0
      const clock = { ...realClock, now: () => Date.now() + ahead }
      const named = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
      await using(
        async (whole, receiver) => {
          await whole.secret('a/hooks', { secrets: named })
          const made = await whole.subscribe('a/s', { sink: receiver.url, ...(signing === 'a Secret' && { signing: { secret: 'hooks' } }) })
          const before = signing === 'a Secret' ? named : secretsIn('a')[0]!
          const secrets = new NamespaceSecrets(readSecrets(secret), false)
          const next = printSecret(secrets.rotated(made.metadata.uid, 'one')[0]!)
          await whole.change(made, { rotation: { id: 'one', previous: [{ until: new Date(clock.now() + 60_000).toISOString() }] } })
          const verifiers = async (name: string): Promise<readonly boolean[]> => {
            const vpc = await whole.make('Vpc', `a/${name}`, { provider: 'builtin' })
            await until(() => receiver.taken.some(({ uid }) => uid === vpc.metadata.uid), 'it is told')
            const { body, headers } = receiver.taken.find(({ uid }) => uid === vpc.metadata.uid)!
            return [before, next, secretsIn('b')[0]!, secret].map((each) => isVerified([each], body, headers, clock.now()))
          }
          assert.deepEqual(await verifiers('during'), [true, true, false, false])
          ahead = 60_001
          assert.deepEqual(await verifiers('after'), [false, true, false, false])
        },
        { clock },
      )
    })

  test('a Subscription says which Secret or key is missing, and none of them is ever shown', () =>
    using(async (whole, receiver) => {
      const made = await whole.make('Subscription', 'a/s', { sink: receiver.url, auth: { type: 'basic', secret: 'hooks' } })
      await whole.phase(made, 'error')
      assert.equal((await whole.get(made))?.status?.message, 'Secret hooks is not there')
      await whole.secret('a/hooks', { username: 'nfvo', password: 'geheim' })
      await whole.change(made, { paused: true })
      await whole.phase(made, 'ready')
      await whole.make('Vpc', 'a/blue', vpc)
      for (const kind of ['Subscription', 'Notice', 'Event', 'Vpc'] as const)
        assert.ok(!JSON.stringify(await whole.store.list(kind)).includes(Buffer.from('geheim').toString('base64')))
    }))
})
