// What every request has: a name, a trace, a limit, a line in the audit log; and the page of documentation.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { makeLog } from '../../platform/log.ts'
import { Limits } from '../../platform/http/limits.ts'
import { ask, openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
const lines: Record<string, unknown>[] = []
const clock = new TurnedClock(Date.parse('2026-11-21T12:00:00Z'))
before(async () => {
  rest = await openHarness((store) => store, clock)
})
after(() => rest.close())
const logged = () =>
  rest.another({ log: makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }) })

describe('a request', () => {
  test("has a name: the client's where it is one, else one of ours, and never the same twice", async () => {
    const named = async (headers: Record<string, string>): Promise<string> =>
      String((await rest.ask('GET /v1/vpcs', { headers })).headers['x-request-id'])
    assert.equal(await named({ 'x-request-id': 'order-4711' }), 'order-4711')
    const ours = [
      await named({}),
      await named({}),
      await named({ 'x-request-id': 'a b' }),
      await named({ 'x-request-id': 'x'.repeat(200) }),
    ]
    assert.equal(new Set(ours).size, 4)
    for (const line of ['GET /nowhere', 'GET /v1/vpcs/%ZZ', 'POST /v1/vpcs', 'GET /openapi.json'])
      assert.ok((await rest.ask(line)).headers['x-request-id'], line)
    assert.ok((await rest.ask('GET /v1/vpcs', { headers: { authorization: '' } })).headers['x-request-id'])
  })

  test('that changes something, or would, is one line of the log: who, what, how it ended, and nothing that was sent', async () => {
    const app = logged()
    lines.length = 0
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-request-id': 'r1' }
    const made = await ask(app, rest.token, 'POST /v1/namespaces/a/vpcs', {
      body: { metadata: { name: 'v', annotations: { password: 'hush' } }, spec: {} },
      headers,
    })
    await ask(app, rest.token, 'GET /v1/namespaces/a/vpcs')
    await ask(app, rest.token, 'DELETE /v1/namespaces/a/vpcs/none?dryRun=true', { headers: { 'if-match': '*' } })
    await ask(app, await rest.issuer.issue({ subject: 'v', scope: 'viewer' }, 60), 'DELETE /v1/namespaces/a/vpcs/v', {
      headers: { 'if-match': '*', traceparent: 'rubbish' },
    })
    await ask(app, 'not.a.token', 'DELETE /v1/namespaces/a/vpcs/v')
    const audits = lines.filter(({ msg }) => msg === 'change asked for').map(({ audit }) => audit as Record<string, unknown>)
    assert.deepEqual(
      audits.map(({ request: _r, tookMs: _t, ...rest }) => rest),
      [
        {
          trace,
          subject: 'test',
          issuer: 'megrez',
          method: 'POST',
          path: '/v1/namespaces/a/vpcs',
          status: 201,
          made: '/v1/namespaces/a/vpcs/v',
          uid: (made.body['metadata'] as { uid: string }).uid,
        },
        { subject: 'test', issuer: 'megrez', method: 'DELETE', path: '/v1/namespaces/a/vpcs/none', dryRun: true, status: 404 },
        { subject: 'v', issuer: 'megrez', method: 'DELETE', path: '/v1/namespaces/a/vpcs/v', status: 403 },
      ],
    )
    assert.equal(audits[0]?.['request'], 'r1')
    const all = JSON.stringify(lines)
    assert.ok(!all.includes('hush') && !all.includes(rest.token), 'no secrets')
    await app.close()
  })

  test("of a caller who asks too much waits, and nobody else's does", async () => {
    const app = rest.another({ limits: new Limits(10, clock) })
    const other = await rest.issuer.issue({ subject: 'patient', scope: 'viewer' }, 60)
    const get = (token: string) => ask(app, token, 'GET /v1/vpcs')
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(rest.token)))
    assert.deepEqual(
      [answers.filter(({ status }) => status === 200).length, answers.filter(({ status }) => status === 429).length],
      [20, 30],
    )
    const refused = answers.find(({ status }) => status === 429)
    assert.deepEqual([refused?.headers['retry-after'], refused?.problem.code], ['1', 'rate-limited'])
    assert.equal((await get(other)).status, 200)
    clock.advance(1_000)
    const later = await Promise.all(Array.from({ length: 20 }, () => get(rest.token)))
    assert.equal(later.filter(({ status }) => status === 200).length, 10)
    await app.close()
  })
})

