// SOL's own subscriptions, with the workers that test their sinks and tell them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import { openBound, thumbprintOf } from '../workers/notify-oauth.ts'
import { openHarness } from './rest-harness.ts'
import { using, type Site } from './rest-site.ts'

const all = '/v1/namespaces/a/sol/subscriptions'
const own = async ({ rest }: Site): Promise<readonly Resource<'Secret'>[]> => (await rest.store.list('Secret')).items
const basic = { authType: ['BASIC'], paramsBasic: { userName: 'megrez', password: 'geheim-7' } }

describe('a client of SOL', () => {
  test('subscribes with its own body, is told, reads, finds and deletes what it made, and sees no secret', () =>
    using(async (site) => {
      const { call, receiver, whole } = site
      const body = {
        callbackUri: receiver.url,
        filter: { notificationTypes: ['VpcStateChangeNotification'], operationStates: ['COMPLETED'] },
        authentication: basic,
        verbosity: 'SHORT',
      }
      const made = await call(`POST ${all}`, { body, headers: { version: '2.0.0', accept: 'application/json' } })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(
        receiver.heard.map(({ method, headers }) => [method, headers['authorization']]),
        [['GET', `Basic ${Buffer.from('megrez:geheim-7').toString('base64')}`]],
        'its sink is tested before the answer',
      )
      const href = made.headers['location'] ?? ''
      assert.deepEqual(made.body, {
        id: made.body['id'],
        filter: body.filter,
        callbackUri: body.callbackUri,
        verbosity: 'SHORT',
        _links: { self: { href } },
      })
      assert.match(href, /^http:\/\/localhost(:80)?\/v1\/namespaces\/a\/sol\/subscriptions\/[-0-9a-f]{36}$/)
      assert.equal(made.headers['version'], '2.0.0')

      await whole.phase(await whole.make('Vpc', 'a/blue', { provider: 'builtin' }), 'ready')
      await until(() => receiver.taken.some(({ method }) => method === 'POST'), 'it is told')
      const told = receiver.taken.find(({ method }) => method === 'POST')!
      const notification = JSON.parse(told.body) as {
        readonly subscriptionId: string
        readonly _links: { readonly subscription: { readonly href: string } }
        readonly notificationType: string
      }
      assert.deepEqual([notification.subscriptionId, notification.notificationType], [made.body['id'], 'VpcStateChangeNotification'])
      assert.ok(told.headers['authorization']?.startsWith('Basic '))
      const one = notification._links.subscription.href
      assert.ok(href.endsWith(one), 'the link of a notification leads to it')

      const read = await call(`GET ${one}`)
      const listed = await call(`GET ${all}?filter=(eq,callbackUri,${receiver.url});(cont,filter/operationStates,COMPLETED)`)
      assert.deepEqual([read.status, read.body, listed.status, listed.body], [200, made.body, 200, [made.body] as unknown])
      assert.deepEqual((await call(`GET ${all}?filter=(neq,callbackUri,${receiver.url})`)).body, [] as unknown)

      const stored = (await site.rest.store.list('Subscription')).items[0]!
      assert.deepEqual(stored.spec.auth, { type: 'basic', secret: stored.spec.auth?.secret })
      for (const { text } of [made, read, listed, await call(`GET /v1/namespaces/a/subscriptions/${stored.metadata.name}`)])
        assert.ok(!text.includes('geheim'))
      assert.ok(
        (await own(site)).every(({ metadata }) => metadata.namespace === 'megrez-system'),
        'no tenant reads it',
      )

      const again = await call(`POST ${all}`, {
        body: { ...body, filter: { operationStates: ['COMPLETED'], notificationTypes: ['VpcStateChangeNotification'] } },
      })
      assert.deepEqual([again.status, again.headers['location'], again.text], [303, href, ''])

      assert.equal((await call(`DELETE ${one}`)).status, 204)
      assert.equal((await call(`GET ${one}`)).status, 404)
      await until(
        async () => (await own(site)).length === 0 && (await site.rest.store.get(refOf(stored))) === undefined,
        'its credentials have gone with it',
      )
    }))

  test('reads links that lead from outside to what they name, where it is known where that is', () =>
    using(
      async ({ call, receiver, whole }) => {
        const made = await call(`POST ${all}`, { body: { callbackUri: receiver.url } })
        const root = 'https://megrez.example.org/nfv'
        const {
          _links: { self },
        } = made.body as unknown as { readonly _links: { readonly self: { readonly href: string } } }
        assert.deepEqual([self.href, made.headers['location']], [`${root}${all}/${made.body['id']}`, self.href])
        await whole.make('Vpc', 'a/blue', { provider: 'builtin' })
        await until(() => receiver.taken.some(({ method }) => method === 'POST'), 'it is told')
        const { _links } = JSON.parse(receiver.taken.find(({ method }) => method === 'POST')!.body) as {
          readonly _links: { readonly resource: { readonly href: string } }
        }
        assert.deepEqual(_links, { subscription: self, resource: { href: `${root}/v1/namespaces/a/vpcs/blue` } })
        assert.equal((await call(`GET ${_links.resource.href.slice(root.length)}`)).status, 200)
      },
      undefined,
      'https://megrez.example.org/nfv',
    ))

  test('is refused where its sink does not answer GET with 204, and nothing is left of it', () =>
    using(
      async (site) => {
        const refused = await site.call(`POST ${all}`, { body: { callbackUri: site.receiver.url, authentication: basic } })
        assert.deepEqual([refused.status, refused.problem.errors?.map(({ pointer }) => pointer)], [422, ['/callbackUri']])
        assert.match(refused.problem.detail, /answered GET with 200, not 204/)
        await until(
          async () => (await own(site)).length === 0 && (await site.rest.store.list('Subscription')).items.length === 0,
          'nothing is left',
        )
      },
      () => 200,
    ))

  test("is told of the Ports of its VNF, and of no other's: they are part of what their pods are part of", () =>
    using(async (site) => {
      const { call, receiver, rest } = site
      await rest.network('a')
      const filter = {
        notificationTypes: ['PortStateChangeNotification'],
        operationStates: ['COMPLETED'],
        operationTypes: ['CREATE'],
        vnfInstanceSubscriptionFilter: { vnfInstanceNames: ['Core 5G, blue'], vnfdIds: ['d1'] },
      }
      const made = await call(`POST ${all}`, { body: { callbackUri: receiver.url, filter } })
      assert.deepEqual([made.status, made.body['filter']], [201, filter], made.text)
      const pod = (name: string, vnfInstance: string): Promise<unknown> =>
        call('POST /v1/namespaces/a/pods', {
          body: {
            metadata: { name, labels: { 'megrez.io/vnfd-id': 'd1' }, annotations: { 'megrez.io/vnf-instance-name': vnfInstance } },
            spec: {
              containers: [{ name: 'c', image: 'example.org/c' }],
              vpc: 'vpc-1a2b3c4d',
              nics: [{ name: 'eth0', subnet: 'subnet-1' }],
            },
          },
        })
      const found = async (of: string): Promise<number> =>
        ((await call(`GET ${all}?filter=${encodeURIComponent(of)}`)).body as unknown as readonly object[]).length
      assert.deepEqual(
        [
          await found('(eq,filter/vnfInstanceSubscriptionFilter/vnfdIds,d1)'),
          await found('(eq,filter/vnfInstanceSubscriptionFilter/vnfdIds,d2)'),
        ],
        [1, 0],
      )
      await pod('green', 'Core 5G, green')
      await until(
        async () => (await rest.store.list('Port')).items.some(({ status }) => status?.phase === 'ready'),
        "the other's Port is ready",
      )
      await pod('blue', 'Core 5G, blue')
      const told = (): unknown[] =>
        receiver.taken
          .filter(({ method }) => method === 'POST')
          .map(({ body }) => (JSON.parse(body) as { readonly resource: Resource<'Port'> }).resource.spec.claim?.pod)
      await until(() => told().length > 0, 'it is told')
      assert.deepEqual(told(), ['blue'])
    }))

  test('is known by OAuth2 with the token of its own endpoint', () =>
    using(
      async ({ call, receiver }) => {
        const tokenEndpoint = receiver.url.replace('/told', '/token')
        const made = await call(`POST ${all}`, {
          body: {
            callbackUri: receiver.url,
            authentication: {
              authType: ['OAUTH2_CLIENT_CREDENTIALS'],
              paramsOauth2ClientCredentials: { clientId: 'c', clientPassword: 'geheim-8', tokenEndpoint },
            },
          },
        })
        assert.equal(made.status, 201, made.text)
        assert.equal(receiver.heard.find(({ method }) => method === 'GET')?.headers['authorization'], 'Bearer t1')
      },
      ({ path }, response) => {
        if (!path.endsWith('/token')) return 204
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"t1","expires_in":600}')
        return undefined
      },
    ))

  test('subscribes anew where what was begun before it was cut off has no credentials', () =>
    using(async ({ call, receiver, whole, rest }) => {
      const begun = await whole.make('Subscription', 'a/begun', {
        sink: receiver.url,
        profile: 'sol',
        paused: true,
        auth: { type: 'basic', secret: 'never-made' },
      })
      await whole.phase(begun, 'error')
      assert.equal((await call(`POST ${all}`, { body: { callbackUri: receiver.url, authentication: basic } })).status, 201)
      assert.equal((await rest.store.list('Subscription')).items.length, 2)
    }))

  test('is known by a token that is bound to our certificate, where the Secret has the one that it names', () =>
    using(async ({ call, whole }) => {
      const site = await openBound()
      try {
        const ours = site.certificate()
        // SOL's body has no field for authorities: the Secret has.
        await whole.secret('a/sol-client-certificate', { 'tls.crt': ours.cert, 'tls.key': ours.key, 'ca.crt': site.ca })
        const params = (value: string) => ({
          clientId: 'megrez/nfv',
          certificateRef: { type: 'x5t#S256', value },
          tokenEndpoint: site.issuer.url,
        })
        const subscribe = (value: string) =>
          call(`POST ${all}`, {
            body: {
              callbackUri: site.receiver.url,
              authentication: { authType: ['OAUTH2_CLIENT_CERT'], paramsOauth2ClientCert: params(value) },
            },
          })
        const refused = await subscribe('A'.repeat(43))
        assert.deepEqual([refused.status, refused.problem.errors?.[0]?.pointer], [422, '/authentication'])
        assert.ok(refused.problem.detail.includes(`has the thumbprint ${thumbprintOf(ours)}, not AAA`), refused.problem.detail)
        assert.deepEqual([site.issuer.heard.length, site.receiver.heard.length], [0, 0])
        const made = await subscribe(thumbprintOf(ours))
        assert.equal(made.status, 201, made.text)
        await whole.make('Vpc', 'a/blue', { provider: 'builtin' })
        await until(() => site.receiver.taken.some(({ method }) => method === 'POST'), 'it is told')
        assert.equal(site.receiver.heard.length, site.receiver.taken.length, 'nothing was sent without a token')
      } finally {
        await site.close()
      }
    }))

  test('that wants to know us by our certificate is told which Secret is missing', () =>
    using(async (site) => {
      const refused = await site.call(`POST ${all}`, {
        body: { callbackUri: site.receiver.url, authentication: { authType: ['TLS_CERT'] } },
      })
      assert.deepEqual([refused.status, refused.problem.errors?.[0]?.pointer], [422, '/authentication'])
      assert.match(refused.problem.detail, /Secret sol-client-certificate is not there/)
    }))

  test('is refused with pointers into its own body, unknown versions with 406', () =>
    using(async ({ call }) => {
      const pointers = async (body: unknown): Promise<unknown> =>
        (await call(`POST ${all}`, { body })).problem.errors?.map(({ pointer }) => pointer)
      assert.deepEqual(await pointers({ callbackUri: 'https://169.254.169.254/x' }), ['/callbackUri'])
      assert.deepEqual(await pointers({ callbackUri: 'ftp://a.example.org' }), ['/callbackUri'])
      assert.deepEqual(await pointers({ callbackUri: 'https://a.example.org', filter: { resourceNamespaces: [''] } }), [
        '/filter/resourceNamespaces/0',
      ])
      assert.deepEqual(
        [
          (await call(`GET ${all}`, { headers: { version: '9.0.0' } })).status,
          (await call('GET /v1/namespaces/a/sol/api_versions')).body['apiVersions'],
        ],
        [
          406,
          [
            { version: '1.0.0', isDeprecated: false },
            { version: '2.0.0', isDeprecated: false },
          ],
        ],
      )
      for (const filter of ['(eq,authentication,x)', 'rubbish', '(eq,id)'])
        assert.equal((await call(`GET ${all}?filter=${filter}`)).status, 400, filter)
      assert.equal((await call(`GET ${all}?nextpage_opaque_marker=rubbish`)).status, 400)
      const put = await call(`PUT ${all}`, { body: {} })
      assert.deepEqual([put.status, put.headers['allow']], [405, 'GET, HEAD, POST'])
    }))
})

