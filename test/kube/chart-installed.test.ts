// The chart by a real helm, and what it renders on a real API server.
import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseAllDocuments, stringify } from 'yaml'
import { tendAdmission } from '../../platform/kube/admission/certificates.ts'
import { silentLog } from '../../platform/log.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { usualLives } from '../../platform/tls/rotation.ts'
import { admissionOf } from '../../workers/admission-certificates.ts'
import { applyCrds, installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { run, type Outcome } from '../setup/run.ts'
import { until } from '../setup/until.ts'

import { groupOf, pluralOf } from '../../core/kinds/index.ts'
import { nsmKinds } from '../../core/kinds/foreign-network-services.ts'
import { chart, closeHelm, crdFolder, nsmCrdFolder, helmed, helmFolder, namespace, render, root, type Manifest } from './helm.ts'

describe('the chart', { skip: kubeSkip }, () => {
  let folder = ''
  before(async () => {
    folder = await helmFolder()
  })
  after(closeHelm)

  describe('installed', () => {
    let asks = ''
    let defaults = ''
    const kept = {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'IPLock',
      metadata: { name: 'v1-7-10-0-0-2' },
      spec: { vni: 7, address: '10.0.0.2' },
    }
    const pod = (annotations?: Record<string, string>): object => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p-${randomBytes(4).toString('hex')}`, ...(annotations === undefined ? {} : { annotations }) },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    })
    const createPod = (where: string, annotations?: Record<string, string>): Promise<Outcome> =>
      tryKubectl(['create', '--dry-run=server', '-n', where, '-f', '-'], { input: JSON.stringify(pod(annotations)) })
    /** The API server hears of its own objects by watches: of roles and registrations a little later. */
    async function install(): Promise<void> {
      await helmed(['install', 'megrez', chart, '--namespace', namespace, '--create-namespace', '--take-ownership'])
      for (const where of [asks, defaults])
        await until(
          async () => (await createPod(where, { 'megrez.io/vpc': 'blue' })).stderr.includes('failed calling webhook'),
          'webhooks are called',
        )
      for (const as of ['webhooks', 'workers'] as const)
        await until(
          async () => (await tryKubectl(['auth', 'can-i', 'create', 'iplocks.megrez.io', '-n', asks], { as })).stdout.trim() === 'yes',
          'roles count',
        )
      await until(
        async () =>
          (await tryKubectl(['auth', 'can-i', 'create', 'notices.megrez.io', '-n', namespace], { as: 'workers' })).stdout.trim() === 'yes',
        'roles count',
      )
    }
    const uninstall = (): Promise<string> => helmed(['uninstall', 'megrez', '--namespace', namespace, '--ignore-not-found'])
    const isKept = async (): Promise<boolean> =>
      (await kubectl(['get', 'iplocks', '-n', asks, '-o', 'name'])).includes(`iplock.megrez.io/${kept.metadata.name}`)
    const secrets = async (): Promise<unknown> => {
      const { items } = JSON.parse(
        await kubectl(['get', 'secrets', '-n', namespace, '-o', 'json', '-l', 'app.kubernetes.io/name=megrez']),
      ) as { items: Manifest[] }
      return items.map(({ metadata: { name }, data }) => ({ name, data }))
    }
    before(async () => {
      await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=megrez', '-f', '-'], {
        input: await render({ crds: { render: true } }, '--show-only', 'templates/crds.yaml'),
      })
      await installCrds()
      asks = await newNamespace('chart')
      defaults = await newNamespace('chart', { 'megrez.io/default': 'enabled' })
      await kubectl(['create', '-n', asks, '-f', '-'], {
        input: JSON.stringify({ ...kept, metadata: { ...kept.metadata, namespace: asks } }),
      })
      await install()
    })
    after(async () => {
      await uninstall()
      await kubectl(['delete', 'namespace', asks, defaults, '--wait=false'])
    })

    test('while no webhook answers, only pods that ask are refused, by annotation or by their namespace', async () => {
      for (const [where, annotations] of [
        [asks, { 'megrez.io/vpc': 'blue' }],
        [asks, { 'megrez.io/nics': '[]' }],
        [defaults, undefined],
        [defaults, { 'megrez.io/vpc': 'blue' }],
      ] as const) {
        const { code, stderr } = await createPod(where, annotations)
        assert.equal(code, 1)
        assert.match(
          stderr,
          where === asks ? /failed calling webhook "asking-pods.megrez.io"/ : /failed calling webhook "defaulted-pods.megrez.io"/,
        )
      }
      for (const [where, annotations] of [
        [asks, undefined],
        [asks, { 'megrez.io/vm-flavor': 'm1.large' }],
        ['kube-system', { 'megrez.io/vpc': 'blue' }],
        [namespace, { 'megrez.io/vpc': 'blue' }],
        [defaults, { 'kubernetes.io/config.mirror': 'x' }],
        [asks, { 'megrez.io/vpc': 'blue', 'kubernetes.io/config.mirror': 'x' }],
      ] as const) {
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
      'workers may scale a Deployment': ['workers', true, 'patch', 'deployments.apps/scale'],
      'workers may change nothing else of a Deployment': ['workers', false, 'patch', 'deployments.apps'],
      'workers may not read Deployments': ['workers', false, 'get', 'deployments.apps'],
      'webhooks may not scale a Deployment': ['webhooks', false, 'patch', 'deployments.apps/scale'],
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
        const { stdout } = await tryKubectl(
          [
            'auth',
            'can-i',
            verb,
            object === undefined ? resource! : `${resource}/${object}`,
            '-n',
            asks,
            ...(subresource === undefined ? [] : ['--subresource', subresource]),
          ],
          { as },
        )
        assert.equal(stdout.trim(), may ? 'yes' : 'no')
      })

    test('workers write Notices in our own namespace only', async () => {
      const can = async (where: string): Promise<string> =>
        (await tryKubectl(['auth', 'can-i', 'create', 'notices.megrez.io', '-n', where], { as: 'workers' })).stdout.trim()
      assert.deepEqual([await can(namespace), await can(asks)], ['yes', 'no'])
    })

    test('workers have the rights to renew the certificate of admission, and publish its authority first', async () => {
      const store = await openKubeStore({ kubeconfig: String(kubeconfigPath), context: 'workers' })
      const { data: before } = JSON.parse(await kubectl(['get', 'secret', 'megrez-webhooks-tls', '-n', namespace, '-o', 'json'])) as {
        data: Record<string, string>
      }
      await tendAdmission({
        client: store.client,
        at: admissionOf(namespace),
        log: silentLog(),
        now: Date.now(),
        lives: usualLives,
        jitterMs: 0,
      })
      await store.close()
      const { data: now } = JSON.parse(await kubectl(['get', 'secret', 'megrez-webhooks-tls', '-n', namespace, '-o', 'json'])) as {
        data: Record<string, string>
      }
      assert.notEqual(now['tls.crt'], before['tls.crt'])
      assert.equal(
        new X509Certificate(Buffer.from(now['tls.crt']!, 'base64')).checkHost(`megrez-webhooks.${namespace}.svc`),
        `megrez-webhooks.${namespace}.svc`,
      )
      assert.equal(await bundle(), now['ca.crt'])
      assert.ok(
        Buffer.from(now['ca.crt']!, 'base64').includes(Buffer.from(before['ca.crt']!, 'base64').toString().trim()),
        'what is still shown is judged too',
      )
    })
    const paths = (): Promise<string> =>
      kubectl([
        'get',
        'mutatingwebhookconfiguration,validatingwebhookconfiguration',
        '-l',
        'app.kubernetes.io/name=megrez',
        '-o',
        'jsonpath={.items[*].webhooks[*].clientConfig.service.path}',
      ])
    const tend = async (): Promise<void> => {
      const store = await openKubeStore({ kubeconfig: String(kubeconfigPath), context: 'workers' })
      await tendAdmission({
        client: store.client,
        at: admissionOf(namespace),
        log: silentLog(),
        now: Date.now(),
        lives: usualLives,
        jitterMs: 0,
      })
      await store.close()
    }
    const bundle = (): Promise<string> =>
      kubectl(['get', 'validatingwebhookconfiguration', 'megrez', '-o', 'jsonpath={.webhooks[0].clientConfig.caBundle}'])

    test('an upgrade keeps certificate, callback secret and objects, and a rollback the authorities and paths that admission is judged by and called at', async () => {
      const before = await secrets()
      const published = await bundle()
      const called = await paths()
      assert.match(
        called,
        /^(\/[0-9a-f]{32})\/mutate-pods \1\/mutate-pods \1\/mutate-objects \1\/validate-pods \1\/validate-pods \1\/validate-objects \1\/validate-objects \1\/validate-objects$/,
      )
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
      await writeFile(
        template,
        (await readFile(template, 'utf8')).replace(
          /\{\{- define "megrez\.paths" -\}\}[\s\S]*?\n\{\{- end \}\}\n\n/,
          '{{- define "megrez.paths" -}}{{- end }}\n\n',
        ),
      )
      await uninstall()
      await helmed(['install', 'megrez', older, '--namespace', namespace, '--take-ownership'])
      const plain =
        '/mutate-pods /mutate-pods /mutate-objects /validate-pods /validate-pods /validate-objects /validate-objects /validate-objects'
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
        const left = await kubectl([
          'get',
          'clusterroles,mutatingwebhookconfigurations,validatingwebhookconfigurations,serviceaccounts',
          '-A',
          '-l',
          'app.kubernetes.io/name=megrez',
          '-o',
          'name',
        ])
        assert.equal(left.trim(), '')
        assert.doesNotMatch(await kubectl(['get', 'secrets', '-n', namespace, '-o', 'name']), /megrez-(webhooks|callbacks)/)
      } finally {
        await install()
      }
    })
  })

  test("makes the CRDs of Network Service Mesh where they are not there, leaves somebody else's alone, and keeps both with their objects", async () => {
    const names = nsmKinds.map((kind) => `${pluralOf(kind)}.${groupOf(kind)}`)
    const space = await newNamespace('nsm')
    const [service, endpoint] = names as [string, string]
    const install = (): Promise<string> =>
      helmed(['install', 'megrez', chart, '--namespace', namespace, '--create-namespace', '--take-ownership'])
    const described = (name: string, path: string): Promise<string> => kubectl(['get', 'crd', name, '-o', `jsonpath={${path}}`])
    await kubectl(['delete', 'crd', '--ignore-not-found', ...names])
    // As NSM's own manifests have it, which say more than we do.
    const theirs = (await readFile(join(nsmCrdFolder, `${endpoint}.yaml`), 'utf8')).replace(
      'resource-policy: keep',
      'resource-policy: theirs',
    )
    await kubectl(['create', '-f', '-'], { input: theirs })
    await install()
    try {
      await kubectl(['wait', 'crd', '--for=condition=Established', '--timeout=30s', ...names])
      assert.equal(await described(endpoint, '.metadata.annotations.helm\\.sh/resource-policy'), 'theirs')
      const uid = await described(service, '.metadata.uid')
      await helmed(['upgrade', 'megrez', chart, '--namespace', namespace])
      await kubectl(['delete', 'validatingwebhookconfiguration', 'megrez'])
      const kept = { apiVersion: 'networkservicemesh.io/v1', kind: 'NetworkService', metadata: { name: 'svc', namespace: space }, spec: {} }
      await kubectl(['create', '-f', '-'], { input: JSON.stringify(kept) })
      await helmed(['uninstall', 'megrez', '--namespace', namespace])
      assert.equal(await described(service, '.metadata.uid'), uid)
      assert.equal((await kubectl(['get', 'netsvc', '-n', space, '-o', 'name'])).trim(), 'networkservice.networkservicemesh.io/svc')
      assert.equal(await described(endpoint, '.metadata.annotations.helm\\.sh/resource-policy'), 'theirs')
    } finally {
      await helmed(['uninstall', 'megrez', '--namespace', namespace, '--ignore-not-found'])
      await kubectl(['delete', 'crd', '--ignore-not-found', ...names])
      await kubectl(['delete', 'namespace', space, '--wait=false'])
    }
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
        const crd = parseAllDocuments(text)[0]!.toJS() as {
          spec: {
            versions: {
              additionalPrinterColumns?: unknown
              schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } }
            }[]
          }
        }
        for (const version of crd.spec.versions) {
          delete version.additionalPrinterColumns
          delete version.schema.openAPIV3Schema.properties.spec.properties['callbackURL']
        }
        return stringify(crd)
      })
    }

    for (const [name, texts] of Object.entries({
      "from the previous commit's": previous,
      'from some with a field and columns less': older,
    }))
      test(`${name} keeps every object`, async (t) => {
        const old = await texts()
        if (old === undefined) return t.skip('git shows no commit before this one')
        const from = await mkdtemp(join(folder, 'crds-'))
        await Promise.all(old.map((text, i) => writeFile(join(from, `${i}.yaml`), text)))
        const where = await newNamespace('upgrade')
        await applyCrds(from)
        const made = (i: number): object => ({
          apiVersion: 'megrez.io/v1alpha1',
          kind: 'Vpc',
          metadata: { name: `v${i}`, namespace: where },
          spec: { provider: 'builtin' },
        })
        await kubectl(['create', '-f', '-'], {
          input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: Array.from({ length: 20 }, (_, i) => made(i)) }),
        })
        const uids = (): Promise<string> =>
          kubectl(['get', 'vpcs', '-n', where, '-o', 'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.spec}{"\\n"}{end}'])
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
