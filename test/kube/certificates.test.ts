// The certificate of admission, renewed on a real API server: what servers show is always judged right by what is registered.
import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { tendAdmission, type AdmissionCertificates } from '../../platform/kube/admission-certificates.ts'
import { openKubeStore } from '../../platform/store/kube-open.ts'
import type { KubeStore } from '../../platform/store/kube.ts'
import { silentLog } from '../../platform/log.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import type { Lives } from '../../platform/tls/rotation.ts'
import { keepCertificates } from '../../workers/certificates.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

const hour = 3_600_000
const lives: Lives = { authorityMs: 900 * hour, leafMs: 30 * hour, overlapMs: 2 * hour }
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const certificatesIn = (pem: string): readonly X509Certificate[] => (pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((each) => new X509Certificate(each))

describe('the certificate of admission', { skip: kubeSkip }, () => {
  let store: KubeStore
  let at: AdmissionCertificates
  const start = Date.now()
  const first = makeAuthority('chart', { now: start, ms: 1000 * hour })
  const configuration = `renewed-${randomBytes(4).toString('hex')}`
  const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const

  const tend = (now: number): Promise<number> => tendAdmission({ client: store.client, at, log: silentLog(), now, lives, jitterMs: 0 })
  const get = async (kind: (typeof kinds)[number] | 'secret', name: string): Promise<unknown> => {
    const path = kind === 'secret' ? `/api/v1/namespaces/${at.namespace}/secrets/${name}` : `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s/${name}`
    return (await store.client.ask({ verb: 'get', resource: 'any', path })).body
  }
  /** The bundles of every entry of both configurations. */
  async function bundles(): Promise<readonly string[]> {
    const found = await Promise.all(kinds.map((kind) => get(kind, configuration))) as { webhooks: { clientConfig: { caBundle: string } }[] }[]
    return found.flatMap(({ webhooks }) => webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle, 'base64').toString()))
  }
  async function shown(): Promise<{ readonly leaf: string; readonly ca: string }> {
    const { data } = await get('secret', at.shown) as { data: Record<string, string> }
    const text = (name: string): string => Buffer.from(data[name]!, 'base64').toString()
    return { leaf: text('tls.crt'), ca: text('ca.crt') }
  }
  const isJudged = (leaf: string, bundle: string): boolean => certificatesIn(bundle).some((ca) => new X509Certificate(leaf).checkIssued(ca) && new X509Certificate(leaf).verify(ca.publicKey))

  before(async () => {
    store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    const namespace = await newNamespace('certificates')
    at = { namespace, shown: 'shown', kept: 'kept', configurations: configuration, hosts: ['admission.example.org'] }
    const leaf = issueLeaf(first, ['admission.example.org'], { now: start, ms: 1000 * hour })
    const entry = (name: string): object => ({ name, admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Ignore', clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: base64(first.cert) }, rules: [] })
    const items = [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: at.shown, namespace }, type: 'kubernetes.io/tls', data: { 'ca.crt': base64(first.cert), 'tls.crt': base64(leaf.cert), 'tls.key': base64(leaf.key) } },
      ...kinds.map((kind) => ({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: configuration }, webhooks: [entry('one.example.org'), entry('two.example.org')] })),
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
    assert.equal(certificatesIn(bundle!).length, 2, 'one authority of ours and the chart\'s')
    for (const each of [before.leaf, leaf]) assert.ok(isJudged(each, bundle!))
  })

  test('changes nothing where nothing is due, and forgets the chart\'s authority when nobody can show its certificate any more', async () => {
    const versions = async (): Promise<unknown> => Promise.all([get('secret', at.shown), get('secret', at.kept), ...kinds.map((kind) => get(kind, configuration))]).then((all) => (all as { metadata: { resourceVersion: string } }[]).map(({ metadata }) => metadata.resourceVersion))
    const before = await versions()
    assert.equal(await tend(start + hour), hour)
    assert.deepEqual(await versions(), before)
    await tend(start + 3 * hour)
    const [bundle] = await bundles()
    assert.deepEqual([certificatesIn(bundle!).length, isJudged((await shown()).leaf, bundle!)], [1, true])
  })

  test('over the years each certificate is judged right by the bundle of two hours before and of a certificate\'s life after', async () => {
    const seen: { readonly now: number; readonly leaf: string; readonly bundle: string }[] = []
    // From one renewal to the next, and an hour after each.
    for (let now = start + 4 * hour; now < start + 1300 * hour; ) {
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

  test('a bundle that somebody put in its place is mended at the next look, and what workers do ends when they are told to stop', async () => {
    const clock = new TurnedClock(start + 1300 * hour)
    const keeping = keepCertificates(at, { client: store.client, clock, log: silentLog(), random: () => 0, lives })
    await until(async () => (await shown()).ca === (await bundles())[0], 'the first look')
    const [bundle] = await bundles()
    await kubectl(['patch', kinds[0], configuration, '--type=json', '-p', JSON.stringify([{ op: 'replace', path: '/webhooks/1/clientConfig/caBundle', value: base64(first.cert) }])])
    await until(async () => {
      clock.turn(60_000)
      return (await bundles()).every((each) => each === bundle)
    }, 'the bundle is mended')
    await keeping.stop()
  })
})