describe('who calls', () => {
  /** Headers as they go over the wire, in their order. */
  const status = async (address: string, headers: readonly string[]): Promise<readonly [number | undefined, string]> => {
    const [answer] = (await once(request(`${address}/v1/vpcs`, { headers: [...headers, 'host', 'localhost'] }).end(), 'response')) as [
      IncomingMessage,
    ]
    let text = ''
    for await (const piece of answer) text += String(piece)
    return [answer.statusCode, text]
  }

  test('is nobody where two Authorization headers say so, whichever of them is good, and though they agree', async () => {
    const app = rest.another()
    try {
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const [good, viewer, bad] = [
        `Bearer ${await rest.fresh()}`,
        `Bearer ${await rest.issuer.issue({ subject: 'v', scope: 'viewer' }, 60)}`,
        'Bearer x.y.z',
      ]
      assert.equal((await status(address, ['Authorization', good]))[0], 200)
      for (const [first, second] of [
        [good, bad],
        [bad, good],
        [good, viewer],
        [good, good],
        [good, ''],
      ] as const) {
        const [code, text] = await status(address, ['authorization', first, 'AUTHORIZATION', second])
        assert.equal(code, 401)
        assert.match(text, /there are two Authorization headers/)
      }
      assert.equal((await status(address, ['authorization', `${good}, ${good}`]))[0], 401)
      // As an API server between has it, which takes Authorization off.
      assert.equal((await status(address, ['Megrez-Authorization', good]))[0], 200)
      assert.equal((await status(address, ['Megrez-Authorization', bad]))[0], 401)
      for (const names of [
        ['authorization', 'megrez-authorization'],
        ['megrez-authorization', 'authorization'],
        ['megrez-authorization', 'Megrez-Authorization'],
      ] as const)
        assert.equal((await status(address, [names[0], good, names[1], good]))[0], 401, names.join())
    } finally {
      await app.close()
    }
  })

  const by = 'megrez.io/requested-by'
  /** But for when it was asked for. */
  const annotationsOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): unknown => {
    const { 'megrez.io/requested-at': at, ...others } =
      (body['metadata'] as { readonly annotations?: Readonly<Record<string, string>> }).annotations ?? {}
    assert.match(at ?? '', /^2026-.*\.\d{3}Z$/)
    return others
  }
  const forged = { [by]: 'megrez:megrez#root', note: 'kept' }
  const pod = { metadata: { name: 'p', annotations: forged }, spec: { containers: [{ name: 'c', image: 'i' }] } }

  test('cannot say that another has asked: what he writes there is replaced by who he is', async () => {
    const said = { [by]: 'megrez:megrez#test', note: 'kept' }
    const all = '/v1/namespaces/by/securitygroups'
    const group = (annotations: object) => ({ metadata: { name: 'g', annotations }, spec: {} })
    const headers = { 'if-match': '*' }
    assert.deepEqual(annotationsOf(await rest.ask(`POST ${all}?dryRun=true`, { body: group(forged) })), said)
    assert.deepEqual(annotationsOf(await rest.ask(`POST ${all}`, { body: group(forged) })), said)
    assert.deepEqual(annotationsOf(await rest.ask(`POST /v1/namespaces/by/pods`, { body: pod })), said)
    assert.deepEqual(annotationsOf(await rest.ask(`PUT ${all}/g`, { body: group(forged), headers })), said)
    assert.deepEqual(annotationsOf(await rest.ask(`PATCH ${all}/g`, { body: { metadata: { annotations: { [by]: 'x' } } }, headers })), said)
    assert.deepEqual(
      annotationsOf(await rest.ask(`PATCH ${all}/g`, { body: { metadata: { annotations: { [by]: null } } }, headers })),
      said,
      'nor take it away',
    )
    const operator = { ...headers, authorization: `Bearer ${await rest.issuer.issue({ subject: 'second', scope: 'operator' }, 60)}` }
    assert.deepEqual(annotationsOf(await rest.ask(`PATCH ${all}/g`, { body: { metadata: { labels: { a: 'b' } } }, headers: operator })), {
      ...said,
      [by]: 'megrez:megrez#second',
    })
    assert.deepEqual(
      annotationsOf(await rest.ask(`POST ${all}`, { body: { metadata: { name: 'plain' }, spec: {} } })),
      {},
      'where nobody is named, nobody needs to be',
    )
  })

  test('of a cluster is named by us, always; an account of its own names nobody, and leaves what stands there', async () => {
    const access = (name: string | undefined) => ({
      wouldAllow: () => Promise.resolve(true),
      review: () => Promise.resolve(),
      storeFor: () => undefined,
      userOf: () => name,
    })
    const [ours, own] = [rest.another({ access: access('megrez:i#a') }), rest.another({ access: access(undefined) })]
    const post = (app: typeof ours, name: string, annotations?: object) =>
      ask(app, rest.token, 'POST /v1/namespaces/by/securitygroups', {
        body: { metadata: { name, ...(annotations && { annotations }) }, spec: {} },
      })
    const patch = (app: typeof ours, name: string, value: string) =>
      ask(app, rest.token, `PATCH /v1/namespaces/by/securitygroups/${name}`, {
        body: { metadata: { annotations: { [by]: value } } },
        headers: { 'if-match': '*' },
      })
    assert.deepEqual(annotationsOf(await post(ours, 'c1')), { [by]: 'megrez:i#a' })
    assert.deepEqual(annotationsOf(await post(ours, 'c2', forged)), { [by]: 'megrez:i#a', note: 'kept' })
    assert.deepEqual(annotationsOf(await post(own, 'c3', forged)), { note: 'kept' })
    assert.deepEqual(annotationsOf(await patch(own, 'c1', 'me')), { [by]: 'megrez:i#a' })
    assert.deepEqual(annotationsOf(await patch(own, 'c3', 'me')), { note: 'kept' })
    await Promise.all([ours.close(), own.close()])
  })
})

