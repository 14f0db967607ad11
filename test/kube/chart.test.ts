// The chart by a real helm, and what it renders on a real API server.
import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseAllDocuments, stringify } from 'yaml'
import { definitionOf, kinds, type OwnKind } from '../../core/kinds/index.ts'
import { readConfig } from '../../platform/config.ts'
import { tendAdmission } from '../../platform/kube/admission/certificates.ts'
import { silentLog } from '../../platform/log.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { usualLives } from '../../platform/tls/rotation.ts'
import { admissionOf } from '../../workers/certificates.ts'
import { applyCrds, installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { run, type Outcome } from '../setup/run.ts'
import { until } from '../setup/until.ts'

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'charts/megrez')
const crdFolder = join(chart, 'files/crds')
const namespace = 'megrez-system'

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[]; readonly verbs: readonly string[] }[]
  readonly spec?: { readonly template?: { readonly spec: { readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[] } } }
  readonly data?: Readonly<Record<string, string>>
}

describe('the chart', { skip: kubeSkip }, () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-chart-'))
  })
  after(async () => {
    await rm(folder, { recursive: true })
  })

  function helm(args: readonly string[], input?: string): Promise<Outcome> {
    const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, KUBECONFIG: kubeconfigPath }
    return run(process.env.MEGREZ_TEST_HELM ?? 'helm', args, { env, ...(input === undefined ? {} : { input }) })
  }
  async function helmed(args: readonly string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await helm(args, input)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const render = (values: object, ...more: string[]): Promise<string> => helmed(['template', 'megrez', chart, '--namespace', namespace, '--kube-version', '1.34', '--values', '-', ...more], stringify(values))
  const manifests = (text: string): Manifest[] => parseAllDocuments(text).map((document) => document.toJS() as Manifest | null).filter((each) => each !== null)

  test('passes helm lint, warnings counted', async () => {
    await helmed(['lint', '--strict', chart])
  })

  const wrong: Record<string, readonly [values: object, complaint: RegExp]> = {
    'a value that is not known': [{ webhook: { replicas: 2 } }, /additional properties 'webhook' not allowed/],
    'one deep inside': [{ settings: { nicLimit: {} } }, /additional properties 'nicLimit' not allowed/],
    'a wrong type': [{ workers: { replicas: 'two' } }, /\/workers\/replicas/],
    'a failure policy that is none': [{ admission: { failurePolicy: 'fail' } }, /\/admission\/failurePolicy/],
    'a timeout above what admission may take': [{ admission: { timeoutSeconds: 30 } }, /\/admission\/timeoutSeconds/],
    'a block that is none': [{ settings: { callbackAllow: ['10.0.0.1'] } }, /\/settings\/callbackAllow\/0/],
    'a path that could be guessed': [{ admission: { path: 'secret' } }, /\/admission\/path/],
    'a CA that is not PEM': [{ tls: { secretName: 'mine', caBundle: 'abc' } }, /\/tls\/caBundle/],
    'several workers without Redis': [{ workers: { replicas: 2 } }, /redis\.url/],
    'half an issuer': [{ rest: { tokenIssuer: 'https://issuer.example.org' } }, /set together/],
    'network policies that do not know the API server': [{ networkPolicy: { enabled: true } }, /networkPolicy\.apiServer/],
  }
  for (const [name, [values, complaint]] of Object.entries(wrong))
    test(`refuses ${name}`, async () => {
      const { code, stderr } = await helm(['template', 'megrez', chart, '--kube-version', '1.34', '--values', '-'], stringify(values))
      assert.notEqual(code, 0)
      assert.match(stderr, complaint)
    })

  test('refuses a cluster older than 1.32', async () => {
    const { code, stderr } = await helm(['template', 'megrez', chart, '--kube-version', '1.31'])
    assert.notEqual(code, 0)
    assert.match(stderr, /kubeVersion/)
  })

  test('renders the CRDs where asked to, each of them, and otherwise none', async () => {
    const names = (found: readonly Manifest[]): string[] => found.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ metadata }) => metadata.name).sort()
    const wanted = (Object.keys(kinds) as OwnKind[]).map((kind) => `${definitionOf(kind).plural}.megrez.io`).sort()
    const asked = manifests(await render({ crds: { render: true } }, '--show-only', 'templates/crds.yaml'))
    assert.deepEqual([names(asked), asked.length, names(manifests(await render({})))], [wanted, wanted.length, []])
  })

  const examples: Record<string, unknown> = {
    logLevel: 'debug', redisPrefix: 'm', lingerMs: 1000, nicLimits: { default: 4, flavors: { 'm1.large': 2 } }, clusterNic: 'none', agents: true, reservationMs: 20_000, reservationRate: 50, addressRestMs: 0, vniMin: 5000, vniMax: 16_000_000,
    concurrency: 10, blockerWaitMs: 1_000_000, callbackTimeoutMs: 5000, callbackHorizonMs: 259_200_000, callbackAllow: ['10.0.0.0/8', 'fd00::/8'], callbackHttp: true,
    callbackAllowIn: { nfvo: ['10.1.0.0/16'] }, callbackSharedSignature: false, callbackOrigin: 'megrez.example.org', publicUrl: 'https://megrez.example.org/nfv', fabricOwner: 'site-1', fabricRate: 5, fabricFreshMs: 20_000, fabricAuditMs: 30_000,
    dataplane: 'linux', bridge: 'br-m', tunnelL4Port: 8472, tunnelBlocks: ['192.0.2.0/24'], underlayMtu: 9000, uplinks: { physnet1: 'eth1' }, ovsDb: 'unix:/ovs/db.sock', ovsRunDir: '/ovs', ovsDatapath: 'netdev',
    bessTarget: 'unix:/bess.sock', dpdkSockets: '/dpdk', bessDpdk: 'memif', bessBesideOthers: true, cniSocket: '/cni.sock', cniBin: '/bin', cniConf: '/conf', cniDelegate: '/delegate', cniShim: '/shim', cniConcurrency: 4, cniBudgetMs: 60_000,
    ledger: '/ledger', auditMs: 1000, attachmentNamespaces: ['shared'], execAllow: ['/usr/bin/true'],
  }
  test('every setting that it takes reaches both processes as they read it', async () => {
    const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')) as { properties: { settings: { properties: object } } }
    assert.deepEqual(Object.keys(schema.properties.settings.properties).sort(), Object.keys(examples).sort())
    const deployments = manifests(await render({ settings: examples })).filter(({ kind }) => kind === 'Deployment')
    assert.equal(deployments.length, 2)
    for (const { spec } of deployments) {
      const env = Object.fromEntries(spec!.template!.spec.containers[0]!.env.map(({ name, value }) => [name, value]))
      const config: Record<string, unknown> = readConfig({ ...env, MEGREZ_CALLBACK_SECRET: undefined })
      for (const [name, value] of Object.entries(examples)) assert.deepEqual(config[name], value, name)
    }
  })

  test('serves REST to clients with certificates where it is told who signs them, and to nobody by default', async () => {
    const webhooksOf = async (values: object): Promise<string> => JSON.stringify(manifests(await render(values)).filter(({ kind, metadata }) => metadata.name === 'megrez-webhooks' && ['Deployment', 'Service'].includes(kind)))
    const text = await webhooksOf({ rest: { clientCaSecret: 'clients' } })
    assert.match(text, /"name":"MEGREZ_CLIENT_CA","value":"\/etc\/megrez\/client-ca\/ca\.crt"/)
    assert.match(text, /"name":"client-ca","mountPath":"\/etc\/megrez\/client-ca","readOnly":true/)
    assert.match(text, /"name":"client-ca","secret":\{"secretName":"clients","defaultMode":\d+,"items":\[\{"key":"ca\.crt","path":"ca\.crt"\}\]\}/)
    assert.match(text, /"port":8444/)
    assert.doesNotMatch(await webhooksOf({}), /client-ca|8444/)
  })

  test('gives nobody of ours a wildcard, secrets outside our own namespace unless asked to, or the right to change pods', async () => {
    const rest = { tokenIssuer: 'a', tokenAudience: 'b', kubeTokens: true }
    const all = manifests(await render({ rest }))
    const rules = all.flatMap(({ rules: some = [], kind }) => (kind === 'ClusterRole' || kind === 'Role' ? some : []))
    assert(rules.length > 5)
    for (const { kind, metadata, rules: some = [] } of all) if (some.some(({ resources }) => resources.includes('secrets'))) assert.deepEqual([kind, metadata.namespace], ['Role', namespace], metadata.name)
    const asked = manifests(await render({ workers: { subscriptionSecrets: true } })).find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'megrez-workers')
    assert.deepEqual(asked?.rules?.filter(({ resources }) => resources.includes('secrets')), [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])
    for (const rule of rules) {
      assert.equal([...rule.apiGroups, ...rule.resources, ...rule.verbs].some((each) => each.includes('*')), false, JSON.stringify(rule))
      assert.equal(rule.resources.includes('pods') && rule.verbs.some((verb) => verb === 'patch' || verb === 'update'), false, JSON.stringify(rule))
    }
  })

  const reading = ['get', 'list', 'watch']
  const changing = ['create', 'patch', 'delete']
  const rights: Readonly<Record<string, (kind: OwnKind) => readonly string[]>> = {
    'megrez-webhooks': (kind) => [...reading, ...(definitionOf(kind).internal ? [] : changing)],
    // What each role has is asked in rights.test.ts.
    'megrez-rest-read': (kind) => (kind === 'Notice' ? [] : reading),
    // A controller adds a finalizer to what it looks after, and lets it go.
    'megrez-workers': (kind) => [...reading, ...(kind === 'Notice' ? [] : ['patch'])],
  }
  for (const [role, verbsOf] of Object.entries(rights))
    test(`${role} has its rights to each kind of the table`, async () => {
      const found = manifests(await render({ rest: { tokenIssuer: 'a', tokenAudience: 'b' } })).find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === role)
      const has = (plural: string, verb: string): boolean => found?.rules?.some(({ apiGroups, resources, verbs }) => apiGroups.includes('megrez.io') && resources.includes(plural) && verbs.includes(verb)) === true
      const lacking = (Object.keys(kinds) as OwnKind[]).flatMap((kind) => verbsOf(kind).filter((verb) => !has(definitionOf(kind).plural, verb)).map((verb) => `${verb} ${definitionOf(kind).plural}`))
      assert.deepEqual(lacking, [])
    })

  test('the workers may report on each kind', async () => {
    const rules = manifests(await render({})).filter(({ kind, metadata }) => (kind === 'ClusterRole' && metadata.name === 'megrez-workers') || (kind === 'Role' && metadata.name === 'megrez-notices')).flatMap(({ rules: some = [] }) => some)
    const lacking = (Object.keys(kinds) as OwnKind[]).map((kind) => `${definitionOf(kind).plural}/status`).filter((status) => !rules.some(({ resources, verbs }) => resources.includes(status) && verbs.includes('patch')))
    assert.deepEqual(lacking, [])
  })

  test('an agent sees bessd\'s folder where that is its data plane, and gives its node back where it is told to leave', async () => {
    const agent = async (values: object): Promise<string> => JSON.stringify(manifests(await render(values)).find(({ kind }) => kind === 'DaemonSet'))
    const [plain, bess, leaving] = await Promise.all([{ agents: { enabled: true } }, { agents: { enabled: true, bessRunDir: '/bess' }, settings: { dataplane: 'bess' } }, { agents: { enabled: true, leave: true } }].map(agent))
    assert.doesNotMatch(plain!, /\/run\/bess|preStop/)
    assert.match(bess!, /"name":"bess","mountPath":"\/run\/bess".*"name":"bess","hostPath":\{"path":"\/bess"/)
    assert.match(leaving!, /"preStop":\{"exec":\{"command":\["node",[^\]]*"agent\/cni\/leave\.ts"\]/)
  })

  test('with everything switched on, all of it is taken by the API server', async () => {
    await kubectl(['create', 'namespace', namespace]).catch(() => undefined)
    const values = {
      redis: { secretName: 'redis', caSecretName: 'redis-ca' }, workers: { replicas: 3, nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] }, webhooks: { affinity: { podAntiAffinity: {} }, podAnnotations: { a: 'b' } },
      rest: { tokenIssuer: 'a', tokenAudience: 'b', tokenKeysUrl: 'https://issuer.example.org/keys' }, image: { pullSecrets: ['registry'] }, settings: examples,
      agents: { enabled: true }, networkPolicy: { enabled: true, apiServer: ['10.0.0.0/24'], redis: ['10.1.0.0/24'] }, admission: { annotations: { 'cert-manager.io/inject-ca-from': 'a/b' }, exemptNamespaces: ['other'] },
    }
    await kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input: await render(values) })
    const monitors = manifests(await render({ serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } })).filter(({ kind }) => kind === 'ServiceMonitor')
    assert.equal(monitors.length, 1)
  })

  describe('installed', () => {
    let asks = ''
    let defaults = ''
    const kept = { apiVersion: 'megrez.io/v1alpha1', kind: 'IPLock', metadata: { name: 'v1-7-10-0-0-2' }, spec: { vni: 7, address: '10.0.0.2' } }
    const pod = (annotations?: Record<string, string>): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `p-${randomBytes(4).toString('hex')}`, ...(annotations === undefined ? {} : { annotations }) }, spec: { containers: [{ name: 'a', image: 'a' }] } })
    const createPod = (where: string, annotations?: Record<string, string>): Promise<Outcome> => tryKubectl(['create', '--dry-run=server', '-n', where, '-f', '-'], { input: JSON.stringify(pod(annotations)) })
    /** The API server hears of its own objects by watches: of roles and registrations a little later. */
    async function install(): Promise<void> {
      await helmed(['install', 'megrez', chart, '--namespace', namespace, '--create-namespace', '--take-ownership'])
      for (const where of [asks, defaults])
        await until(async () => (await createPod(where, { 'megrez.io/vpc': 'blue' })).stderr.includes('failed calling webhook'), 'webhooks are called')
      for (const as of ['webhooks', 'workers'] as const)
        await until(async () => (await tryKubectl(['auth', 'can-i', 'create', 'iplocks.megrez.io', '-n', asks], { as })).stdout.trim() === 'yes', 'roles count')
      await until(async () => (await tryKubectl(['auth', 'can-i', 'create', 'notices.megrez.io', '-n', namespace], { as: 'workers' })).stdout.trim() === 'yes', 'roles count')
    }
    const uninstall = (): Promise<string> => helmed(['uninstall', 'megrez', '--namespace', namespace, '--ignore-not-found'])
    const isKept = async (): Promise<boolean> => (await kubectl(['get', 'iplocks', '-n', asks, '-o', 'name'])).includes(`iplock.megrez.io/${kept.metadata.name}`)
    const secrets = async (): Promise<unknown> => {
      const { items } = JSON.parse(await kubectl(['get', 'secrets', '-n', namespace, '-o', 'json', '-l', 'app.kubernetes.io/name=megrez'])) as { items: Manifest[] }
      return items.map(({ metadata: { name }, data }) => ({ name, data }))
    }
    before(async () => {
      await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=megrez', '-f', '-'], { input: await render({ crds: { render: true } }, '--show-only', 'templates/crds.yaml') })
      await installCrds()
      asks = await newNamespace('chart')
      defaults = await newNamespace('chart', { 'megrez.io/default': 'enabled' })
      await kubectl(['create', '-n', asks, '-f', '-'], { input: JSON.stringify({ ...kept, metadata: { ...kept.metadata, namespace: asks } }) })
      await install()
    })
    after(async () => {
      await uninstall()
      await kubectl(['delete', 'namespace', asks, defaults, '--wait=false'])
    })

    test('while no webhook answers, only pods that ask are refused, by annotation or by their namespace', async () => {
      for (const [where, annotations] of [[asks, { 'megrez.io/vpc': 'blue' }], [asks, { 'megrez.io/nics': '[]' }], [defaults, undefined], [defaults, { 'megrez.io/vpc': 'blue' }]] as const) {
        const { code, stderr } = await createPod(where, annotations)
        assert.equal(code, 1)
        assert.match(stderr, where === asks ? /failed calling webhook "asking-pods.megrez.io"/ : /failed calling webhook "defaulted-pods.megrez.io"/)
      }
      for (const [where, annotations] of [[asks, undefined], [asks, { 'megrez.io/vm-flavor': 'm1.large' }], ['kube-system', { 'megrez.io/vpc': 'blue' }], [namespace, { 'megrez.io/vpc': 'blue' }], [defaults, { 'kubernetes.io/config.mirror': 'x' }], [asks, { 'megrez.io/vpc': 'blue', 'kubernetes.io/config.mirror': 'x' }]] as const) {
        const { code, stderr } = await createPod(where, annotations)
        assert.doesNotMatch(stderr, /webhook/)
        // A mirror pod is made by a kubelet only: whoever else makes one is told so, but not by us.
        if (annotations?.['kubernetes.io/config.mirror' as never] === undefined) assert.equal(code, 0, stderr)
      }
    })

    test('our own components write our kinds without asking the webhooks, others do not', async () => {
      const lock = { ...kept, metadata: { name: 'v1-7-10-0-0-3', namespace: asks }, spec: { vni: 7, address: '10.0.0.3' } }
      await kubectl(['create', '-f', '-'], { as: 'workers', input: JSON.stringify(lock) })
      await kubectl(['delete', 'iplock', '-n', asks, lock.metadata.name], { as: 'workers' })
      const { stderr } = await tryKubectl(['create', '-f', '-'], { input: JSON.stringify(lock) })
      assert.match(stderr, /failed calling webhook "objects.megrez.io"/)
    })

    const rights: Record<string, readonly [who: 'webhooks' | 'workers', may: boolean, verb: string, what: string]> = {
      'workers may report pods': ['workers', true, 'patch', 'pods/status'],
      'workers may not patch pods': ['workers', false, 'patch', 'pods'],
      'workers may not delete pods': ['workers', false, 'delete', 'pods'],
      'workers may not read secrets': ['workers', false, 'get', 'secrets'],
      'workers may not create Vpcs': ['workers', false, 'create', 'vpcs.megrez.io'],
      'workers may take VNIs': ['workers', true, 'create', 'segmentlocks.megrez.io'],
      'webhooks may reserve': ['webhooks', true, 'create', 'iplocks.megrez.io'],
      'webhooks may not report pods': ['webhooks', false, 'patch', 'pods/status'],
      'webhooks may not create pods while REST is off': ['webhooks', false, 'create', 'pods'],
      'webhooks may look at a pod that has what another names': ['webhooks', true, 'get', 'pods'],
      'webhooks follow no pods while REST is off': ['webhooks', false, 'watch', 'pods'],
      'webhooks may not read callbacks of tenants while REST is off': ['webhooks', false, 'get', 'subscriptions.megrez.io'],
      'webhooks may not report Ports': ['webhooks', false, 'patch', 'ports.megrez.io/status'],
      'webhooks may look at which paths they are called': ['webhooks', true, 'get', 'mutatingwebhookconfigurations megrez'],
      'webhooks may not look where others are registered': ['webhooks', false, 'get', 'mutatingwebhookconfigurations other'],
      'webhooks may not change their own configuration': ['webhooks', false, 'patch', 'mutatingwebhookconfigurations megrez'],
      'workers may publish authorities where admission is registered': ['workers', true, 'patch', 'validatingwebhookconfigurations megrez'],
      'workers may not change where others are registered': ['workers', false, 'patch', 'validatingwebhookconfigurations other'],
    }
    for (const [name, [as, may, verb, what]] of Object.entries(rights))
      test(name, async () => {
        const [path = '', object] = what.split(' ')
        const [resource, subresource] = path.split('/')
        const { stdout } = await tryKubectl(['auth', 'can-i', verb, object === undefined ? resource! : `${resource}/${object}`, '-n', asks, ...(subresource === undefined ? [] : ['--subresource', subresource])], { as })
        assert.equal(stdout.trim(), may ? 'yes' : 'no')
      })

    test('workers write Notices in our own namespace only', async () => {
      const can = async (where: string): Promise<string> => (await tryKubectl(['auth', 'can-i', 'create', 'notices.megrez.io', '-n', where], { as: 'workers' })).stdout.trim()
      assert.deepEqual([await can(namespace), await can(asks)], ['yes', 'no'])
    })

    test('workers have the rights to renew the certificate of admission, and publish its authority first', async () => {
      const store = await openKubeStore({ kubeconfig: String(kubeconfigPath), context: 'workers' })
      const { data: before } = JSON.parse(await kubectl(['get', 'secret', 'megrez-webhooks-tls', '-n', namespace, '-o', 'json'])) as { data: Record<string, string> }
      await tendAdmission({ client: store.client, at: admissionOf(namespace), log: silentLog(), now: Date.now(), lives: usualLives, jitterMs: 0 })
      await store.close()
      const { data: now } = JSON.parse(await kubectl(['get', 'secret', 'megrez-webhooks-tls', '-n', namespace, '-o', 'json'])) as { data: Record<string, string> }
      assert.notEqual(now['tls.crt'], before['tls.crt'])
      assert.equal(new X509Certificate(Buffer.from(now['tls.crt']!, 'base64')).checkHost(`megrez-webhooks.${namespace}.svc`), `megrez-webhooks.${namespace}.svc`)
      assert.equal(await bundle(), now['ca.crt'])
      assert.ok(Buffer.from(now['ca.crt']!, 'base64').includes(Buffer.from(before['ca.crt']!, 'base64').toString().trim()), 'what is still shown is judged too')
    })
    const paths = (): Promise<string> => kubectl(['get', 'mutatingwebhookconfiguration,validatingwebhookconfiguration', '-l', 'app.kubernetes.io/name=megrez', '-o', 'jsonpath={.items[*].webhooks[*].clientConfig.service.path}'])
    const tend = async (): Promise<void> => {
      const store = await openKubeStore({ kubeconfig: String(kubeconfigPath), context: 'workers' })
      await tendAdmission({ client: store.client, at: admissionOf(namespace), log: silentLog(), now: Date.now(), lives: usualLives, jitterMs: 0 })
      await store.close()
    }
    const bundle = (): Promise<string> => kubectl(['get', 'validatingwebhookconfiguration', 'megrez', '-o', 'jsonpath={.webhooks[0].clientConfig.caBundle}'])

    test('an upgrade keeps certificate, callback secret and objects, and a rollback the authorities and paths that admission is judged by and called at', async () => {
      const before = await secrets()
      const published = await bundle()
      const called = await paths()
      assert.match(called, /^(\/[0-9a-f]{32})\/mutate-pods \1\/mutate-pods \1\/mutate-objects \1\/validate-pods \1\/validate-pods \1\/validate-objects$/)
      await helmed(['upgrade', 'megrez', chart, '--namespace', namespace, '--values', '-'], stringify({ webhooks: { replicas: 3 } }))
      assert.deepEqual([await secrets(), await bundle()], [before, published])
      assert.equal(await kubectl(['get', 'deployment', 'megrez-webhooks', '-n', namespace, '-o', 'jsonpath={.spec.replicas}']), '3')
      assert(await isKept())
      const authorities = (): Promise<string> => kubectl(['get', 'secret', 'megrez-webhooks-ca', '-n', namespace, '-o', 'jsonpath={.data}'])
      const kept = await authorities()
      await helmed(['rollback', 'megrez', '--namespace', namespace])
      assert.equal(await kubectl(['get', 'deployment', 'megrez-webhooks', '-n', namespace, '-o', 'jsonpath={.spec.replicas}']), '2')
      assert.deepEqual([await authorities(), await bundle(), await paths()], [kept, published, called])
    })

    test('what was installed by a chart before paths is called by one from its upgrade on, and at no moment by none', async () => {
      // That chart rendered the plain path, and knew of nothing else.
      const older = join(folder, 'older')
      await cp(chart, older, { recursive: true })
      const template = join(older, 'templates/admission.yaml')
      await writeFile(template, (await readFile(template, 'utf8')).replace(/\{\{- define "megrez\.paths" -\}\}[\s\S]*?\n\{\{- end \}\}\n\n/, '{{- define "megrez.paths" -}}{{- end }}\n\n'))
      await uninstall()
      await helmed(['install', 'megrez', older, '--namespace', namespace, '--take-ownership'])
      const plain = '/mutate-pods /mutate-pods /mutate-objects /validate-pods /validate-pods /validate-objects'
      await tend()
      assert.equal(await paths(), plain, 'workers leave it, also those of now')
      await helmed(['upgrade', 'megrez', chart, '--namespace', namespace])
      assert.equal(await paths(), plain, 'until all webhooks are of now')
      await tend()
      const called = await paths()
      assert.match(called, /^\/[0-9a-f]{32}\/mutate-pods /)
      await helmed(['upgrade', 'megrez', chart, '--namespace', namespace, '--values', '-'], stringify({ webhooks: { replicas: 3 } }))
      assert.equal(await paths(), called, 'the next upgrade neither')
      await helmed(['rollback', 'megrez', '1', '--namespace', namespace])
      assert.equal(await paths(), plain)
      await tend()
      assert.equal(await paths(), plain, 'webhooks of then know no other')
      await uninstall()
      await install()
    })

    test('uninstalling it keeps CRDs and objects, and no Secret', async () => {
      await uninstall()
      try {
        assert(await isKept())
        const left = await kubectl(['get', 'clusterroles,mutatingwebhookconfigurations,validatingwebhookconfigurations,serviceaccounts', '-A', '-l', 'app.kubernetes.io/name=megrez', '-o', 'name'])
        assert.equal(left.trim(), '')
        assert.doesNotMatch(await kubectl(['get', 'secrets', '-n', namespace, '-o', 'name']), /megrez-(webhooks|callbacks)/)
      } finally {
        await install()
      }
    })
  })

  describe('an upgrade of the CRDs', () => {
    /** As the previous commit had them; undefined where there is none, as in a shallow clone. */
    async function previous(): Promise<readonly string[] | undefined> {
      const names = await readdir(crdFolder)
      const shown = await Promise.all(names.map((name) => run('git', ['show', `HEAD~1:charts/megrez/files/crds/${name}`], { cwd: root })))
      const found = shown.filter(({ code }) => code === 0).map(({ stdout }) => stdout)
      return found.length === 0 ? undefined : found
    }
    /** As they might have been: without the field callbackURL, and without columns. */
    async function older(): Promise<readonly string[]> {
      const texts = await Promise.all((await readdir(crdFolder)).map((name) => readFile(join(crdFolder, name), 'utf8')))
      return texts.map((text) => {
        const crd = parseAllDocuments(text)[0]!.toJS() as { spec: { versions: { additionalPrinterColumns?: unknown; schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } } }[] } }
        for (const version of crd.spec.versions) {
          delete version.additionalPrinterColumns
          delete version.schema.openAPIV3Schema.properties.spec.properties['callbackURL']
        }
        return stringify(crd)
      })
    }

    for (const [name, texts] of Object.entries({ 'from the previous commit\'s': previous, 'from some with a field and columns less': older }))
      test(`${name} keeps every object`, async (t) => {
        const old = await texts()
        if (old === undefined) return t.skip('git shows no commit before this one')
        const from = await mkdtemp(join(folder, 'crds-'))
        await Promise.all(old.map((text, i) => writeFile(join(from, `${i}.yaml`), text)))
        const where = await newNamespace('upgrade')
        await applyCrds(from)
        const made = (i: number): object => ({ apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: `v${i}`, namespace: where }, spec: { provider: 'builtin' } })
        await kubectl(['create', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: Array.from({ length: 20 }, (_, i) => made(i)) }) })
        const uids = (): Promise<string> => kubectl(['get', 'vpcs', '-n', where, '-o', 'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.spec}{"\\n"}{end}'])
        const before = await uids()
        await applyCrds(crdFolder)
        assert.equal(before.trim().split('\n').length, 20)
        assert.equal(await uids(), before)
        await kubectl(['patch', 'vpc', 'v0', '-n', where, '--type=merge', '-p', '{"spec":{"callbackURL":"https://hooks.example.org/"}}'])
        await kubectl(['delete', 'vpcs', '--all', '-n', where])
        await kubectl(['delete', 'namespace', where, '--wait=false'])
      })
  })
})
