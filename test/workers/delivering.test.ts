// Whether a sink takes what it is sent is said of the Subscription, with the reason in words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { Outcome } from '../../core/kinds/notify/outcomes.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { deliveryObstacleOf, errorText } from '../../platform/http/guarded/failures.ts'
import { outcomeOf } from '../../workers/notify/send/error-text.ts'
import { until } from '../setup/until.ts'
import { openReceiver, type ReceiverOptions } from './notify-receiver.ts'
import { openSubscriptionCluster, using, type SubscriptionCluster, type SubscriptionClusterOptions } from './subscriptions-test-cluster.ts'

const vpc: SpecOf<'Vpc'> = { provider: 'builtin' }
type Subscription = Resource<'Subscription'>

const deliveringOf = (subscription: Subscription | undefined) => subscription?.status?.conditions?.find(({ type }) => type === 'Delivering')
const is = (whole: SubscriptionCluster, made: Subscription, status: string): Promise<void> =>
  until(async () => deliveringOf(await whole.get(made))?.status === status, `Delivering is ${status}`)
const events = async (whole: SubscriptionCluster): Promise<readonly (string | undefined)[]> =>
  (await whole.store.list('Event')).items
    .filter(({ spec }) => (spec['regarding'] as { kind?: string } | undefined)?.kind === 'Subscription')
    .map(({ spec }) => `${String(spec['type'])} ${String(spec['reason'])}`)

/** What is said of a sink that takes nothing, with a sample too. */
async function saidOf(
  outcome: Outcome,
  options: ReceiverOptions,
  { ca, ...given }: SubscriptionClusterOptions & { readonly ca?: string } = {},
): Promise<readonly string[]> {
  const receiver = await openReceiver(options)
  const whole = await openSubscriptionCluster(given)
  try {
    const made = await whole.subscribe('a/s', { sink: receiver.url, ...(ca !== undefined && { ca }) })
    assert.deepEqual([deliveringOf(made)?.status, deliveringOf(made)?.reason], ['Unknown', 'NothingSent'])
    await whole.make('Vpc', 'a/blue', vpc)
    await is(whole, made, 'False')
    await whole.change(made, { test: 'one' })
    await until(async () => (await whole.get(made))?.status?.tested?.id === 'one', 'the sample is sent')
    await until(async () => (await events(whole)).length > 0, 'an Event says it')
    assert.deepEqual(await events(whole), ['Warning NotDelivering'])
    const said = (await whole.get(made))!
    assert.equal(said.status?.tested?.outcome, outcome)
    return sayings(said)
  } finally {
    await whole.close()
    await receiver.close()
  }
}

function sayings({ status = {} }: Subscription): readonly string[] {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  assert.deepEqual([status.phase, ready?.reason], ['ready', 'NotDelivering'])
  assert.ok(Date.parse(status.delivering?.since ?? '') > 0)
  return [ready?.message ?? '', status.tested?.reason ?? '']
}

const each = (said: readonly string[], pattern: RegExp): void => {
  for (const sentence of said) assert.match(sentence, pattern)
}

describe('a Subscription says that nothing is delivered, and why', () => {
  test("where the sink's certificate is of an authority that we do not know", async () => {
    const life = { now: Date.now(), ms: 3_600_000 }
    each(
      await saidOf('untrusted', { tls: issueLeaf(makeAuthority('test', life), ['127.0.0.1'], life) }),
      /certificate is signed by no authority that we know: name that in spec\.ca/,
    )
  })
  test("where the sink's certificate is of another name", async () => {
    const life = { now: Date.now(), ms: 3_600_000 }
    const authority = makeAuthority('test', life)
    each(
      await saidOf('untrusted', { tls: issueLeaf(authority, ['other.example.org'], life) }, { ca: authority.cert }),
      /its certificate is of another name/,
    )
  })
  test('where the sink only redirects', async () => {
    each(await saidOf('redirected', { answer: () => 308 }), /it answered 308, and no redirect is followed/)
  })
  test('where the sink hangs', async () => {
    each(
      await saidOf('slow', { answer: () => undefined }, { config: { callbackTimeoutMs: 300 } }),
      /it was connected, and has not answered: no whole answer within 300 ms/,
    )
  })
  test('and words for what else may be wrong with a certificate', () => {
    assert.match(errorText({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'x' }), /^its certificate is of another name \(x\)$/)
    assert.match(errorText({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'x' }), /signed by itself/)
    assert.equal(errorText({ message: 'x' }), 'x')
  })
  test('and one word for programs, each of which is in the contract', () => {
    const words = ['ENOTFOUND', 'ECONNREFUSED', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ECONNRESET', ''].map(deliveryObstacleOf)
    assert.deepEqual(words, ['unknown-name', 'unreachable', 'no-tls', 'broken', 'unreachable'])
    assert.deepEqual(
      [
        outcomeOf({ kind: 'refused', status: 503 }),
        outcomeOf({ kind: 'accepted', status: 204 }),
        outcomeOf({ kind: 'forbidden', reason: 'x' }),
      ],
      ['refused', 'accepted', 'forbidden'],
    )
  })
})

test('it says that all is delivered once the sink has taken something, and again after it was away', () =>
  using(async (whole, receiver) => {
    const made = await whole.subscribe('a/s', { sink: receiver.url })
    await whole.make('Vpc', 'a/one', vpc)
    await is(whole, made, 'True')
    assert.deepEqual(await events(whole), [])
    receiver.answer = () => 503
    await whole.make('Vpc', 'a/two', vpc)
    await is(whole, made, 'False')
    receiver.answer = () => 204
    await is(whole, made, 'True')
    assert.equal(
      (await whole.get(made))?.status?.conditions?.find(({ type }) => type === 'Ready')?.message,
      'the sink is told of each change',
    )
    await until(async () => (await events(whole)).length === 2, 'both turns are Events')
    assert.deepEqual([...(await events(whole))].sort(), ['Normal Delivering', 'Warning NotDelivering'])
  }))
