// What every request has: a name, a trace, a limit, a line in the audit log; and the page of documentation.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { makeLog } from '../../platform/log.ts'
import { Limits } from '../../webhooks/plugins/limits.ts'
import { ask, openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
const lines: Record<string, unknown>[] = []
const clock = new TurnedClock(Date.parse('2026-11-21T12:00:00Z'))
before(async () => {
  rest = await openHarness((store) => store, clock)
})
after(() => rest.close())
const logged = () => rest.another({ log: makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }) })

describe('a request', () => {
  test('has a name: the client\'s where it is one, else one of ours, and never the same twice', async () => {
    const named = async (headers: Record<string, string>): Promise<string> => String((await rest.ask('GET /v1/vpcs', { headers })).headers['x-request-id'])
    assert.equal(await named({ 'x-request-id': 'order-4711' }), 'order-4711')
    const ours = [await named({}), await named({}), await named({ 'x-request-id': 'a b' }), await named({ 'x-request-id': 'x'.repeat(200) })]
    assert.equal(new Set(ours).size, 4)
    for (const line of ['GET /nowhere', 'GET /v1/vpcs/%ZZ', 'POST /v1/vpcs', 'GET /openapi.json']) assert.ok((await rest.ask(line)).headers['x-request-id'], line)
    assert.ok((await rest.ask('GET /v1/vpcs', { headers: { authorization: '' } })).headers['x-request-id'])
  })

  test('that changes something, or would, is one line of the log: who, what, how it ended, and nothing that was sent', async () => {
    const app = logged()
    lines.length = 0
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-request-id': 'r1' }
    const made = await ask(app, rest.token, 'POST /v1/namespaces/a/vpcs', { body: { metadata: { name: 'v', annotations: { password: 'hush' } }, spec: {} }, headers })
    await ask(app, rest.token, 'GET /v1/namespaces/a/vpcs')
    await ask(app, rest.token, 'DELETE /v1/namespaces/a/vpcs/none?dryRun=true', { headers: { 'if-match': '*' } })
    await ask(app, await rest.issuer.issue({ subject: 'v', scope: 'viewer' }, 60), 'DELETE /v1/namespaces/a/vpcs/v', { headers: { 'if-match': '*', traceparent: 'rubbish' } })
    await ask(app, 'not.a.token', 'DELETE /v1/namespaces/a/vpcs/v')
    const audits = lines.filter(({ msg }) => msg === 'change asked for').map(({ audit }) => audit as Record<string, unknown>)
    assert.deepEqual(audits.map(({ request: _r, tookMs: _t, ...rest }) => rest), [
      { trace, subject: 'test', issuer: 'megrez', method: 'POST', path: '/v1/namespaces/a/vpcs', status: 201, made: '/v1/namespaces/a/vpcs/v', uid: (made.body['metadata'] as { uid: string }).uid },
      { subject: 'test', issuer: 'megrez', method: 'DELETE', path: '/v1/namespaces/a/vpcs/none', dryRun: true, status: 404 },
      { subject: 'v', issuer: 'megrez', method: 'DELETE', path: '/v1/namespaces/a/vpcs/v', status: 403 },
    ])
    assert.equal(audits[0]?.['request'], 'r1')
    const all = JSON.stringify(lines)
    assert.ok(!all.includes('hush') && !all.includes(rest.token), 'no secrets')
    await app.close()
  })

  test('of a caller who asks too much waits, and nobody else\'s does', async () => {
    const app = rest.another({ limits: new Limits(10, clock) })
    const other = await rest.issuer.issue({ subject: 'patient', scope: 'viewer' }, 60)
    const get = (token: string) => ask(app, token, 'GET /v1/vpcs')
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(rest.token)))
    assert.deepEqual([answers.filter(({ status }) => status === 200).length, answers.filter(({ status }) => status === 429).length], [20, 30])
    const refused = answers.find(({ status }) => status === 429)
    assert.deepEqual([refused?.headers['retry-after'], refused?.problem.code], ['1', 'rate-limited'])
    assert.equal((await get(other)).status, 200)
    clock.turn(1_000)
    const later = await Promise.all(Array.from({ length: 20 }, () => get(rest.token)))
    assert.equal(later.filter(({ status }) => status === 200).length, 10)
    await app.close()
  })
})

describe('the page of documentation', () => {
  test('has every operation and schema, and runs and fetches nothing', async () => {
    const answer = await rest.ask('GET /docs', { headers: { authorization: '' } })
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
    const document = (await rest.ask('GET /openapi.json')).body as { paths: Record<string, Record<string, { operationId?: string }>>; components: { schemas: object } }
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
    for (const id of ids) assert.ok(answer.text.includes(`id="${id}"`), id)
    for (const name of Object.keys(document.components.schemas)) assert.ok(answer.text.includes(`id="schema-${name}"`), name)
    assert.ok(!/<script|https?:\/\/(?!megrez\.io|nfvo\.example\.org)[^<"]*"/i.test(answer.text))
  })
})
