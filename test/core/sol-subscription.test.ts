import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseAttributeFilter } from '../../core/admit/rest/attribute-filter.ts'
import { fromSol, solPointer, solViewOf, type SolSubscriptionSpec } from '../../core/admit/sol/sol.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { phases, type Phase } from '../../core/kinds/meta.ts'
import { operationStates, operationTypes, type SolFilter } from '../../core/kinds/notify/sol.ts'

const callbackUri = 'https://nfvo.example.org/notify'
const taken = (more: object = {}): SolSubscriptionSpec => {
  const wanted = fromSol({ callbackUri, ...more })
  assert.ok(!('problems' in wanted), JSON.stringify(wanted))
  return wanted
}
const problems = (body: unknown): string[] => {
  const wanted = fromSol(body)
  return 'problems' in wanted ? wanted.problems.map(({ at }) => at) : []
}
const viewed = (filter: SpecOf<'Subscription'>['filter']): SolFilter | undefined =>
  solViewOf(
    {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'x', namespace: 'a', uid: 'u' } as Resource['metadata'],
      spec: { sink: callbackUri, profile: 'sol', ...(filter && { filter }) },
    },
    '/',
  ).filter

describe("a subscription in SOL's own form", () => {
  test('is a Subscription of the profile sol', () => {
    assert.deepEqual(taken(), { spec: { sink: callbackUri, profile: 'sol' }, auth: undefined })
    const filter = {
      notificationTypes: ['VpcStateChangeNotification', 'PodStateChangeNotification'],
      operationTypes: ['DELETE'],
      resourceNames: ['b', 'a'],
      resourceNamespaces: ['n'],
      resourceLabels: 'tier=gold',
    }
    assert.deepEqual(taken({ filter, verbosity: 'SHORT' }).spec, {
      sink: callbackUri,
      profile: 'sol',
      verbosity: 'SHORT',
      filter: { kinds: ['Pod', 'Vpc'], names: ['a', 'b'], namespaces: ['n'], labels: 'tier=gold', phases: ['terminating', 'deleted'] },
    })
  })

  test('says how we are known by the first way that can be done, and keeps what it takes apart', () => {
    const basic = { paramsBasic: { userName: 'u', password: 'p' } }
    const oauth = { paramsOauth2ClientCredentials: { clientId: 'c', clientPassword: 's', tokenEndpoint: 'https://t.example.org/' } }
    const certificate = {
      paramsOauth2ClientCert: {
        clientId: 'x',
        certificateRef: { type: 'x5t#S256', value: 'A'.repeat(43) },
        tokenEndpoint: 'https://t.example.org/',
      },
    }
    assert.deepEqual(taken({ authentication: { authType: ['OAUTH2_CLIENT_CERT', 'BASIC'], ...basic } }).auth, {
      type: 'basic',
      credentials: { username: 'u', password: 'p' },
    })
    assert.deepEqual(taken({ authentication: { authType: ['OAUTH2_CLIENT_CERT', 'BASIC'], ...basic, ...certificate } }).auth, {
      type: 'oauth2-certificate',
      tokenEndpoint: 'https://t.example.org/',
      clientId: 'x',
      thumbprint: 'A'.repeat(43),
    })
    assert.deepEqual(taken({ authentication: { authType: ['OAUTH2_CLIENT_CREDENTIALS', 'BASIC'], ...basic, ...oauth } }).auth, {
      type: 'oauth2',
      tokenEndpoint: 'https://t.example.org/',
      credentials: { clientId: 'c', clientSecret: 's' },
    })
    assert.deepEqual(taken({ authentication: { authType: ['TLS_CERT'] } }).auth, { type: 'certificate' })
  })

  test('is refused with a pointer to each fault', () => {
    assert.deepEqual(problems({}), ['/callbackUri'])
    assert.deepEqual(problems('x'), [''])
    assert.deepEqual(problems({ callbackUri, filter: { vnfInstanceSubscriptionFilter: { vnfInstances: [] } } }), [
      '/filter/vnfInstanceSubscriptionFilter/vnfInstances',
    ])
    assert.deepEqual(
      problems({
        callbackUri,
        filter: {
          notificationTypes: ['PodStateChangeNotification', 'VnfLcmOperationOccurrenceNotification', 'NoticeStateChangeNotification'],
        },
      }),
      ['/filter/notificationTypes/1', '/filter/notificationTypes/2'],
    )
    assert.deepEqual(problems({ callbackUri, filter: { operationTypes: ['DELETE'], operationStates: ['FAILED_TEMP'] } }), ['/filter'])
    assert.deepEqual(problems({ callbackUri, authentication: { authType: ['BASIC', 'OAUTH2_CLIENT_CERT'] } }), ['/authentication/authType'])
    assert.deepEqual(problems({ callbackUri, authentication: { authType: ['BASIC'], paramsBasic: { userName: 'u' } } }), [
      '/authentication/paramsBasic/password',
    ])
    assert.equal(solPointer('/spec/filter/kinds/0'), '/filter/notificationTypes')
    assert.equal(solPointer('/spec/sink'), '/callbackUri')
    assert.deepEqual(
      problems({
        callbackUri,
        authentication: {
          authType: ['OAUTH2_CLIENT_CERT'],
          paramsOauth2ClientCert: {
            clientId: 'x',
            certificateRef: { type: 'x5t#S256', value: 'short' },
            tokenEndpoint: 'https://t.example.org/',
          },
        },
      }),
      ['/authentication/paramsOauth2ClientCert/certificateRef/value'],
    )
    assert.deepEqual(
      (['oauth2', 'oauth2-certificate'] as const).map((how) => solPointer('/spec/auth/tokenEndpoint', how)),
      ['/authentication/paramsOauth2ClientCredentials/tokenEndpoint', '/authentication/paramsOauth2ClientCert/tokenEndpoint'],
    )
  })

  test('names states that nothing here gets to, and hears of none', () => {
    assert.deepEqual(taken({ filter: { operationStates: ['STARTING', 'COMPLETED', 'FAILED', 'ROLLED_BACK'] } }).spec.filter, {
      phases: ['ready', 'deleted'],
    })
    assert.deepEqual(problems({ callbackUri, filter: { operationStates: ['ROLLED_BACK'] } }), ['/filter'])
  })

  test('asks of which VNF or network service an object is part, and only what no object can answer is refused', () => {
    const vnf = {
      vnfInstanceIds: ['b', 'a'],
      vnfdIds: ['d'],
      vnfProductsFromProviders: [
        { vnfProvider: 'Acme' },
        {
          vnfProvider: 'Initech',
          vnfProducts: [
            { vnfProductName: 'upf', versions: [{ vnfSoftwareVersion: '2', vnfdVersions: ['2.1', '2.0'] }, { vnfSoftwareVersion: '1' }] },
            { vnfProductName: 'smf' },
          ],
        },
      ],
    }
    const ns = { nsInstanceIds: ['n'], nsdIds: ['s'], vnfdIds: ['d', 'e'] }
    const { filter } = taken({ filter: { vnfInstanceSubscriptionFilter: vnf, nsInstanceSubscriptionFilter: ns } }).spec
    const of = { provider: 'Initech', product: 'upf' }
    assert.deepEqual(filter, {
      nfv: {
        vnfInstanceIds: ['a', 'b'],
        vnfdIds: ['d'],
        vnfProducts: [
          { ...of, softwareVersion: '1' },
          { ...of, softwareVersion: '2', vnfdVersion: '2.0' },
          { ...of, softwareVersion: '2', vnfdVersion: '2.1' },
          { provider: 'Acme' },
          { provider: 'Initech', product: 'smf' },
        ].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
        nsInstanceIds: ['n'],
        nsdIds: ['s'],
      },
    })
    assert.deepEqual(taken({ filter: viewed(filter)! }).spec.filter, filter, 'what is shown means the same')
    const messages = (given: object): string[] => {
      const wanted = fromSol({ callbackUri, filter: given })
      return 'problems' in wanted ? wanted.problems.map(({ at, message }) => `${at} ${message}`) : []
    }
    const right: readonly (readonly [object, RegExp])[] = [
      [{ nsInstanceSubscriptionFilter: { pnfdIds: ['p'] } }, /^\/filter\/nsInstanceSubscriptionFilter\/pnfdIds .*name nsdIds$/],
      [{ nsComponentTypes: ['VNF'] }, /^\/filter\/nsComponentTypes .*notificationTypes$/],
      [{ lcmOpNameImpactingNsComponent: ['VNF_SCALE'] }, /^\/filter\/lcmOpNameImpactingNsComponent .*operationTypes$/],
      [{ lcmOpOccStatusImpactingNsComponent: ['START'] }, /^\/filter\/lcmOpOccStatusImpactingNsComponent .*operationStates$/],
      [
        { vnfInstanceSubscriptionFilter: { vnfdIds: ['a'] }, nsInstanceSubscriptionFilter: { vnfdIds: ['b'] } },
        /^\/filter\/nsInstanceSubscriptionFilter\/vnfdIds lets nothing through/,
      ],
      [
        {
          vnfInstanceSubscriptionFilter: {
            vnfProductsFromProviders: [0, 1].map((i) => ({
              vnfProvider: `p${i}`,
              vnfProducts: Array.from({ length: 40 }, (_, j) => ({ vnfProductName: `x${j}` })),
            })),
          },
        },
        /^\/filter\/vnfInstanceSubscriptionFilter\/vnfProductsFromProviders comes to 80 /,
      ],
    ]
    for (const [given, said] of right) {
      const found = messages(given)
      assert.equal(found.length, 1, found.join('; '))
      assert.match(found[0]!, said)
    }
  })

  test('whatever products it names, what is shown of them asks the same', () => {
    const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 3 })
    const name = fc.constantFrom('a', 'b', 'c')
    const words = some(name).map((all) => [...new Set(all)])
    const versions = some(fc.oneof(fc.record({ vnfSoftwareVersion: name }), fc.record({ vnfSoftwareVersion: name, vnfdVersions: words })))
    const products = some(fc.oneof(fc.record({ vnfProductName: name }), fc.record({ vnfProductName: name, versions })))
    const providers = some(fc.oneof(fc.record({ vnfProvider: name }), fc.record({ vnfProvider: name, vnfProducts: products })))
    fc.assert(
      fc.property(providers, (vnfProductsFromProviders) => {
        const { filter } = taken({ filter: { vnfInstanceSubscriptionFilter: { vnfProductsFromProviders } } }).spec
        assert.deepEqual(taken({ filter: viewed(filter)! }).spec.filter, filter)
      }),
    )
  })

  test('is shown as it was meant, whatever types, states and phases were named', () => {
    const some = <T extends string>(of: readonly T[]) => fc.option(fc.subarray([...of], { minLength: 1 }), { nil: undefined })
    const given = fc.record({ operationTypes: some(operationTypes), operationStates: some(operationStates), resourcePhases: some(phases) })
    const clean = (filter: object): object => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
    fc.assert(
      fc.property(given, (raw) => {
        const wanted = fromSol({ callbackUri, filter: clean(raw) })
        if ('problems' in wanted) return
        const shown = viewed(wanted.spec.filter) ?? {}
        assert.deepEqual(taken({ filter: shown }).spec.filter, wanted.spec.filter)
      }),
    )
  })

  test("is shown in SOL's words where they can say it, and in ours where they cannot", () => {
    const shown = (...of: readonly Phase[]): SolFilter | undefined => viewed({ phases: [...of] })
    assert.deepEqual(shown('terminating', 'deleted'), { operationTypes: ['DELETE'] })
    assert.deepEqual(shown('error'), { operationStates: ['FAILED_TEMP'] })
    assert.deepEqual(shown('ready'), { operationTypes: ['CREATE'], operationStates: ['COMPLETED'] })
    assert.deepEqual(shown('pending', 'deleted'), { resourcePhases: ['pending', 'deleted'] })
    assert.equal(viewed({}), undefined)
  })
})

