import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NamespaceSecrets, printSecret, readSecrets, secretOf } from '../../platform/signing.ts'
import { openHarness } from './rest-harness.ts'

const configured = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

test('whoever may write Subscriptions in a namespace reads what its callbacks are signed with; who only reads there, or writes elsewhere, does not', async () => {
  const rest = await openHarness((store) => store)
  const app = rest.another({ signing: new NamespaceSecrets(readSecrets(configured), false) })
  const ask = async (grant: object): Promise<readonly [number, unknown]> => {
    const token = await rest.issuer.issue(grant as never, 60)
    const answer = await app.inject({
      method: 'GET',
      url: '/v1/namespaces/a/signing-secret',
      headers: { authorization: `Bearer ${token}` },
    })
    return [answer.statusCode, answer.json<{ readonly secrets?: unknown }>().secrets]
  }
  try {
    const own = [printSecret(secretOf(readSecrets(configured)[0]!, 'a'))]
    assert.deepEqual(await ask({ subject: 's', scope: 'admin' }), [200, own])
    assert.deepEqual(await ask({ subject: 's', scope: 'operator:a' }), [200, own])
    assert.deepEqual(await ask({ subject: 's', scope: 'viewer:a' }), [403, undefined])
    assert.deepEqual(await ask({ subject: 's', scope: 'operator:b' }), [403, undefined])
  } finally {
    await app.close()
    await rest.close()
  }
})