describe('subscriptions as SOL has them', () => {
  test("are all of the profile sol, those that were made in another way too, and never another namespace's", () =>
    using(async ({ call, receiver, whole, rest }) => {
      const {
        metadata: { uid },
      } = await whole.subscribe('a/nfvo', { sink: receiver.url, profile: 'sol', filter: { kinds: ['Port'], phases: ['error'] } })
      await whole.subscribe('a/other', { sink: receiver.url })
      const listed = (await call(`GET ${all}`)).body as unknown as readonly { readonly id: string; readonly filter: object }[]
      assert.deepEqual(
        listed.map(({ id, filter }) => [id, filter]),
        [[uid, { notificationTypes: ['PortStateChangeNotification'], operationStates: ['FAILED_TEMP'] }]],
      )
      assert.equal((await call(`GET /v1/namespaces/b/sol/subscriptions/${uid}`)).status, 404)
      const tenant = await rest.issuer.issue({ subject: 't', scope: 'admin', namespaces: ['b'] }, 60)
      const viewer = await rest.issuer.issue({ subject: 'v', scope: 'viewer' }, 60)
      const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
      assert.deepEqual(
        [
          (await call(`GET ${all}/${uid}`, as(tenant))).status,
          (await call(`GET ${all}/none`, as(tenant))).status,
          (await call(`DELETE ${all}/${uid}`, as(viewer))).status,
        ],
        [403, 403, 403],
      )
      assert.equal((await call(`POST ${all}`, { body: { callbackUri: receiver.url }, ...as(viewer) })).status, 403)
    }))

  test('are paged by their own marker', async () => {
    const rest = await openHarness()
    try {
      await rest.store.commit(
        Array.from({ length: 1_001 }, (_, i) => ({
          do: 'create',
          draft: {
            kind: 'Subscription',
            metadata: { namespace: 'p', name: `s${i}` },
            spec: { sink: `https://a.example.org/told/${i}`, profile: 'sol' },
          },
        })),
      )
      const first = await rest.ask('GET /v1/namespaces/p/sol/subscriptions?filter=(cont,callbackUri,told)')
      const next = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? ''
      assert.ok(next.includes('nextpage_opaque_marker='), first.headers['link'])
      const ids = [first, await rest.ask(`GET ${next}`)].flatMap(({ body }) =>
        (body as unknown as readonly { readonly id: string }[]).map(({ id }) => id),
      )
      assert.equal(new Set(ids).size, 1_001)
    } finally {
      await rest.close()
    }
  })
})
