// As the scenario mtls of peers/nsm/reference has it, for what a registry answers: SPIFFE certificates, and tokens that they have signed.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { after, before, describe, test, type TestContext } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { spiffeRules } from '../../platform/nsm/tokens/authorize.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { run as runProgram } from '../../platform/programs/run.ts'
import { Certificates } from '../../platform/tls.ts'
import { play, type Played } from './played.ts'
import { serveRegistry } from './registry-served.ts'
import type { PeerEvent } from './transcripts.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-nsm-'))
  const program = process.env.MEGREZ_TEST_NSM_PEER!
  const made = await runProgram(program, ['certs', '--out', folder, '--name', 'registry,nsmgr,nse-1,client,other'])
  assert.equal(made.code, 0, made.stderr)
})
after(() => rm(folder, { recursive: true }))

const file = (name: string): string => join(folder, name)
const as = (name: string): string[] => [
  '--tls',
  'mtls',
  '--tls-ca',
  file('ca.pem'),
  '--tls-cert',
  file(`${name}.pem`),
  '--tls-key',
  file(`${name}.key`),
]
const opa = ['--token', 'spiffejwt', '--token-lifetime', '10m', '--authorize', 'opa']

async function serve(t: TestContext): Promise<{ readonly address: string; readonly scenario: Played }> {
  const read = (name: string): Promise<string> => readFile(file(name), 'utf8')
  const certificate = new Certificates({
    cert: await read('registry.pem'),
    key: await read('registry.key'),
    clientCa: await read('ca.pem'),
  })
  const tokens = spiffeTokens({ certificate, lifeMs: 600_000, clock: realClock })
  const { address } = await serveRegistry(t, { certificate, tokens, rules: spiffeRules(realClock) })
  const scenario = play()
  t.after(() => scenario.finish())
  return { address, scenario }
}

const register = [
  'register-nse',
  '--name',
  'nse-1',
  '--service',
  'svc-a',
  '--url',
  'tcp://127.0.0.1:5333',
  '--once',
  '--heal=false',
  '--timeout',
  '3s',
]
const outcomes = (events: readonly PeerEvent[]): string[] =>
  events.flatMap(({ event, code, message }) =>
    /-failed|error/.test(event) ? [`${String(code)} ${String(message)}`] : /registered/.test(event) ? [event] : [],
  )
const refused = /PermissionDenied .*registry: an error occurred during authorization policy check: .*no sufficient privileges/

describe('a registry for clients with SPIFFE certificates', () => {
  test("takes registrations by its clients' own policies, and the way of them has every id", async (t) => {
    const { address, scenario } = await serve(t)
    const { run, events } = scenario
    await run('client', 'register-ns', '--registry', address, '--name', 'svc-a', ...as('client'), ...opa)
    await run('nse', ...register, '--registry', address, ...as('nse-1'), ...opa)
    assert.deepEqual(outcomes(events('client')), ['registered'])
    assert.deepEqual(outcomes(events('nse')), ['registered'])
    const answer = events('nse').find(({ event }) => event === 'registered')?.['nse'] as { readonly pathIds: readonly string[] }
    assert.deepEqual(answer.pathIds, ['spiffe://nsm.test/nse-1', 'spiffe://nsm.test/registry'])
  })

  test("an nsmgr of NSM's registers for its clients", async (t) => {
    const { address, scenario } = await serve(t)
    const { start, run, events } = scenario
    start('nsmgr', 'nsmgr', '--listen', 'tcp://127.0.0.1:0', '--registry', address, '--name', 'nsmgr-1', ...as('nsmgr'), ...opa)
    await wait(500)
    const nsmgr = String(events('nsmgr').find(({ event }) => event === 'listening')?.['url'])
    await run('nse', ...register, '--registry', nsmgr, ...as('nse-1'), ...opa)
    assert.deepEqual(outcomes(events('nse')), ['registered'])
    await run('find', 'find-nse', '--registry', address, '--name', 'nse-1', ...as('client'), ...opa)
    const found = events('find').find(({ event }) => event === 'nse')?.['nse'] as { readonly pathIds: readonly string[] }
    assert.deepEqual(found.pathIds, ['spiffe://nsm.test/nse-1', 'spiffe://nsm.test/nsmgr', 'spiffe://nsm.test/registry'])
    await run('other', ...register, '--registry', nsmgr, ...as('other'), ...opa)
    assert.match(outcomes(events('other')).join(), /no sufficient privileges/)
  })

  test("refuses another's registration, tokens that are not its caller's, and who has no certificate", async (t) => {
    const { address, scenario } = await serve(t)
    const { run, events } = scenario
    const to = ['--registry', address]
    await run('nse', ...register, ...to, ...as('nse-1'), ...opa)
    await run('over', ...register, ...to, ...as('other'), ...opa)
    assert.match(outcomes(events('over')).join(), refused)
    await run('away', 'unregister-nse', ...to, '--name', 'nse-1', ...as('other'), ...opa)
    assert.match(outcomes(events('away')).join(), refused)
    const foreign = ['--token', 'spiffejwt', '--token-cert', file('nse-1.pem'), '--token-key', file('nse-1.key')]
    await run('foreign', ...register, ...to, ...as('other'), ...foreign)
    assert.match(outcomes(events('foreign')).join(), refused)
    await run('test', ...register, ...to, ...as('nse-1'))
    assert.match(outcomes(events('test')).join(), refused)
    await run('expired', ...register, ...to, ...as('nse-1'), '--token', 'spiffejwt', '--token-lifetime', '-30s')
    assert.match(outcomes(events('expired')).join(), refused)
    await run('plain', ...register, ...to)
    assert.match(outcomes(events('plain')).join(), /^Unavailable/)
    await run('find', 'find-nse', ...to, '--name', 'nse-1', ...as('client'), ...opa)
    assert.equal(events('find').filter(({ event }) => event === 'nse').length, 1)
    await run('own', 'unregister-nse', ...to, '--name', 'nse-1', ...as('nse-1'), ...opa)
    assert.deepEqual(outcomes(events('own')), ['unregistered'])
  })
})
