// NetworkServices and NetworkServiceEndpoints: over REST, and at admission where NSM's own CRDs have no schema.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { buildAdmission } from '../../webhooks/server.ts'
import { ask, openAdmission, reviewOf, type AdmissionTestServer } from './admission-test-server.ts'
import { openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
let cluster: AdmissionTestServer
let server: ReturnType<typeof buildAdmission>
before(async () => {
  rest = await openHarness()
  cluster = await openAdmission()
  server = cluster.server()
  await server.ready()
})
after(() => Promise.all([rest.close(), cluster.close()]))

type Kind = 'NetworkService' | 'NetworkServiceEndpoint'
const object = (kind: Kind, spec: unknown, name = 'x') => ({
  apiVersion: 'networkservicemesh.io/v1',
  kind,
  metadata: { name, namespace: 'a' },
  spec,
})
const of = (kind: Kind) => ({ kind: { group: 'networkservicemesh.io', version: 'v1', kind } })

/** What both doors refuse; the same, or the test fails. */
async function refusals(kind: Kind, spec: unknown): Promise<readonly string[]> {
  const made = await rest.ask(`POST /v1/namespaces/a/${kind.toLowerCase()}s?dryRun=true`, { body: object(kind, spec) })
  const overRest = made.status === 201 ? [] : (made.problem.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)
  const { allowed, status } = await ask(server, '/validate-objects', reviewOf(object(kind, spec), of(kind)))
  const atAdmission = allowed ? [] : (status?.details.causes ?? []).map(({ field, message }) => `${field} ${message}`)
  assert.deepEqual(atAdmission, overRest)
  return overRest
}

describe('a NetworkService', () => {
  test('as manifests of NSM have it is taken, nulls, templates and all', async () => {
    const spec = {
      payload: 'ETHERNET',
      matches: [
        {
          source_selector: null,
          fallthrough: true,
          routes: [{ destination_selector: { podName: '{{ .podName }}', zone: '{{ index . "example.org/zone" }}' } }],
        },
        { source_selector: { app: 'web' }, routes: [{ destination_selector: { any: 'true' }, weight: 1 }] },
        { metadata: { labels: { p2p: 'true' } } },
      ],
    }
    assert.deepEqual(await refusals('NetworkService', spec), [])
    const made = await rest.ask('POST /v1/namespaces/a/networkservices', { body: object('NetworkService', spec, 'svc') })
    assert.equal(made.status, 201)
    const { source_selector: _, ...first } = spec.matches[0] as Record<string, unknown>
    assert.deepEqual(made.body['spec'], { ...spec, matches: [first, ...spec.matches.slice(1)] })
  })

  const many = (length: number): object[] => Array.from({ length }, () => ({}))
  const cases: Readonly<Record<string, readonly [unknown, string]>> = {
    'an unknown field': [{ matchs: [] }, '/spec/matchs is not a field here; did you mean matches?'],
    'another payload': [{ payload: 'TCP' }, '/spec/payload must be one of , IP, ETHERNET'],
    'a name with a space': [{ name: 'a b' }, '/spec/name must match ^([A-Za-z0-9]([-A-Za-z0-9._@]*[A-Za-z0-9])?)?$'],
    'a selector that is a list': [{ matches: [{ source_selector: ['a'] }] }, '/spec/matches/0/source_selector must be an object'],
    'a label that is a number': [
      { matches: [{}, { routes: [{ destination_selector: { 'a/b': 5 } }] }] },
      '/spec/matches/1/routes/0/destination_selector/a~1b must be a text',
    ],
    'a label without a name': [
      { matches: [{ source_selector: { '': 'x' } }] },
      '/spec/matches/0/source_selector/ must have a name of 1 to 317 characters without spaces',
    ],
    'a template that asks for more than a label': [
      { matches: [{ routes: [{}, { destination_selector: { zone: '{{if .zone}}a{{end}}' } }] }] },
      '/spec/matches/0/routes/1/destination_selector/zone may ask for a label by {{.name}} or {{index . "example.org/name"}} alone, not by {{if .zone}}',
    ],
    'a template that does not end': [
      { matches: [{ source_selector: { zone: '{{.zone' } }] },
      '/spec/matches/0/source_selector/zone has {{ without }}',
    ],
    'too many matches': [{ matches: many(65) }, '/spec/matches must have at most 64 items'],
    'too many routes in all': [
      { matches: Array.from({ length: 5 }, () => ({ routes: many(60) })) },
      '/spec/matches must have at most 256 routes in all, not 300',
    ],
  }
  for (const [what, [spec, said]] of Object.entries(cases))
    test(`with ${what} is refused, with the path`, async () => {
      const found = await refusals('NetworkService', spec)
      assert.equal(found.length, 1, found.join('\n'))
      assert.ok(found[0]!.startsWith(said), found[0])
    })

  test('that was there before admission looked may stay as it is, and be mended, and not become worse', async () => {
    const was = object('NetworkService', { payload: 'TCP' })
    const change = async (spec: unknown, more: object = {}): Promise<boolean> => {
      const now = { ...object('NetworkService', spec), ...more }
      const review = reviewOf(now, { ...of('NetworkService'), operation: 'UPDATE', oldObject: was })
      return (await ask(server, '/validate-objects', review)).allowed
    }
    assert.deepEqual(
      [await change({ payload: 'TCP' }), await change({ payload: 'IP' }), await change({ payload: 'UDP' })],
      [true, true, false],
    )
  })
})

describe('a NetworkServiceEndpoint', () => {
  test('as a registry of NSM writes it is taken', async () => {
    const spec = {
      name: 'nse-1@far.example.org',
      network_service_names: ['svc', 'other'],
      network_service_labels: { svc: { labels: { zone: 'b' } }, other: {} },
      url: 'tcp://[2001:db8::7]:5001',
      expiration_time: { seconds: 1_764_500_000, nanos: 5 },
      initial_registration_time: { seconds: 1_764_400_000 },
      path_ids: ['spiffe://example.org/nse-1'],
    }
    assert.deepEqual(await refusals('NetworkServiceEndpoint', spec), [])
    assert.deepEqual(await refusals('NetworkServiceEndpoint', { ...spec, url: 'inode://4/12', expiration_time: {} }), [])
  })
  const cases: Readonly<Record<string, readonly [unknown, string]>> = {
    'a time as a text': [{ expiration_time: '2026-11-30T00:00:00Z' }, '/spec/expiration_time must be an object'],
    'a time of the past before all times': [{ expiration_time: { seconds: -1 } }, '/spec/expiration_time/seconds must be from 0 to'],
    'a URL without a scheme': [{ url: '192.0.2.7:5001' }, '/spec/url must match'],
    'labels that are none': [
      { network_service_labels: { svc: { labels: { a: true } } } },
      '/spec/network_service_labels/svc/labels/a must be a text',
    ],
    'an empty name of a service': [{ network_service_names: ['svc', ''] }, '/spec/network_service_names/1 must'],
  }
  for (const [what, [spec, said]] of Object.entries(cases))
    test(`with ${what} is refused, with the path`, async () => {
      const found = await refusals('NetworkServiceEndpoint', spec)
      assert.ok(found.length > 0 && found[0]!.startsWith(said), found.join('\n'))
    })

  test('is refreshed by a patch, and goes at once', async () => {
    const at = 'namespaces/a/networkserviceendpoints'
    const spec = { network_service_names: ['svc'], expiration_time: { seconds: 100 } }
    const made = await rest.ask(`POST /v1/${at}`, { body: object('NetworkServiceEndpoint', spec, 'nse-1') })
    assert.equal(made.status, 201)
    const patched = await rest.ask(`PATCH /v1/${at}/nse-1`, {
      body: { spec: { expiration_time: { seconds: 200 } } },
      headers: { 'if-match': String(made.headers['etag']) },
    })
    assert.deepEqual(patched.body['spec'], { ...spec, expiration_time: { seconds: 200 } })
    const gone = await rest.ask(`DELETE /v1/${at}/nse-1`, { headers: { 'if-match': '*' } })
    assert.equal(gone.status, 204)
  })
})
