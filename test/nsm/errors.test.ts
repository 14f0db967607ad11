// What does not work is answered in NSM's words, by our nsmgr, forwarder and endpoint as by NSM's own; and what is hostile is bounded.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startPeer, type PeerEvent } from './peers.ts'
import { system } from './system.ts'

const ours = ['nsmgr', 'forwarder', 'endpoint'] as const
const connects = ['--service', 'svc-a', '--id', 'conn-1', '--hold', '1ms', '--timeout', '5s']

async function failureOf(...args: readonly string[]): Promise<string> {
  const peer = startPeer(...args)
  await peer.ended
  const failed = peer.events.find(({ event }) => event === 'request-failed' || event === 'call-failed')
  return failed === undefined ? `no failure: ${JSON.stringify(peer.events)}` : textOf(failed)
}
const textOf = ({ codeNumber, message }: PeerEvent): string =>
  `${String(codeNumber)} ${String(message).replace(/^rpc error: code = \w+ desc = /, '')}`
const forwarderFailed = (text: string): string =>
  `2 0. An error during select forwarder forwarder-1 --> rpc error: code = Unknown desc = ${text}: all forwarders have failed`

async function withNsmgr(t: TestContext) {
  const { nsmgr, endpoint } = await system(t, ours)
  const client = (...more: readonly string[]): Promise<string> => failureOf('client', '--connect', nsmgr, ...connects, ...more)
  const call = (method: string, message: object): Promise<string> =>
    failureOf('call', '--connect', nsmgr, '--method', `networkservice.NetworkService/${method}`, '--json', JSON.stringify(message))
  return { nsmgr, endpoint, client, call }
}

test('a client hears why it has no connection', async (t) => {
  const { nsmgr, endpoint, client, call } = await withNsmgr(t)
  const kernel = ['--mechanism', 'kernel']
  assert.equal(await client(...kernel), forwarderFailed('network service endpoint candidates not found'))
  await endpoint(1)
  const refused = '0. An error during select endpoint nse-1 --> cannot support any of the requested mechanism: all candidates have failed'
  assert.equal(await client('--mechanism', 'wireguard'), forwarderFailed(refused))
  assert.equal(await client(), forwarderFailed(refused))
  assert.equal(await client(...kernel, '--nse', 'nse-9'), forwarderFailed('network service endpoint nse-9 not found'))
  assert.match(await client(...kernel, '--token', 'none'), /^2 .*expiration for the previous path segment cannot be nil: id:/)
  assert.equal(
    await failureOf('client', '--connect', nsmgr, ...connects, ...kernel, '--service', 'svc-z'),
    '2 network service svc-z is not found',
  )
  await startPeer('register-ns', '--registry', nsmgr, '--name', 'svc-a', '--match', 'app=web=>role=web').ended
  assert.equal(await client(...kernel), '2 no candidates found')
  assert.equal(await call('Request', {}), '2 network service  is not found')
  const path = (index: number, id: string) => ({
    connection: { id: 'x', networkService: 'svc-a', path: { index, pathSegments: [{ name: 'a', id }] } },
  })
  assert.equal(await call('Request', path(0, 'y')), '2 Current PathSegment.Id==y should be equal Connection.Id==x')
  assert.equal(await call('Request', path(3, 'x')), '2 Path.Index+1==4 should be less or equal len(Path.PathSegments)==1')
  const many = { id: 'x', path: { pathSegments: Array.from({ length: 40 }, () => ({ name: 'a', id: 'x' })) } }
  assert.equal(await call('Request', { connection: many }), '2 the path has 40 segments, more than 32')
})

test('what its client no longer refreshes is closed when that client’s token ends, less what its call had left', async (t) => {
  const { nsmgr, endpoint } = await withNsmgr(t)
  await endpoint(1)
  const monitor = startPeer('monitor', '--connect', nsmgr)
  t.after(() => monitor.kill())
  await monitor.event('monitor')
  const lives = ['--token-lifetime', '3s', '--timeout', '1s', '--refresh=false', '--no-close']
  const client = startPeer(
    'client',
    '--connect',
    nsmgr,
    '--service',
    'svc-a',
    '--id',
    'conn-1',
    '--hold',
    '1ms',
    '--mechanism',
    'kernel',
    ...lives,
  )
  const { t: asked } = await client.event('request')
  const { t: closed } = await monitor.event('monitor', ({ type }) => type === 'DELETE')
  const ms = Date.parse(String(closed)) - Date.parse(String(asked))
  assert.ok(ms > 1_500, `closed after ${ms} ms, although its token lasts for 3 s and its call had 1 s`)
})
