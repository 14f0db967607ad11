// What pages ask, of a whole Megrez on a real API server: streams go on over a webhooks process that is killed, and whoever may see one
// namespace, by a role of ours or by the cluster's own, finds nothing of another.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { Agent, fetch } from 'undici'
import type { Main } from '../process/mains.ts'
import { kubectl, kubeSkip } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { readEvents, type EventReader } from '../webhooks/event-reader.ts'
import { create, list, network, openTestCluster, type Manifest, type TestCluster } from './test-cluster.ts'

const issuer = 'https://issuer.example.org'
const audience = 'megrez'
const apiVersion = 'megrez.io/v1alpha1'

interface RestAnswer {
  readonly status: number
  readonly text: string
}

/** Of a stream that is cut, after what had come before it was. */
async function lastIdOf(reader: EventReader, before = ''): Promise<string> {
  for (let last = before, left = 100; left > 0; left--) {
    const next = await reader.next().catch(() => undefined)
    if (next === undefined) return last
    last = next.id ?? last
  }
  return assert.fail('the stream is not cut')
}

describe('live sources on a real API server', { skip: kubeSkip }, () => {
  let cluster: TestCluster
  let keys: Server
  let agent: Agent
  let webhooks: Main
  const spaces = { mine: '', theirs: '' }
  /** Who may see `mine` alone: by name of what says so. */
  const viewers = new Map<string, string>()
  before(
    async () => {
      const pair = await generateKeyPair('ES256')
      const set = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: '1', alg: 'ES256', use: 'sig' }] })
      keys = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(set)).listen(0, '127.0.0.1')
      await new Promise((resolve) => keys.once('listening', resolve))
      const tokenKeysUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`
      cluster = await openTestCluster({ tokenIssuer: issuer, tokenAudience: audience, tokenKeysUrl })
      webhooks = cluster.webhooks
      agent = new Agent({ connect: { ca: cluster.ca } })
      await cluster.startWorkers()
      spaces.mine = await network('mine', '10.1.0.0/24')
      spaces.theirs = await network('secret', '10.99.0.0/24')
      await create(port(spaces.mine, 'web'), port(spaces.theirs, 'hidden-port'))
      await portsReady()
      viewers.set('a role of ours', await signed(pair.privateKey, { scope: 'viewer', namespaces: [spaces.mine] }))
      viewers.set("the cluster's own roles", await accountOf(spaces.mine))
    },
    { timeout: 240_000 },
  )
  after(async () => {
    await cluster?.close()
    await agent?.close()
    keys?.close()
  })

  const signed = (key: CryptoKey, claims: object): Promise<string> =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject('viewer')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(key)
  async function accountOf(space: string): Promise<string> {
    await kubectl(['create', 'serviceaccount', 'viewer', '-n', space])
    await kubectl(['create', 'rolebinding', 'viewer', '-n', space, '--clusterrole=megrez-rest-read', `--serviceaccount=${space}:viewer`])
    return (await kubectl(['create', 'token', 'viewer', '-n', space])).trim()
  }
  const port = (namespace: string, name: string) => ({ apiVersion, kind: 'Port', metadata: { namespace, name }, spec: { subnet: 's' } })
  const portsReady = (): Promise<void> =>
    until(
      async () =>
        (await list<Manifest & { readonly status?: { readonly phase: string } }>('ports', '-A'))
          .filter(({ metadata: { namespace = '' } }) => Object.values(spaces).includes(namespace))
          .every(({ status }) => status?.phase === 'ready'),
      'both Ports are ready',
      60_000,
    )
  const url = async (): Promise<string> => `https://127.0.0.1:${await webhooks.l4PortOf('restL4Port')}`
  const get = async (path: string, bearer: string): Promise<RestAnswer> => {
    const answer = await fetch((await url()) + path, { dispatcher: agent, headers: { authorization: `Bearer ${bearer}` } })
    return { status: answer.status, text: await answer.text() }
  }
  const trusting = ((at: string, init: object) => fetch(at, { ...init, dispatcher: agent })) as unknown as typeof globalThis.fetch
  const watch = async (query: string, bearer: string, last = ''): Promise<EventReader> => {
    const headers = { authorization: `Bearer ${bearer}`, ...(last !== '' && { 'last-event-id': last }) }
    return readEvents(`${await url()}/v1/watch?${query}`, headers, trusting)
  }
  const nothingOfTheirs = ({ text }: Pick<RestAnswer, 'text'>, what: string): void => {
    assert.doesNotMatch(text, /secret|hidden|10\.99\./, what)
  }

  for (const how of ['a role of ours', "the cluster's own roles"])
    test(`a viewer of one namespace, by ${how}, sees that one whole and finds nothing of another`, async () => {
      const { mine, theirs } = spaces
      const bearer = viewers.get(how) ?? ''
      await until(async () => (await get(`/v1/topology?namespace=${mine}`, bearer)).status === 200, 'the binding is known', 30_000)
      for (const [path, shows] of [
        [`/v1/topology?namespace=${mine}`, `Port/${mine}/web`],
        [`/v1/explain/ports/${mine}/web`, 'addressed'],
        [`/v1/uses/subnets/${mine}/s`, '"web"'],
        [`/v1/search?namespace=${mine}&q=web`, '"web"'],
        [`/v1/me?namespace=${mine}`, '"Port"'],
      ] as const) {
        const { status, text } = await get(path, bearer)
        assert.equal(status, 200, `${path}: ${text}`)
        assert.ok(text.includes(shows), `${path}: ${text.slice(0, 500)}`)
        nothingOfTheirs({ text }, path)
      }
      const [sought, nobodys] = [
        await get(`/v1/search?namespace=${mine}&q=hidden-port`, bearer),
        await get(`/v1/search?namespace=${mine}&q=nobodys`, bearer),
      ]
      assert.deepEqual(sought, nobodys)
      for (const path of [
        '/v1/topology?namespace=NS',
        '/v1/search?namespace=NS&q=s',
        '/v1/watch?kinds=Port&namespace=NS',
        '/v1/explain/ports/NS/hidden-port',
        '/v1/uses/subnets/NS/s',
      ]) {
        const [there, absent] = [await get(path.replace('NS', theirs), bearer), await get(path.replace('NS', 'nowhere'), bearer)]
        assert.deepEqual([there.status, there.text], [403, absent.text], path)
      }
      const reader = await watch(`kinds=Vpc,Subnet,Port&namespace=${mine}`, bearer)
      await reader.next()
      const all = await reader.words(3)
      assert.deepEqual([...all].sort(), [`all Port@${mine} ${mine}/web`, `all Subnet@${mine} ${mine}/s`, `all Vpc@${mine} ${mine}/v`])
      reader.stop()
    })

  test('a viewer of one namespace is told of it alone where none is named, and is refused what is of no namespace', async () => {
    const bearer = viewers.get('a role of ours') ?? ''
    for (const path of ['/v1/topology', '/v1/search?q=s']) {
      const answer = await get(path, bearer)
      assert.equal(answer.status, 200)
      assert.ok(answer.text.includes(spaces.mine))
      nothingOfTheirs(answer, path)
    }
    assert.equal((await get('/v1/watch?kinds=Node', bearer)).status, 403)
    const account = viewers.get("the cluster's own roles") ?? ''
    for (const path of ['/v1/topology', '/v1/watch?kinds=Port']) assert.equal((await get(path, account)).status, 403, path)
  })

  test('a stream goes on at another webhooks process after the first was killed, and misses nothing', async () => {
    const { mine, theirs } = spaces
    const group = (namespace: string, name: string) => ({ apiVersion, kind: 'SecurityGroup', metadata: { namespace, name }, spec: {} })
    await create(group(mine, 'stays'), group(mine, 'goes'))
    await until(
      async () => {
        const groups = await list<Manifest & { readonly status?: { readonly observedGeneration?: number } }>('securitygroups', '-n', mine)
        return groups.every(({ status }) => status?.observedGeneration === 1)
      },
      'the workers have written all that they have to say of both',
      60_000,
    )
    const readers = await Promise.all([...viewers.values()].map((bearer) => watch(`kinds=SecurityGroup,Vpc&namespace=${mine}`, bearer)))
    const places: string[] = []
    for (const reader of readers) {
      await reader.next()
      await reader.next()
      places.push((await reader.next()).id ?? '')
    }
    await cluster.unregister()
    await webhooks.end('SIGKILL')
    for (const [i, reader] of readers.entries()) places[i] = await lastIdOf(reader, places[i])
    await create(group(mine, 'comes'), group(theirs, 'secret-group'))
    await kubectl(['delete', 'securitygroup', 'goes', '-n', mine])
    webhooks = cluster.startWebhooks()
    await webhooks.ready()
    for (const [i, bearer] of [...viewers.values()].entries()) {
      const reader = await watch(`kinds=SecurityGroup,Vpc&namespace=${mine}`, bearer, places[i])
      assert.equal((await reader.next()).data.resumed, true)
      const events: string[] = []
      // Before it goes it is being deleted, and a put says so.
      while (events.at(-1) !== `gone SecurityGroup ${mine}/goes`) events.push(...(await reader.words(1)))
      assert.ok(events.includes(`put SecurityGroup ${mine}/comes`), events.join('\n'))
      assert.doesNotMatch(events.join('\n'), /^all|stays|secret/m)
      reader.stop()
    }
  })
})
