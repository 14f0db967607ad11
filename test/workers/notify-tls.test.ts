import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { NamespaceSecrets } from '../../platform/signing.ts'
import { HttpNotifier } from '../../workers/notify/send/http.ts'
import { openReceiver } from './notify-receiver.ts'

const name = 'hooks.example.org'

/** What a sending to `host` says, where the server has a certificate for one name or address and we know its authority, or do not. */
async function outcomeOf(certified: string, host: string, known = true): Promise<string> {
  const life = { now: Date.now(), ms: 3_600_000 }
  const authority = makeAuthority('test', life)
  const receiver = await openReceiver({ tls: issueLeaf(authority, [certified], life) })
  const notifier = new HttpNotifier({
    settings: { callbackAllow: ['127.0.0.1/32'], callbackHttp: false },
    timeoutMs: 5_000,
    secrets: new NamespaceSecrets([], false),
    clock: realClock,
    random: Math.random,
    resolve: () => Promise.resolve(['127.0.0.1']),
    ...(known ? { ca: authority.cert } : {}),
  })
  const receipt = await notifier.send(
    { id: 'msg_1', url: receiver.url.replace('127.0.0.1', host), sequence: 1, phase: 'ready', body: '{}' },
    new AbortController().signal,
  )
  await notifier.close()
  await receiver.close()
  assert.equal(receiver.heard.length, receipt.kind === 'accepted' ? 1 : 0)
  return receipt.kind
}

describe('callbacks over TLS', () => {
  test('a certificate of a known authority for the name, or the address, is taken', async () => {
    assert.equal(await outcomeOf(name, name), 'accepted')
    assert.equal(await outcomeOf('127.0.0.1', '127.0.0.1'), 'accepted')
  })
  test('one for another name, for another address, or of an unknown authority is not, and nothing is sent', async () => {
    assert.equal(await outcomeOf('other.example.org', name), 'unreachable')
    assert.equal(await outcomeOf('127.0.0.2', '127.0.0.1'), 'unreachable')
    assert.equal(await outcomeOf('127.0.0.1', name), 'unreachable', 'the pinned address is not what was asked for')
    assert.equal(await outcomeOf(name, name, false), 'unreachable')
  })
})
