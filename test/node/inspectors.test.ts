// Inspectors with the real HAProxy: a client, a server, and between them what asks what they say.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { processesOf } from '../../agent/inspectors/processes.ts'
import type { Inspection } from '../../core/kinds/policy/compiled/inspection.ts'
import type { InspectorThing } from '../../core/node/inspectors/item.ts'
import { inspectorName } from '../../core/node/inspectors/names.ts'
import { haproxyMissing } from '../../lab/programs/haproxy.ts'
import { run } from '../../platform/programs/run.ts'
import { until } from '../setup/until.ts'
import { addresses, startInspectedLab, vni, type InspectedLab, type Conversation } from './inspected-lab.ts'

const skip = (await haproxyMissing({ install: false, print: () => undefined })) ?? false

const tcp = (first: number, last = first): NonNullable<Inspection['transport']> => [{ protocol: 6, first, last }]
const entry = (action: Inspection['action'], more: Partial<Inspection>): Inspection => ({
  index: 0,
  source: '/spec/egress/0',
  direction: 'egress',
  action,
  ...more,
})

const get = (path: string, host = 'a.example.org', more = ''): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
const statusOf = (text: string | undefined): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text ?? '')?.[1] ?? 0)
const bodyOf = (text: string | undefined): Readonly<Record<string, unknown>> =>
  JSON.parse(/\{.*\}/.exec(text ?? '')?.[0] ?? '{}') as Record<string, unknown>

/** Bytes that a client of TLS begins with. */
async function clientHello(servername: string | undefined): Promise<string> {
  const heard = Promise.withResolvers<string>()
  const server = createServer((socket) => socket.once('data', (data) => heard.resolve(data.toString('latin1'))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ...(servername && { servername }) })
  client.on('error', () => undefined)
  const text = await heard.promise
  client.destroy()
  server.close()
  return text
}

/** The same, told in two records of TLS. */
function inTwoRecords(hello: string): string {
  const [head, body] = [hello.slice(0, 3), hello.slice(5)]
  const record = (text: string): string => `${head}${String.fromCharCode(text.length >> 8, text.length & 255)}${text}`
  return record(body.slice(0, 40)) + record(body.slice(40))
}

