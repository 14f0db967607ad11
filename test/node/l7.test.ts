// What is said in connections, from objects to requests: a server, two nodes with Open vSwitch and HAProxy, and pods that ask each other.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { processesOf } from '../../agent/inspectors/processes.ts'
import { pathOf } from '../../cli/demo/rest.ts'
import { made, place, startTwoNodes, type PlacedPod, type TwoNodes } from '../../cli/demo/two-nodes.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { inspectorName, inspectorNamespace, inspectorPorts } from '../../core/node/inspectors/names.ts'
import { directions } from '../../core/pipeline/inspections/stage.ts'
import { openLab } from '../../lab/lab.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { haproxyMissing } from '../../lab/programs/haproxy.ts'
import { run } from '../../platform/programs/run.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'

const skip = ovsSkip || ((await haproxyMissing({ install: false, print: () => undefined })) ?? false)

const [tenant, other] = ['t', 'u']
const cast = [
  { tenant, name: 'client', node: 'n1', address: '10.0.0.11', labels: { app: 'client' } },
  { tenant, name: 'server', node: 'n2', address: '10.0.0.12', labels: { app: 'server' } },
  { tenant, name: 'open', node: 'n1', address: '10.0.0.13', labels: { app: 'open' } },
  { tenant: other, name: 'client', node: 'n1', address: '10.0.0.11', labels: { app: 'client' } },
  { tenant: other, name: 'server', node: 'n2', address: '10.0.0.12', labels: { app: 'server' } },
] as const

/** Says who asks: by HTTP at 80, by TLS at 443, with a key that openssl makes. */
const program = `
const { execFileSync } = require('node:child_process'), http = require('node:http'), https = require('node:https')
const pem = execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=x', '-keyout', '-'], { stdio: ['ignore', 'pipe', 'ignore'] })
const answer = (q, r) => r.end(JSON.stringify({ from: q.socket.remoteAddress.replace('::ffff:', ''), l4Port: q.socket.remotePort, who: process.argv[1] }))
http.createServer(answer).listen(80, '::', () => https.createServer({ key: pem, cert: pem }, answer).listen(443, '::', () => console.log('listens')))
`

async function serve(namespace: Namespace, who: string): Promise<() => Promise<void>> {
  const server = spawn('ip', ['netns', 'exec', namespace.name, process.execPath, '-e', program, who], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise((resolve) => server.stdout.once('data', resolve))
  return async () => {
    server.kill('SIGKILL')
    await ended
  }
}

interface Answer {
  /** 0: none. */
  readonly status: number
  readonly from?: string
  readonly l4Port?: number
  readonly who?: string
}

const http = (l7: object, more: object = {}): object => ({ action: 'allow', ports: [{ l4Port: 80 }], l7, ...more })
const isAt = (app: string): object => ({ peers: [{ podSelector: { matchLabels: { app } } }] })
const policyOf = (name: string, app: string, spec: object): object => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'UnifiedNetworkPolicy',
  metadata: { name },
  spec: { podSelector: { matchLabels: { app } }, ...spec },
})
const inspectedSpec = {
  defaults: { egress: 'deny' },
  egress: [
    { action: 'allow', ports: [{ l4Port: 80 }], ...isAt('open') },
    { action: 'deny', ports: [{ l4Port: 80 }], l7: { urls: ['bad.example.org/api/evil'] } },
    http({ http: [{ hosts: ['*.example.org'], paths: ['/api/*'], methods: ['GET'] }] }, isAt('server')),
    { action: 'allow', ports: [{ l4Port: 443 }], l7: { tls: { serverNames: ['*.example.org'] } } },
  ],
}

