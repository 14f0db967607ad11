// The certificate of admission, renewed on a real API server: what servers show is always judged right by what is registered.
import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { answeredAt, type PathLives, type Registration } from '../../core/plan/registration.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { readRegistrations } from '../../platform/kube/admission/registration.ts'
import { tendAdmission, type AdmissionCertificates } from '../../platform/kube/admission/certificates.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { silentLog } from '../../platform/log.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import type { Lives } from '../../platform/tls/rotation.ts'
import { keepCertificates } from '../../workers/admission-certificates.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

const hour = 3_600_000
const lives: Lives = { authorityMs: 900 * hour, leafMs: 30 * hour, overlapMs: 2 * hour }
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((each) => new X509Certificate(each))

describe('the certificate of admission', { skip: kubeSkip }, () => {
  let store: KubeStore
  let at: AdmissionCertificates
  const start = Date.now()
  const first = makeAuthority('chart', { now: start, ms: 1000 * hour })
  const configuration = `renewed-${randomBytes(4).toString('hex')}`
  const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const

  const tend = (now: number): Promise<number> => tendAdmission({ client: store.client, at, log: silentLog(), now, lives, jitterMs: 0 })
  const get = async (kind: (typeof kinds)[number] | 'secret', name: string): Promise<unknown> => {
    const path =
      kind === 'secret'
        ? `/api/v1/namespaces/${at.namespace}/secrets/${name}`
        : `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s/${name}`
    return (await store.client.ask({ verb: 'get', resource: 'any', path })).body
  }
  /** The bundles of every entry of both configurations. */
  async function bundles(): Promise<readonly string[]> {
    const found = (await Promise.all(kinds.map((kind) => get(kind, configuration)))) as {
      webhooks: { clientConfig: { caBundle: string } }[]
    }[]
    return found.flatMap(({ webhooks }) => webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle, 'base64').toString()))
  }
  async function shown(): Promise<{ readonly leaf: string; readonly ca: string }> {
    const { data } = (await get('secret', at.shown)) as { data: Record<string, string> }
    const text = (name: string): string => Buffer.from(data[name]!, 'base64').toString()
    return { leaf: text('tls.crt'), ca: text('ca.crt') }
  }
  const isJudged = (leaf: string, bundle: string): boolean =>
    certificatesIn(bundle).some((ca) => new X509Certificate(leaf).checkIssued(ca) && new X509Certificate(leaf).verify(ca.publicKey))

  before(async () => {
    store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    const namespace = await newNamespace('certificates')
    at = { namespace, shown: 'shown', kept: 'kept', configurations: configuration, hosts: ['admission.example.org'], servers: 'app=none' }
    const leaf = issueLeaf(first, ['admission.example.org'], { now: start, ms: 1000 * hour })
    const entry = (name: string): object => ({
      name,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Ignore',
      clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: base64(first.cert) },
      rules: [],
    })
    const items = [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: at.shown, namespace },
        type: 'kubernetes.io/tls',
        data: { 'ca.crt': base64(first.cert), 'tls.crt': base64(leaf.cert), 'tls.key': base64(leaf.key) },
      },
      ...kinds.map((kind) => ({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        metadata: { name: configuration },
        webhooks: [entry('one.example.org'), entry('two.example.org')],
      })),
    ]
    await kubectl(['create', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) })
  })
  after(async () => {
    for (const kind of kinds) await kubectl(['delete', kind, configuration, '--ignore-not-found'])
    await store.close()
  })

  test('takes the place of the one that the chart made, by whoever tends first; both are judged right meanwhile', async () => {
    const before = await shown()
    await Promise.all(Array.from({ length: 4 }, () => tend(start)))
    await tend(start)
    const { leaf, ca } = await shown()
    assert.notEqual(leaf, before.leaf)
    assert.equal(new X509Certificate(leaf).checkHost('admission.example.org'), 'admission.example.org')
    const [bundle, ...others] = await bundles()
    assert.deepEqual([others.length, new Set([...others, ca])], [3, new Set([bundle])])
    assert.equal(certificatesIn(bundle!).length, 2, "one authority of ours and the chart's")
    for (const each of [before.leaf, leaf]) assert.ok(isJudged(each, bundle!))
  })

  test("changes nothing where nothing is due, and forgets the chart's authority when nobody can show its certificate any more", async () => {
    const versions = async (): Promise<unknown> =>
      Promise.all([get('secret', at.shown), get('secret', at.kept), ...kinds.map((kind) => get(kind, configuration))]).then((all) =>
        (all as { metadata: { resourceVersion: string } }[]).map(({ metadata }) => metadata.resourceVersion),
      )
    const before = await versions()
    assert.equal(await tend(start + hour), hour)
    assert.deepEqual(await versions(), before)
    await tend(start + 3 * hour)
    const [bundle] = await bundles()
    assert.deepEqual([certificatesIn(bundle!).length, isJudged((await shown()).leaf, bundle!)], [1, true])
  })

  test("over the years each certificate is judged right by the bundle of two hours before and of a certificate's life after", async () => {
    const seen: { readonly now: number; readonly leaf: string; readonly bundle: string }[] = []
    // From one renewal to the next, and an hour after each.
    for (let now = start + 4 * hour; now < start + 1300 * hour;) {
      const rest = await tend(now)
      seen.push({ now, leaf: (await shown()).leaf, bundle: (await bundles())[0]! })
      now += Math.max(rest, hour)
    }
    assert.ok(new Set(seen.map(({ leaf }) => leaf)).size > 40)
    assert.ok(new Set(seen.flatMap(({ bundle }) => certificatesIn(bundle).map(({ fingerprint256 }) => fingerprint256))).size >= 2)
    for (const { now, leaf } of seen) {
      const around = seen.filter((other) => other.now >= now - 2 * hour && other.now <= now + 10 * hour)
      for (const other of around) assert.ok(isJudged(leaf, other.bundle), `${(now - start) / hour} by ${(other.now - start) / hour}`)
    }
  })

  describe('and the path that it is at', () => {
    const name = `paths-${randomBytes(4).toString('hex')}`
    const [day, minute] = [24 * hour, 60_000]
    const paths: PathLives = { pathMs: 7 * day, formerMs: day, plainMs: 5 * minute }
    let own: AdmissionCertificates
    const rotate = (now: number): Promise<number> =>
      tendAdmission({
        client: store.client,
        at: own,
        log: silentLog(),
        now,
        lives: { ...lives, authorityMs: 90_000 * hour, leafMs: 9_000 * hour },
        jitterMs: 0,
      })
    const registered = (): Promise<readonly Registration[]> => readRegistrations(store.client, name)
    const where = async (): Promise<readonly (string | undefined)[]> =>
      (await registered()).flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.service?.path))
    const open = async (now: number): Promise<readonly string[]> =>
      [...answeredAt(await registered())].filter(([, until]) => until > now).map(([before]) => before)
    const ends = ['/mutate-pods', '/mutate-objects', '/validate-pods', '/validate-objects']
    const servers = async (labels: object): Promise<void> => {
      await kubectl(['delete', 'pod', 'server', '-n', own.namespace, '--ignore-not-found', '--wait=false', '--grace-period=0', '--force'])
      await kubectl(['create', '-f', '-'], {
        input: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'server', namespace: own.namespace, labels: { app: name, ...labels } },
          spec: { containers: [{ name: 'a', image: 'example.org/a' }] },
        }),
      })
    }

    before(async () => {
      own = { ...at, namespace: await newNamespace('paths'), configurations: name, paths, servers: `app=${name}` }
      const entry = (resource: string): object => ({
        name: `${resource}.example.org`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        clientConfig: { service: { name: 'none', namespace: own.namespace, path: `/${resource}` } },
        rules: [{ apiGroups: ['example.org'], apiVersions: ['v1'], resources: [resource], operations: ['CREATE'] }],
      })
      await kubectl(['create', '-f', '-'], {
        input: JSON.stringify({
          apiVersion: 'v1',
          kind: 'List',
          items: kinds.map((kind) => ({
            apiVersion: 'admissionregistration.k8s.io/v1',
            kind,
            metadata: { name, annotations: { 'megrez.io/paths': 'written' } },
            webhooks: [entry('pods'), entry('vpcs')],
          })),
        }),
      })
    })
    after(async () => {
      for (const kind of kinds) await kubectl(['delete', kind, name, '--ignore-not-found'])
    })

    test('is plain while a server of a version before paths is there, then one that nobody can guess, by whoever tends first', async () => {
      await servers({})
      await rotate(start)
      assert.deepEqual(await where(), ends)
      await servers({ 'megrez.io/follows-paths': 'true' })
      await Promise.all(Array.from({ length: 4 }, () => rotate(start)))
      await rotate(start)
      const [first = '', ...others] = await where()
      assert.match(first, /^\/[0-9a-f]{32}\/mutate-pods$/)
      assert.deepEqual(
        [first, ...others],
        ends.map((end) => first.replace('/mutate-pods', end)),
      )
      assert.deepEqual(
        [(await open(start)).length, await open(start + 6 * minute)],
        [2, [first.replace('/mutate-pods', '')]],
        'and the plain one for five minutes',
      )
    })

    test('turns each week, the one before is answered at for a day, and nothing is written in between', async () => {
      const [before] = await open(start + hour)
      await rotate(start + hour)
      const versions = async (): Promise<unknown> => (await registered()).map(({ metadata }) => metadata.resourceVersion)
      const still = await versions()
      await rotate(start + 6 * day)
      assert.deepEqual([await versions(), await open(start + 6 * day)], [still, [before]])
      await rotate(start + 8 * day)
      const [, after] = await open(start + 8 * day)
      assert.ok(after !== undefined && after !== before)
      assert.deepEqual([(await open(start + 8 * day)).includes(before!), await open(start + 10 * day)], [true, [after]])
    })

    test('is put back by workers where somebody has put back another, plain again for a server that knows no paths, and not touched where the chart does not leave it to us', async () => {
      const now = start + 9 * day
      await rotate(now)
      const [before] = await open(now + day)
      await servers({})
      await rotate(now)
      assert.deepEqual([await where(), new Set(await open(now))], [ends, new Set(['', before])], 'a rollout that is undone')
      await servers({ 'megrez.io/follows-paths': 'true' })
      await rotate(now)
      assert.deepEqual(await open(now + day), [before])
      for (const kind of kinds) await kubectl(['annotate', kind, name, 'megrez.io/paths-'])
      for (const kind of kinds)
        await kubectl([
          'patch',
          kind,
          name,
          '--type=json',
          '-p',
          JSON.stringify([{ op: 'replace', path: '/webhooks/0/clientConfig/service/path', value: '/given/mutate-pods' }]),
        ])
      await rotate(now + 30 * day)
      assert.deepEqual((await where()).filter((each) => each === '/given/mutate-pods').length, 2)
    })
  })

  test('a bundle that somebody put in its place is mended at the next look, and what workers do ends when they are told to stop', async () => {
    const clock = new TurnedClock(start + 1300 * hour)
    const keeping = keepCertificates(at, { client: store.client, clock, log: silentLog(), random: () => 0, lives })
    await until(async () => (await shown()).ca === (await bundles())[0], 'the first look')
    const [bundle] = await bundles()
    await kubectl([
      'patch',
      kinds[0],
      configuration,
      '--type=json',
      '-p',
      JSON.stringify([{ op: 'replace', path: '/webhooks/1/clientConfig/caBundle', value: base64(first.cert) }]),
    ])
    await until(async () => {
      clock.advance(60_000)
      return (await bundles()).every((each) => each === bundle)
    }, 'the bundle is mended')
    await keeping.stop()
  })
})