describe('an attribute filter', () => {
  const item = { id: 'i', callbackUri, verbosity: 'FULL', filter: { resourceNames: ['a', "it's; (b)"], operationTypes: ['CREATE'] } }
  const matches = (text: string): boolean | undefined => parseAttributeFilter(text)?.matches(item)

  test('lets through what all of its parts hold for', () => {
    const right = [
      `(eq,callbackUri,${callbackUri})`,
      '(neq,id,j)',
      '(in,verbosity,SHORT,FULL)',
      '(nin,verbosity,SHORT)',
      '(cont,callbackUri,nfvo)',
      '(ncont,callbackUri,vnfm)',
      '(gt,id,h)',
      '(gte,id,i)',
      '(lt,id,j)',
      '(lte,id,i)',
      '(eq,filter/resourceNames,a)',
      "(eq,filter/resourceNames,'it''s; (b)')",
      '(eq,id,i);(eq,verbosity,FULL)',
      '(neq,filter/resourceLabels,x)',
    ]
    for (const text of right) assert.equal(matches(text), true, text)
    const wrong = [
      '(eq,id,j)',
      '(neq,id,i)',
      '(in,verbosity,SHORT)',
      '(cont,callbackUri,vnfm)',
      '(gt,id,i)',
      '(eq,filter/resourceNames,c)',
      '(eq,id,i);(eq,verbosity,SHORT)',
      '(eq,filter,a)',
      '(eq,filter/resourceLabels,x)',
      '(eq,constructor/name,Object)',
    ]
    for (const text of wrong) assert.equal(matches(text), false, text)
  })

  test('is none where it is not written as one', () => {
    for (const text of [
      '',
      'id',
      '(eq,id)',
      '(eq,id,i',
      '(is,id,i)',
      '(eq,id,i,j)',
      '(eq,id,i);',
      '(eq,id,i)(eq,id,i)',
      "(eq,id,'i)",
      '(toString,id,i)',
      '(eq,,i)',
    ])
      assert.equal(parseAttributeFilter(text), undefined, text)
    fc.assert(fc.property(fc.string(), (text) => void parseAttributeFilter(text)))
  })
})