describe('what policies ask in connections, on Open vSwitch with HAProxy', { skip }, () => {
  let two: TwoNodes
  let folder = ''
  const stops: (() => Promise<unknown>)[] = []
  const pods = new Map<string, PlacedPod>()
  before(async () => {
    const lab = await openLab()
    stops.push(() => lab.close())
    folder = lab.folder
    two = await startTwoNodes(lab, false, stops)
    for (const each of [tenant, other]) await makeNetwork(each)
    for (const each of cast) pods.set(`${each.tenant}/${each.name}`, await place(each, two))
    for (const name of ['t/server', 't/open', 'u/server']) stops.push(await serve(pods.get(name)!.sandbox.namespace, name))
  })
  after(async () => {
    const found = await Promise.all(['t/client', 'u/client'].map((name) => portOf(name).catch(() => undefined)))
    for (const stop of stops.reverse()) await stop()
    // Agents that are gone have left the places of their namespaces, which other tests would meet.
    const left = found.flatMap((port) => directions.map((direction) => inspectorNamespace(port?.vni ?? 0, direction)))
    for (const name of left) await rm(`/run/netns/${name}`, { force: true })
  })

  async function makeNetwork(namespace: string): Promise<void> {
    const apiVersion = 'megrez.io/v1alpha1'
    await made(two.rest, pathOf('Vpc', namespace), { apiVersion, kind: 'Vpc', metadata: { name: 'net' }, spec: {} })
    const spec = { vpc: 'net', ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } }
    await made(two.rest, pathOf('Subnet', namespace), { apiVersion, kind: 'Subnet', metadata: { name: 'all' }, spec })
    const isReady = async (): Promise<boolean> =>
      (await two.rest.call('GET', pathOf('Subnet', namespace, 'all'))).body.status?.phase === 'ready'
    await until(isReady, `the Subnet of ${namespace} is validated`, 30_000)
  }

  async function portOf(name: string): Promise<NonNullable<Resource<'Port'>['status']>> {
    const [namespace = '', pod] = name.split('/')
    const { items = [] } = (await two.rest.call('GET', pathOf('Port', namespace))).body as unknown as { items?: Resource<'Port'>[] }
    return items.find(({ spec }) => spec.claim?.pod === pod)!.status!
  }
  const addressOf = async (name: string, family: 4 | 6): Promise<string> =>
    (await portOf(name)).addresses!.find((each) => each.includes(':') === (family === 6))!

  interface Asking {
    readonly from?: string
    readonly to?: string
    readonly host?: string
    readonly path?: string
    readonly method?: string
    readonly family?: 4 | 6
    readonly tls?: boolean
  }
  async function ask({
    from = 't/client',
    to = 't/server',
    host = 'a.example.org',
    path = '/api/x',
    method = 'GET',
    family = 4,
    tls,
  }: Asking) {
    const address = await addressOf(to, family)
    const [scheme, l4Port] = tls === true ? ['https', 443] : ['http', 80]
    const resolved = `${host}:${l4Port}:${family === 6 ? `[${address}]` : address}`
    const args = [
      '-sk',
      '--noproxy',
      '*',
      '-m',
      '4',
      '-X',
      method,
      '--resolve',
      resolved,
      '-w',
      '\n%{http_code}',
      `${scheme}://${host}${path}`,
    ]
    const { stdout } = await pods.get(from)!.sandbox.namespace.exec('curl', ...args)
    const lines = stdout.trim().split('\n')
    const status = Number(lines.at(-1))
    return { status, ...(status === 200 ? (JSON.parse(lines[0]!) as object) : {}) } as Answer
  }
  const statusOf = async (asking: Asking): Promise<number> => (await ask(asking)).status
  const isInspected = ({ status, l4Port = 0 }: Answer): boolean => status === 200 && l4Port >= inspectorPorts.egress.first
  const isDirect = ({ status, l4Port = 65_535 }: Answer): boolean => status === 200 && l4Port < inspectorPorts.egress.first

  test('without a policy a client asks the server itself', async () => {
    await until(async () => isDirect(await ask({})), 'client and server talk', 30_000)
  })

  test('by the policy what it lets pass comes to the server from the client’s own address, over IPv4 and IPv6, and nothing else does', async () => {
    await made(two.rest, pathOf('UnifiedNetworkPolicy', tenant), policyOf('asked', 'client', inspectedSpec))
    await until(async () => isInspected(await ask({})), 'a request is inspected', 30_000)
    for (const family of [4, 6] as const) {
      const answer = await ask({ family })
      assert.ok(isInspected(answer), JSON.stringify(answer))
      assert.equal(answer.from, await addressOf('t/client', family))
      assert.equal(answer.who, 't/server')
      assert.equal(await statusOf({ path: '/other', family }), 403)
    }
    assert.equal(await statusOf({ method: 'POST' }), 403)
    assert.equal(await statusOf({ host: 'a.example.net' }), 403)
    assert.equal(await statusOf({ host: 'bad.example.org' }), 200)
    assert.equal(await statusOf({ host: 'bad.example.org', path: '/api/evil' }), 403)
  })

  test('by TLS it is the name that is asked for', async () => {
    assert.ok(isInspected(await ask({ tls: true })))
    assert.ok(isInspected(await ask({ tls: true, family: 6 })))
    assert.equal(await statusOf({ tls: true, host: 'a.example.net' }), 0)
  })

  test('what a rule without l7 before it lets pass is not inspected', async () => {
    const answer = await ask({ to: 't/open', path: '/other', host: 'a.example.net', method: 'POST' })
    assert.ok(isDirect(answer), JSON.stringify(answer))
  })

  test('another tenant with the same addresses has an inspector and rules of its own', async () => {
    const own = { from: 'u/client', to: 'u/server' }
    assert.ok(isDirect(await ask({ ...own, path: '/other' })))
    const rules = { egress: [http({ http: [{ paths: ['/other'] }] })] }
    await made(two.rest, pathOf('UnifiedNetworkPolicy', other), policyOf('asked', 'client', rules))
    await until(async () => isInspected(await ask({ ...own, path: '/other' })), 'its requests are inspected', 30_000)
    assert.equal((await ask({ ...own, path: '/other' })).who, 'u/server')
    assert.deepEqual([await statusOf(own), await statusOf({}), await statusOf({ path: '/other' })], [403, 200, 403])
  })

  test('where the server is asked too, both ends inspect it, and it still sees the client', async () => {
    const rules = { ingress: [http({ http: [{ paths: ['/api/a'] }] })] }
    await made(two.rest, pathOf('UnifiedNetworkPolicy', tenant), policyOf('served', 'server', rules))
    await until(async () => (await statusOf({})) === 403, 'the server is inspected', 30_000)
    const answer = await ask({ path: '/api/a' })
    assert.deepEqual([answer.status, answer.from], [200, await addressOf('t/client', 4)])
    assert.ok(answer.l4Port! >= inspectorPorts.ingress.first, JSON.stringify(answer))
    assert.equal(await statusOf({ path: '/other' }), 403)
    await two.rest.remove(`${pathOf('UnifiedNetworkPolicy', tenant)}/served`)
    await until(async () => isInspected(await ask({})), 'only the client is inspected', 30_000)
  })

  const pidsOf = async (): Promise<readonly string[]> => {
    const name = inspectorName((await portOf('t/client')).vni!, 'egress')
    return (await processesOf(`${folder}/n1/inspectors/${name}/`)).map(String)
  }

  test('while its proxy is dead what it would be asked is refused, and never goes past it', async () => {
    const before = await pidsOf()
    assert.ok(before.length > 0)
    assert.equal((await run('kill', ['-9', ...before])).code, 0)
    const seen: Answer[] = []
    await until(
      async () => {
        seen.push(await ask({ path: '/other' }), await ask({}))
        return isInspected(seen.at(-1)!)
      },
      'it is there again',
      30_000,
    )
    assert.deepEqual(
      seen.filter((answer, i) => (i % 2 === 0 ? answer.status === 200 : isDirect(answer))),
      [],
    )
    assert.ok((await pidsOf()).every((pid) => !before.includes(pid)))
  })

  test('without the policy it asks the server itself again, and the inspector is gone', async () => {
    await two.rest.remove(`${pathOf('UnifiedNetworkPolicy', tenant)}/asked`)
    await until(async () => isDirect(await ask({ path: '/other', method: 'POST' })), 'client and server talk', 30_000)
    await until(async () => (await pidsOf()).length === 0, 'its proxy has ended', 10_000)
  })
})
