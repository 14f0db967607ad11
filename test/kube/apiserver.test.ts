import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { KubeConfig, CoreV1Api } from '@kubernetes/client-node'
import { applyCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'

const crd = (group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `stars.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'stars', singular: 'star', kind: 'Star' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
})

describe('the test API server', { skip: kubeSkip }, () => {
  test('creates a namespace and shows it through the real kubectl', async () => {
    const name = await newNamespace('apiserver', { 'example.org/by': 'test' })
    const shown = JSON.parse(await kubectl(['get', 'namespace', name, '-o', 'json'])) as {
      status: { phase: string }
      metadata: { labels: object }
    }
    assert.equal(shown.status.phase, 'Active')
    assert.deepEqual(shown.metadata.labels, { 'example.org/by': 'test', 'kubernetes.io/metadata.name': name })
    assert.notEqual(await newNamespace('apiserver'), name)
  })

  test('is trusted by the client library through the certificate in the kubeconfig', async () => {
    const config = new KubeConfig()
    config.loadFromFile(String(kubeconfigPath))
    const { items } = await config.makeApiClient(CoreV1Api).listNamespace()
    assert.ok(items.some((each) => each.metadata?.name === 'default'))
  })

  test('is one that Megrez supports, and tells its version', async () => {
    const { serverVersion } = JSON.parse(await kubectl(['version', '-o', 'json'])) as { serverVersion: { major: string; minor: string } }
    assert.equal(serverVersion.major, '1')
    assert.ok(Number.parseInt(serverVersion.minor) >= 32, serverVersion.minor)
  })

  test('serves a kind as soon as its CRD file is applied, and applying it again changes nothing', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-crds-'))
    t.after(() => rm(folder, { recursive: true }))
    const namespace = await newNamespace('apiserver')
    const group = `${namespace}.example.org`
    await writeFile(join(folder, 'star.yaml'), JSON.stringify(crd(group)))
    await applyCrds(folder)
    t.after(() => kubectl(['delete', 'crd', `stars.${group}`]))
    await kubectl(['create', '-n', namespace, '-f', '-'], {
      input: JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Star', metadata: { name: 'mizar' } }),
    })
    const version = () => kubectl(['get', 'crd', `stars.${group}`, '-o', 'jsonpath={.metadata.resourceVersion}'])
    const before = await version()
    await applyCrds(folder)
    assert.equal(await version(), before)
    assert.equal(await kubectl(['get', `stars.${group}`, '-n', namespace, '-o', 'name']), `star.${group}/mizar\n`)
  })

  test('gives a user without a role nothing, and a bound one what its role says', async () => {
    const namespace = await newNamespace('apiserver')
    const list = ['get', 'configmaps', '-n', namespace, '-o', 'name']
    const refused = await tryKubectl(list, { as: 'tenant' })
    assert.match(refused.stderr, /Forbidden.*User "tenant" cannot list resource "configmaps"/)
    await kubectl(['create', 'role', 'reader', '--verb=list', '--resource=configmaps', '-n', namespace])
    await kubectl(['create', 'rolebinding', 'reader', '--role=reader', '--user=tenant', '-n', namespace])
    assert.equal(await kubectl(list, { as: 'tenant' }), '')
    assert.equal((await tryKubectl(list, { as: 'workers' })).code, 1)
  })
})