describe('inspectors', { skip }, () => {
  let lab: InspectedLab
  before(async () => {
    lab = await startInspectedLab()
    assert.equal(await lab.host.missing(), undefined)
  })
  after(() => lab.close())

  const inspect = (...inspections: readonly Inspection[]): Promise<void> => lab.inspect(lab.thing(inspections))
  const http = (parts: readonly string[], more: { readonly to?: string } = {}): Promise<Conversation> =>
    lab.ask({ l4Port: 80, parts, ...more })
  const status = async (path: string, host?: string, more?: string): Promise<number> =>
    statusOf((await http([get(path, host, more)])).came[0])

  test('what an allow rule names passes, from the address of the client on, and nothing else of that connection', async () => {
    await inspect(
      entry('allow', { transport: tcp(80), l7: { http: [{ hosts: ['*.example.org'], paths: ['/api/*', '/exact'], methods: ['GET'] }] } }),
    )
    for (const [i, to] of addresses.server.entries()) {
      const { came } = await http([get('/api/x')], { to })
      assert.equal(statusOf(came[0]), 200)
      const { from, port } = bodyOf(came[0])
      assert.equal(String(from).replace('::ffff:', ''), addresses.client[i])
      assert.ok(Number(port) >= 61_000 && Number(port) <= 63_267, `it comes from port ${String(port)}`)
    }
    assert.equal(await status('/exact'), 200)
    assert.equal(await status('/exact', 'A.Example.ORG:80'), 200)
    assert.equal(await status('/exact', 'a.example.org.'), 200)
    assert.equal(await status('/exact', 'example.org'), 403, 'below it is not itself')
    assert.equal(await status('/exact', 'a.example.org.evil.org'), 403)
    assert.equal(await status('/exact/'), 403)
    assert.equal(await status('/other'), 403)
    assert.equal(statusOf((await http(['POST /exact HTTP/1.1\r\nHost: a.example.org\r\nContent-Length: 0\r\n\r\n'])).came[0]), 403)
    const other = await lab.ask({ l4Port: 80, parts: ['\x00\x01\x02'] })
    assert.deepEqual([other.came, other.end], [[''], 'ended'], 'what is no HTTP is refused')
  })

  test('each request of a connection is judged, of HTTP/2 too', async () => {
    await inspect(entry('allow', { transport: tcp(80, 81), l7: { http: [{ paths: ['/api/*'] }] } }))
    const { came, end } = await http([get('/api/1'), get('/no'), get('/api/2')])
    assert.deepEqual([came.map(statusOf), end], [[200, 403, 200], 'open'])
    const ask = (path: string) => run('ip', ['netns', 'exec', lab.client.name, process.execPath, '-e', streams, addresses.server[0], path])
    assert.equal((await ask('/api/1')).stdout.trim(), '200')
    assert.equal((await ask('/no')).stdout.trim(), '403')
  })

  test('a deny rule refuses what it names, however it is spelt, and lets the rest pass to what stands behind it', async () => {
    await inspect(
      entry('deny', { transport: tcp(80), l7: { urls: ['bad.example.org/evil', '*.w.example.org/x*', 'whole.example.org/*'] } }),
      entry('deny', { transport: tcp(80), l7: { http: [{ paths: ['/admin/*'], methods: ['DELETE'] }] } }),
    )
    const bad = 'bad.example.org'
    for (const path of [
      '/evil',
      '/evil?a=b',
      '/ev%69l',
      '/a/../evil',
      '/a/%2e%2e/evil',
      '//evil',
      '/./evil',
      '/%65vil',
      '/evil;x=1',
      '/a/..%2fevil',
    ])
      assert.equal(await status(path, bad), 403, path)
    for (const host of ['BAD.example.org', 'bad.example.org:80', 'bad.example.org.']) assert.equal(await status('/evil', host), 403, host)
    assert.equal(await status('/evil', 'good.example.org'), 200)
    assert.equal(await status('/evils', bad), 200)
    assert.equal(await status('/xyz', 'a.b.w.example.org'), 403)
    assert.equal(await status('/yz', 'a.b.w.example.org'), 200)
    assert.equal(await status('/', 'whole.example.org'), 403)
    assert.equal(statusOf((await http(['DELETE /admin/1 HTTP/1.1\r\nHost: x\r\n\r\n'])).came[0]), 403)
    assert.equal(await status('/admin/1'), 200)
    assert.equal(bodyOf((await http([get('/a/./b/../c%7e')])).came[0])['url'], '/a/c~', 'a server gets what was judged')
    const { came } = await lab.ask({ l4Port: 80, parts: [`GET http://${bad}/evil HTTP/1.1\r\nHost: ${bad}\r\n\r\n`] })
    assert.equal(statusOf(came[0]), 403, 'the whole URL as target')
  })

  test('what two could read in two ways is refused', async () => {
    await inspect(entry('deny', { transport: tcp(80), l7: { urls: ['bad.example.org/evil'] } }))
    for (const [what, text] of Object.entries({
      'two Hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: bad.example.org\r\n\r\n',
      'another authority': 'GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n',
      'a blank before a colon': 'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
      'a wrong escape': get('/%zz'),
      'two lengths': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'text that is no HTTP': 'HELLO there\r\n\r\n',
    }))
      assert.equal(statusOf((await http([text])).came[0]), 400, what)
    for (const path of ['/a/..;/b', '/a%5cb', '/a%2f%2fb', '/%00']) assert.equal(await status(path), 403, path)
    const both =
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /evil HTTP/1.1\r\nHost: bad.example.org\r\n\r\n'
    const { came } = await http([both])
    assert.doesNotMatch(came.join(''), /"url":"\/evil"/, 'what stands behind the last chunk is judged by itself')
  })

  test('a tunnel is opened only where a rule allows CONNECT', async () => {
    const plain = entry('allow', { transport: tcp(80), l7: { http: [{ hosts: ['a.example.org'] }] } })
    const connectTo = (host: string): string => `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`
    const upgrade = 'Connection: upgrade\r\nUpgrade: h2c\r\n'
    await inspect(plain)
    assert.equal(statusOf((await http([connectTo('a.example.org')])).came[0]), 403)
    assert.equal(bodyOf((await http([get('/', 'a.example.org', upgrade)])).came[0])['upgrade'], undefined, 'an upgrade is not passed on')
    await inspect(entry('deny', { transport: tcp(80), l7: { urls: ['b/x'] } }))
    assert.equal(statusOf((await http([connectTo('a.example.org')])).came[0]), 403)
    await inspect(entry('allow', { transport: tcp(80), l7: { http: [{ hosts: ['a.example.org'], methods: ['CONNECT'] }] } }))
    const { came } = await http([connectTo('a.example.org'), 'more'])
    assert.deepEqual([statusOf(came[0]), came[1]], [200, 'echo more'])
    assert.equal(statusOf((await http([connectTo('b.example.org')])).came[0]), 403)
  })

  test('TLS is known by the name that the client asks for, in one piece or several', async () => {
    const [good, bad, none] = [await clientHello('www.example.org'), await clientHello('www.bad.org'), await clientHello(undefined)]
    const passes = async (parts: readonly string[], apart = 0): Promise<boolean> =>
      (await lab.ask({ l4Port: 443, parts, apart })).came.join('').startsWith('bytes')
    await inspect(entry('allow', { transport: tcp(443), l7: { tls: { serverNames: ['*.example.org'] } } }))
    assert.equal(await passes([good]), true)
    assert.equal(await passes([good.slice(0, 30), good.slice(30, 200), good.slice(200)], 100), true, 'in segments')
    assert.equal(await passes([bad]), false)
    assert.equal(await passes([none]), false, 'no name')
    assert.equal(await passes([get('/', 'www.example.org')]), false, 'no TLS')
    await inspect(entry('deny', { transport: tcp(443), l7: { tls: { serverNames: ['*.bad.org'] } } }))
    assert.equal(await passes([good]), true)
    assert.equal(await passes([bad]), false)
    assert.equal(await passes([bad.slice(0, 30), bad.slice(30)], 100), false, 'in segments')
    assert.equal(await passes([inTwoRecords(bad)]), false, 'in records that hide it')
    assert.equal(await passes([none]), true)
    assert.equal(await passes(['\x01\x02\x03']), true, 'what is no TLS passes a deny rule')
  })

  test('rules are asked in their order, and who is asked nothing, or is nobody here, is refused', async () => {
    const [server] = addresses.server
    await inspect(
      entry('deny', { blocks: [`${server}/32`], transport: tcp(80), l7: { urls: ['a.example.org/no'] } }),
      entry('allow', { transport: tcp(80) }),
      entry('allow', { transport: tcp(25, 81), l7: { http: [{ paths: ['/only'] }] } }),
    )
    assert.equal(await status('/no'), 403)
    assert.equal(await status('/other'), 200, 'the plain rule has it')
    assert.equal((await http([get('/other')], { to: addresses.server[1] })).end, 'ended', 'to another block nothing was asked')
    const streamed = await run('ip', ['netns', 'exec', lab.client.name, process.execPath, '-e', streams, server, '/only'])
    assert.equal(streamed.stdout.trim(), '200')
    assert.equal((await lab.ask({ l4Port: 443, parts: ['\x01'] })).end, 'ended', 'no rule is about it')
    const silent = await lab.ask({ l4Port: 25, parts: [], waitMs: 13_000 })
    assert.deepEqual(silent, { came: [''], end: 'ended' }, 'who waits for the server to begin')
  })

  test('a change of rules counts for new connections at once, and cuts none', async () => {
    await inspect(entry('allow', { transport: tcp(443), l7: { tls: { serverNames: ['a.org'] } } }))
    const hello = await clientHello('a.org')
    const talk = lab.ask({ l4Port: 443, parts: [hello, ...Array.from({ length: 8 }, () => 'more')], apart: 250, waitMs: 4_000 })
    await until(async () => (await lab.server.exec('ss', '-Htn', 'state', 'established', 'sport = :443')).stdout !== '', 'it is open')
    await inspect(entry('allow', { transport: tcp(443), l7: { tls: { serverNames: ['b.org'] } } }))
    assert.equal((await lab.ask({ l4Port: 443, parts: [hello] })).end, 'ended')
    const { came, end } = await talk
    assert.equal(end, 'open')
    assert.equal(came.join('').match(/bytes/g)!.length, 9)
    await until(async () => (await processesOf(`${lab.folder}/${inspectorName(vni, 'egress')}/`)).length === 1, 'the one before has ended')
  })

  test('other addresses are told to the proxy that runs, for new connections, however often and many', async () => {
    const allowed = (peers: readonly string[], subjects?: readonly string[]): InspectorThing =>
      lab.thing([entry('allow', { blocks: [...peers], transport: tcp(443), l7: { tls: { serverNames: ['a.org'] } } })], 'egress', subjects)
    const server = '10.81.2.0/24'
    await lab.inspect(allowed([server]))
    const pids = await processesOf(lab.folder)
    const hello = await clientHello('a.org')
    const isAnswered = async (): Promise<boolean> => (await lab.ask({ l4Port: 443, parts: [hello] })).came.join('').includes('bytes')
    const talk = lab.ask({ l4Port: 443, parts: [hello, ...Array.from({ length: 12 }, () => 'more')], apart: 250, waitMs: 4_000 })
    await until(async () => (await lab.server.exec('ss', '-Htn', 'state', 'established', 'sport = :443')).stdout !== '', 'it is open')
    const many = Array.from({ length: 900 }, (_, i) => `2001:db8:1111:2222:3333:4444:${i.toString(16)}:1/128`)
    for (let i = 0; i < 12; i++) await lab.inspect(allowed(i % 2 === 0 ? many : [...many, server]))
    assert.equal(await isAnswered(), true)
    await lab.inspect(allowed(many))
    assert.equal(await isAnswered(), false, 'the server is none of them any more')
    await lab.inspect(allowed([server], ['10.81.1.99']))
    assert.equal(await isAnswered(), false, 'the client is nobody here any more')
    const last = allowed([server])
    await lab.inspect(last)
    assert.equal(await isAnswered(), true)
    const { came, end } = await talk
    assert.deepEqual([end, came.join('').match(/bytes/g)!.length], ['open', 13])
    assert.deepEqual(await processesOf(lab.folder), pids, 'none was started beside it')
    assert.deepEqual(
      (await lab.host.list()).map(({ text }) => text),
      [last.text],
    )
  })

  test('it runs as nobody who could do more than it has to, in a network that answers nobody', async () => {
    await inspect(entry('allow', { transport: tcp(80), l7: { http: [{ paths: ['/'] }] } }))
    const [pid] = await processesOf(lab.folder)
    const facts = await readFile(`/proc/${pid!}/status`, 'utf8')
    assert.match(facts, /^Uid:\t(?!0\t)/m)
    for (const set of ['Prm', 'Eff', 'Bnd', 'Amb', 'Inh'])
      assert.match(facts, new RegExp(`^Cap${set}:\t0000000000002000$`, 'm'), 'CAP_NET_RAW alone')
    assert.match(facts, /^NoNewPrivs:\t1$/m)
    const names = (await readFile(`/proc/${pid!}/environ`, 'utf8')).split('\0').flatMap((each) => (each === '' ? [] : [each.split('=')[0]]))
    assert.deepEqual(names, ['PATH'])
    const { stdout } = await run('ip', ['netns', 'exec', lab.namespace, 'ip', '-o', 'addr', 'show', 'dev', 'eth0'])
    assert.equal(stdout, '')
    assert.notEqual((await lab.client.exec('ping', '-c', '1', '-W', '1', addresses.server[0])).code, 0)
  })

  test('one that is killed is found to have ended, refuses meanwhile, and is back with the next start', async () => {
    const thing = lab.thing([entry('allow', { transport: tcp(80), l7: { http: [{ paths: ['/'] }] } })])
    await lab.inspect(thing)
    assert.deepEqual(
      (await lab.host.list()).map(({ text }) => text),
      [thing.text],
    )
    for (const pid of await processesOf(lab.folder)) process.kill(pid, 'SIGKILL')
    await until(async () => !(await lab.host.runs(thing)), 'it has ended')
    assert.deepEqual(
      (await lab.host.list()).map(({ text }) => text),
      [undefined],
    )
    assert.equal((await http([get('/')])).end, 'ECONNREFUSED')
    await lab.inspect(thing)
    assert.equal(await status('/'), 200)
    assert.deepEqual(
      (await lab.host.list()).map(({ text }) => text),
      [thing.text],
    )
  })

  test('what HAProxy refuses is told in its words, and leaves the one before as it is', async () => {
    const thing = lab.thing([entry('allow', { transport: tcp(80), l7: { http: [{ paths: ['/'] }] } })])
    await lab.inspect(thing)
    const wrong = { ...thing, text: 'wrong', files: new Map([...thing.files, ['haproxy.cfg', 'nonsense\n']]) }
    await assert.rejects(lab.host.start(wrong), /nonsense/)
    assert.equal(await status('/'), 200)
  })

  test('nothing is left of one that is removed', async () => {
    const thing = lab.thing([entry('allow', { transport: tcp(80), l7: { http: [{ paths: ['/'] }] } })])
    await lab.inspect(thing)
    await lab.host.remove(thing)
    await lab.host.remove(thing)
    assert.deepEqual(await lab.host.list(), [])
    assert.deepEqual(await processesOf(lab.folder), [])
    assert.deepEqual(await readdir(lab.folder), [])
    assert.doesNotMatch((await run('ip', ['netns', 'list'])).stdout, new RegExp(lab.namespace))
  })

  test('at a server it is known by whom it is for, and sends from ports of its own', async () => {
    await lab.inspect(
      lab.thing([entry('deny', { direction: 'ingress', transport: tcp(80), l7: { urls: ['bad.example.org/evil'] } })], 'ingress'),
    )
    assert.equal(await status('/evil', 'bad.example.org'), 403)
    const { came } = await http([get('/good', 'bad.example.org')])
    const port = Number(bodyOf(came[0])['port'])
    assert.ok(port >= 63_268, `it comes from port ${port}`)
  })
})

/** Asks by HTTP/2 in clear text, and prints the status. */
const streams = `
const c=require('node:http2').connect('http://'+process.argv[1]+':81')
c.on('error',(e)=>{console.log(e.code);process.exit()})
const q=c.request({':path':process.argv[2]})
q.on('response',(h)=>{console.log(h[':status']);process.exit()})
q.on('error',(e)=>console.log(e.code))
setTimeout(()=>process.exit(),5000)
`
