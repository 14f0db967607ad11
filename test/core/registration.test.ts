import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyPatch } from '../../core/wire/json-patch.ts'
import { answeredAt, partsOf, planRegistration, usualPathLives, type Registration } from '../../core/plan/registration.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const day = 86_400_000
const entry = (resource: string, path?: string, caBundle?: string) => ({
  clientConfig: { service: { ...(path !== undefined && { path }) }, ...(caBundle !== undefined && { caBundle }) },
  rules: [{ resources: [resource] }],
})
const registration = (
  paths: readonly (string | undefined)[],
  annotations: Readonly<Record<string, string>> = { 'megrez.io/paths': 'written' },
  kind = 'MutatingWebhookConfiguration',
): Registration => ({
  kind,
  metadata: { resourceVersion: '1', annotations },
  webhooks: [entry('pods', paths[0], 'old'), entry('vpcs', paths[1], 'old')],
})
const published = (from: Registration, before: string | undefined, at = now): Registration =>
  applyPatch(from, planRegistration(from, { caBundle: 'new', before, now: at, lives: usualPathLives }))
const pathsIn = ({ webhooks = [] }: Registration): unknown => webhooks.map(({ clientConfig }) => clientConfig.service?.path)
const openAt = (registrations: readonly Registration[], at: number): readonly string[] =>
  [...answeredAt(registrations)]
    .filter(([, until]) => until > at)
    .map(([before]) => before)
    .sort()

describe('where admission is registered', () => {
  test('is written in one patch with what it is judged by, also where nothing was written yet', () => {
    for (const paths of [
      [undefined, undefined],
      ['/mutate-pods', '/mutate-objects'],
    ]) {
      const after = published(registration(paths), '/one')
      assert.deepEqual(pathsIn(after), ['/one/mutate-pods', '/one/mutate-objects'])
      assert.deepEqual(
        after.webhooks?.map(({ clientConfig }) => clientConfig.caBundle),
        ['new', 'new'],
      )
      assert.deepEqual(planRegistration(after, { caBundle: 'new', before: '/one', now, lives: usualPathLives }), [])
    }
    assert.deepEqual(pathsIn(published(registration([undefined, undefined], undefined, 'ValidatingWebhookConfiguration'), '/one')), [
      '/one/validate-pods',
      '/one/validate-objects',
    ])
  })

  test('is left to the chart where that does not leave it to us', () => {
    for (const annotations of [{}, { 'cert-manager.io/inject-ca-from': 'a/b' }])
      assert.deepEqual(pathsIn(published(registration(['/mutate-pods', '/given/mutate-objects'], annotations), '/one')), [
        '/mutate-pods',
        '/given/mutate-objects',
      ])
    const elsewhere: Registration = {
      ...registration([]),
      webhooks: [{ clientConfig: { url: 'https://192.0.2.7/mutate-pods' }, rules: [{ resources: ['pods'] }] }],
    }
    assert.equal(published(elsewhere, '/one').webhooks?.[0]?.clientConfig.service, undefined)
  })

  test('is answered at for a day after it turned, and at the plain path for five minutes', () => {
    const first = published(registration(['/mutate-pods', '/mutate-objects']), '/one')
    assert.deepEqual(
      [openAt([first], now), openAt([first], now + 299_000), openAt([first], now + 301_000)],
      [['', '/one'], ['', '/one'], ['/one']],
    )
    const second = published(first, '/two', now + 7 * day)
    assert.deepEqual([openAt([second], now + 8 * day - 1), openAt([second], now + 8 * day)], [['/one', '/two'], ['/two']])
    const later = published(second, '/two', now + 9 * day)
    assert.deepEqual([...answeredAt([later]).keys()], ['/two'], 'what is over is not kept')
    assert.deepEqual(planRegistration(later, { caBundle: 'new', before: '/two', now: now + 10 * day, lives: usualPathLives }), [])
  })

  test('that goes back to a former path, as by a rollback, opens that path, and closes it again when it is put right', () => {
    const second = published(published(registration([undefined, undefined]), '/one'), '/two', now + 7 * day)
    const rolledBack = { ...second, webhooks: registration(['/one/mutate-pods', '/one/mutate-objects']).webhooks! }
    assert.deepEqual(openAt([rolledBack], now + 30 * day), ['/one'])
    const right = published(rolledBack, '/two', now + 30 * day)
    assert.deepEqual([openAt([right], now + 31 * day - 1), openAt([right], now + 31 * day)], [['/one', '/two'], ['/two']])
  })

  test('is nowhere where there is no registration or none of ours, and what somebody scribbled opens nothing', () => {
    assert.deepEqual(openAt([], now), [])
    assert.deepEqual(openAt([registration([undefined, '/else'])], now), [])
    for (const scribble of ['', 'null', '[]', '{"":"x"}', '7', '{'])
      assert.deepEqual(openAt([registration(['/one/mutate-pods', undefined], { 'megrez.io/former-paths': scribble })], now), ['/one'])
  })

  test('is of both configurations together: one of them may have turned before the other', () => {
    assert.deepEqual(
      openAt(
        [registration(['/one/mutate-pods', '/one/mutate-objects']), registration(['/two/validate-pods', '/two/validate-objects'])],
        now,
      ),
      ['/one', '/two'],
    )
  })

  test('by its URL where it is not a Service', () => {
    assert.deepEqual(
      openAt(
        [{ metadata: { resourceVersion: '1' }, webhooks: [{ clientConfig: { url: 'https://192.0.2.7:8443/given/mutate-pods?x' } }] }],
        now,
      ),
      ['/given'],
    )
  })

  test('a path is what stands before its end', () => {
    assert.deepEqual(
      [partsOf('/mutate-pods'), partsOf('/a/b/validate-objects'), partsOf('/mutate-pods/x'), partsOf('/')],
      [{ before: '', end: '/mutate-pods' }, { before: '/a/b', end: '/validate-objects' }, undefined, undefined],
    )
  })
})
