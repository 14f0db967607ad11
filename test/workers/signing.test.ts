// Callbacks of each namespace are signed with a secret of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { NamespaceSecrets, printSecret, readSecrets, secretOf } from '../../platform/signing.ts'
import { NotVerified, verify } from '../../receiver/verify.ts'
import { HttpNotifier } from '../../workers/notify/send/http.ts'
import { secret } from './notify-post.ts'
import { openReceiver, type Received } from './notify-receiver.ts'

/** One callback of a namespace, as its receiver has it. */
async function sent(namespace: string, shared: boolean): Promise<Received> {
  const receiver = await openReceiver()
  const notifier = new HttpNotifier({
    settings: { callbackAllow: ['127.0.0.0/8'], callbackHttp: true },
    timeoutMs: 5_000,
    secrets: new NamespaceSecrets(readSecrets(secret), shared),
    clock: realClock,
    random: Math.random,
  })
  try {
    const receipt = await notifier.send(
      { id: 'msg_1', url: receiver.url, sequence: 1, phase: 'ready', body: '{}', access: { namespace } },
      new AbortController().signal,
    )
    assert.equal(receipt.kind, 'accepted')
    return receiver.heard[0]!
  } finally {
    await notifier.close()
    await receiver.close()
  }
}
const own = (namespace: string): readonly string[] => new NamespaceSecrets(readSecrets(secret), false).own(namespace).map(printSecret)
const verifies = ({ body, headers }: Received, secrets: readonly string[]): boolean => {
  try {
    return verify(body, headers, { secrets }).id === 'msg_1'
  } catch (err) {
    if (err instanceof NotVerified) return false
    throw err
  }
}

test("a callback verifies by its own namespace's secret, and neither by another's nor by the one they come from", async () => {
  const received = await sent('a', false)
  assert.deepEqual(
    [verifies(received, own('a')), verifies(received, own('b')), verifies(received, own('')), verifies(received, [secret])],
    [true, false, false, false],
  )
})

test('while receivers are given theirs, the one that all had signs too', async () => {
  const received = await sent('a', true)
  assert.deepEqual([verifies(received, own('a')), verifies(received, own('b')), verifies(received, [secret])], [true, false, true])
})

test('what a secret is derived to never changes: receivers have kept it', () => {
  assert.equal(printSecret(secretOf(Buffer.alloc(32, 7), 'a')), 'whsec_0PKFNz4nN4gmNo2zhGDq26U0veeniNwtps8VYt2g+M4=')
})
