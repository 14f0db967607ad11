// What one tenant learns of another: nothing, by no answer, and by no work that a refusal would cost.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Store } from '../../core/contracts/store.ts'
import { allKinds, pluralOf, scopeOf } from '../../core/kinds/index.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
let requests: string[] = []
/** Every call of the store is written down. */
const counted = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        requests.push(String(name))
        return (value as (...given: unknown[]) => unknown).apply(target, args)
      }
    },
  })
let headers: Record<string, string>
before(async () => {
  rest = await openHarness(counted)
  await rest.network('blue', { vni: 7001 })
  await rest.network('red', { vni: 7002, cidr: '10.0.0.0/24' })
  await rest.ask('POST /v1/namespaces/red/ports', { body: { metadata: { name: 'secret-port' }, spec: { subnet: 'subnet-1' } } })
  headers = {
    authorization: `Bearer ${await rest.issuer.issue({ subject: 'blue', scope: 'admin', namespaces: ['blue'] }, 600)}`,
    'if-match': '*',
  }
})
after(() => rest.close())

/** All but the name of the request. */
const shown = ({ status, text, headers: { 'x-request-id': _id, date: _date, ...more } }: Answer): object => ({ status, text, more })

describe('a tenant', () => {
  test("is refused alike whether another's object is there or not, and nothing is looked up for it", async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      requests = []
      const body = method === 'GET' ? {} : { body: { metadata: {}, spec: {} } }
      const [there, absent, nowhere] = await Promise.all(
        ['red/ports/secret-port', 'red/ports/none', 'nowhere/ports/secret-port'].map((path) =>
          rest.ask(`${method} /v1/namespaces/${path}`, { ...body, headers }),
        ),
      )
      assert.equal(there?.status, 403)
      assert.deepEqual(shown(there), shown(absent!), method)
      assert.deepEqual(shown(there), shown(nowhere!), method)
      assert.deepEqual(requests, [], 'a look would take longer where there is something')
    }
  })

  test('sees nothing of the cluster, of all namespaces, or of another one, of any kind', async () => {
    requests = []
    for (const kind of allKinds) {
      const namespaced = scopeOf(kind) === 'Namespaced'
      const paths = [
        `/v1/${pluralOf(kind)}`,
        `/v1/${pluralOf(kind)}?watch=true`,
        ...(namespaced
          ? [
              `/v1/namespaces/red/${pluralOf(kind)}`,
              `/v1/namespaces/red/${pluralOf(kind)}/x`,
              `/v1/namespaces/red/${pluralOf(kind)}?watch=true`,
            ]
          : []),
      ]
      for (const path of paths) assert.equal((await rest.ask(`GET ${path}`, { headers })).status, 403, path)
    }
    assert.deepEqual(requests, [])
  })

  test("who refers to another's network is told that there is none", async () => {
    const port = (subnet: string) =>
      rest.ask('POST /v1/namespaces/blue/ports?dryRun=true', { body: { metadata: { name: 'p' }, spec: { subnet } }, headers })
    const words = ({ problem }: Answer, subnet: string) => JSON.stringify(problem).replaceAll(subnet, 'IT')
    const [there, absent] = [await port('red/subnet-1'), await port('red/none')]
    assert.deepEqual([there.status, words(there, 'red/subnet-1')], [absent.status, words(absent, 'red/none')])
    const pod = (vpc: string) =>
      rest.ask('POST /v1/namespaces/blue/pods?dryRun=true', {
        body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], vpc, nics: [{ subnet: 'subnet-1' }] } },
        headers,
      })
    const [known, unknown] = [await pod('red/vpc-1a2b3c4d'), await pod('red/none')]
    assert.deepEqual([known.status, words(known, 'red/vpc-1a2b3c4d')], [unknown.status, words(unknown, 'red/none')])
  })

  test('whose operation was told to another stays his own', async () => {
    const made = await rest.ask('POST /v1/namespaces/red/ports', {
      body: { metadata: { name: 'async' }, spec: { subnet: 'subnet-1' } },
      headers: { prefer: 'respond-async' },
    })
    const where = String(made.headers['location'])
    assert.equal((await rest.ask(`GET ${where}`, { headers })).status, 403)
    assert.equal((await rest.ask(`GET ${where.replace('/red/', '/blue/')}`, { headers })).status, 404, 'in his own namespace it never was')
  })

  test("has a place of his own in a list: another's cursor leads nowhere else", async () => {
    const page = await rest.ask('GET /v1/subnets?limit=1')
    const cursor = String((page.body['metadata'] as { continue?: string }).continue)
    const mine = await rest.ask(`GET /v1/namespaces/blue/subnets?limit=10&continue=${cursor}`, { headers })
    assert.deepEqual([mine.status, mine.problem.errors?.[0]?.parameter], [400, 'continue'])
  })
})
