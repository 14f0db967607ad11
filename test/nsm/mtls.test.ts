// Everybody with a SPIFFE certificate, tokens of ES256, and NSM's own policies in its programs: ours are taken, and take no others.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { run } from '../../cli/run.ts'
import type { Context } from '../../cli/context.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import { startForwarder } from '../../platform/nsm/roles/forwarder.ts'
import { startNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import type { Program } from '../../platform/nsm/roles/program.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { until } from '../setup/until.ts'
import { addressOf, programOf, startPeer } from './peers.ts'

const local = 'tcp://127.0.0.1:0'

async function mesh(t: TestContext, isOurs: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-nsm-'))
  await startPeer('certs', '--out', folder, '--name', 'registry,nsmgr,forwarder,nse,client,other').ended
  const pem = (name: string): string => join(folder, name)
  const as = (name: string): readonly string[] => [
    ...['--tls', 'mtls', '--tls-ca', pem('ca.pem'), '--tls-cert', pem(`${name}.pem`), '--tls-key', pem(`${name}.key`)],
    ...['--token', 'spiffejwt', '--token-lifetime', '10m', '--authorize', 'opa'],
  ]
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })]
  t.after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const program = async (who: string, name: string): Promise<Program> => {
    const files = { cert: pem(`${who}.pem`), key: pem(`${who}.key`), clientCa: pem('ca.pem') }
    const certificate = await followFiles(files, { clock: realClock, log: silentLog() })
    stops.push(async () => certificate.close())
    return { ...programOf(name), certificate, tokens: spiffeTokens({ certificate, lifeMs: 600_000, clock: realClock }) }
  }
  const peer = async (who: string, ...args: readonly string[]) => {
    const started = startPeer(...args, ...as(who))
    stops.push(() => started.kill())
    return started
  }
  const signal = AbortSignal.timeout(60_000)
  const registry = await addressOf(await peer('registry', 'registry-memory', '--listen', local))
  const listen = `tcp://127.0.0.1:${(await freePorts(1))[0]}`
  const mechanisms = ['NOOP']
  if (isOurs) {
    const nsmgr = await startNsmgr(await program('nsmgr', 'nsmgr-1'), {
      listen,
      registry,
      forwarderService: 'forwarder',
      excludedPrefixes: [],
    })
    stops.push(() => nsmgr.stop())
    const preferences = () => [mechanismOf('noop')]
    const forwarding = { listen: local, nsmgr: listen, service: 'forwarder', mechanisms, preferences, signal }
    const forwarder = await startForwarder(await program('forwarder', 'forwarder-1'), forwarding)
    stops.push(() => forwarder.stop())
  } else {
    await addressOf(await peer('nsmgr', 'nsmgr', '--listen', listen, '--registry', registry, '--name', 'nsmgr-1'))
    const args = ['--listen', local, '--registry', listen, '--name', 'forwarder-1', '--out-mechanism', 'noop']
    await (await peer('forwarder', 'forwarder', ...args)).event('registered')
  }
  await startPeer('register-ns', '--registry', listen, '--name', 'svc-a', ...as('client')).ended
  return { as, pem, program, peer, stops, signal, nsmgr: listen }
}