describe('the page of documentation', () => {
  test('has every operation and schema, and runs and fetches nothing', async () => {
    const answer = await rest.ask('GET /docs', { headers: { authorization: '' } })
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
    const document = (await rest.ask('GET /openapi.json')).body as {
      paths: Record<string, Record<string, { operationId?: string }>>
      components: { schemas: object }
    }
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
    for (const id of ids) assert.ok(answer.text.includes(`id="${id}"`), id)
    for (const name of Object.keys(document.components.schemas)) assert.ok(answer.text.includes(`id="schema-${name}"`), name)
    assert.match(answer.text, /nav\{display:flex;flex-wrap:wrap/)
    assert.ok(!/<script|https?:\/\/(?!megrez\.io|nfvo\.example\.org)[^<"]*"/i.test(answer.text))
  })

  test('is searched by words: what has all of them is shown under its head, and few are opened', async () => {
    const search = async (words: string): Promise<{ readonly text: string; readonly shown: readonly string[]; readonly open: number }> => {
      const { status, text } = await rest.ask(`GET /docs?search=${encodeURIComponent(words)}`, { headers: { authorization: '' } })
      assert.equal(status, 200)
      return {
        text,
        shown: [...text.matchAll(/<details (?:open )?id="([^"]+)"/g)].map((match) => match[1]!),
        open: text.split('<details open ').length - 1,
      }
    }
    const all = (await search('')).shown.length
    const subnets = await search('Subnet  LIST')
    assert.ok(
      subnets.shown.includes('listSubnets') && !subnets.shown.includes('listVpcs') && subnets.shown.length < all,
      subnets.shown.join(' '),
    )
    const one = await search('replaySubscription')
    assert.deepEqual([one.shown, one.open], [['replaySubscription'], 1])
    assert.match(one.text, /1 has all of these words/)
    assert.match(one.text, /value="replaySubscription"/)
    const hostile = await search('"><script>alert(1)</script> \u0000 <b>')
    assert.deepEqual([hostile.shown, /<script|<b>/.test(hostile.text)], [[], false])
    assert.match(hostile.text, /Nothing has all of these words/)
    assert.equal((await search('&amp; é'.repeat(1_000))).shown.length, 0)
    assert.ok((await search('octet-stream & <')).shown.length < all)
    for (const query of ['search=a&search=b', 'other=1'])
      assert.equal((await rest.ask(`GET /docs?${query}`, { headers: { authorization: '' } })).status, 400, query)
  })
})