for (const isOurs of [true, false]) {
  describe(isOurs ? 'our nsmgr, forwarder and endpoint' : 'our endpoint behind NSM’s nsmgr and forwarder', () => {
    test('NSM’s client, whose policies judge our tokens, has its connection; others may neither watch nor take it', async (t) => {
      const { as, program, peer, stops, signal, nsmgr } = await mesh(t, isOurs)
      const endpoint = await startEndpoint(await program('nse', 'nse-1'), {
        listen: local,
        registry: nsmgr,
        services: { 'svc-a': {} },
        mechanisms: ['NOOP'],
        addresses: { blocks: [parseCidr('10.60.1.0/24')!], strict: true },
        signal,
      })
      stops.push(() => endpoint.stop())
      const client = await peer(
        'client',
        'client',
        '--connect',
        nsmgr,
        '--service',
        'svc-a',
        '--id',
        'conn-1',
        '--mechanism',
        'noop',
        '--heal',
      )
      const { connection } = (await client.event('connected')) as unknown as {
        readonly connection: {
          readonly path: { readonly pathSegments: readonly { readonly token: string; readonly id: string; readonly name: string }[] }
        }
      }
      const { pathSegments } = connection.path
      assert.deepEqual(
        pathSegments.map(({ token }) => token.replace(/,exp=.*/, '')),
        ['client>nsmgr', 'nsmgr>forwarder', 'forwarder>nse', 'nse>forwarder'].map((pair) => {
          const [from, to] = pair.split('>')
          return `jwt(ES256,sub=spiffe://nsm.test/${from},aud=spiffe://nsm.test/${to}`
        }),
      )
      if (!isOurs) return
      const own = startPeer('monitor', '--connect', nsmgr, '--path-segment', 'conn-1', '--count', '1', ...as('client'))
      assert.equal((await own.event('monitor'))['type'], 'INITIAL_STATE_TRANSFER')
      for (const [who, selector] of [
        ['client', []],
        ['other', ['--path-segment', 'conn-1']],
      ] as const) {
        const refused = startPeer('monitor', '--connect', nsmgr, ...selector, '--count', '1', ...as(who))
        const { codeNumber } = await refused.event('stream-end')
        assert.equal(codeNumber, 7)
      }
      const stolen = { id: 'conn-1', networkService: 'svc-a', path: { pathSegments: pathSegments.map(({ name, id }) => ({ name, id })) } }
      const call = ['--connect', nsmgr, '--method', 'networkservice.NetworkService/Close', '--json', JSON.stringify(stolen)]
      const thief = startPeer('call', ...call, ...as('other'))
      assert.equal((await thief.event('call-failed'))['codeNumber'], 7)
      assert.ok(!client.events.some(({ event, kind }) => event === 'request' && kind === 'heal'), 'it is still there')
    })
  })
}

test('megrez nsm endpoint and megrez nsm connect find each other through our nsmgr, and leave nothing behind', async (t) => {
  const { as, pem, nsmgr } = await mesh(t, true)
  const started = (who: string, args: readonly string[]) => {
    const [ending, said] = [new AbortController(), [] as string[]]
    const context: Context = {
      env: {},
      out: (text) => said.push(text),
      err: assert.fail,
      stdin: process.stdin,
      now: Date.now,
      signal: ending.signal,
    }
    const files = ['--cert', pem(`${who}.pem`), '--key', pem(`${who}.key`), '--ca', pem('ca.pem')]
    const exit = run(['nsm', ...args, ...files], context)
    return { said, exit, end: () => (ending.abort(), exit) }
  }
  const serves = [
    '--name',
    'nse-1',
    '--listen',
    local,
    '--registry',
    nsmgr,
    '--service',
    'svc-a',
    '--block',
    '10.60.1.0/24',
    '--route',
    '192.0.2.0/24',
  ]
  const endpoint = started('nse', ['endpoint', ...serves])
  await until(() => endpoint.said.length > 0, 'the endpoint serves')
  const client = started('client', ['connect', 'svc-a', '--nsmgr', nsmgr, '--id', 'conn-1', '--heal'])
  await until(() => client.said.length > 0, 'the client is connected')
  const { path, ...connected } = JSON.parse(client.said[0]!) as { readonly path: readonly string[] }
  assert.deepEqual(path, ['nsc', 'nsmgr-1', 'forwarder-1', 'nse-1'])
  assert.deepEqual(connected, {
    event: 'connected',
    id: 'conn-1',
    service: 'svc-a',
    endpoint: 'nse-1',
    mechanism: { type: 'NOOP', parameters: {} },
    addresses: ['10.60.1.1/32'],
    otherEnd: ['10.60.1.0/32'],
    routes: ['10.60.1.0/32', '192.0.2.0/24'],
  })
  assert.equal(await client.end(), 0)
  assert.equal(await endpoint.end(), 0)
  const left = startPeer('find-nse', '--registry', nsmgr, '--service', 'svc-a', ...as('client'))
  await left.ended
  assert.ok(!left.events.some(({ event }) => event === 'nse'), JSON.stringify(left.events))
})
