// Network Service Mesh's kinds on a real API server, with NSM's CRDs, which have no schema: judged by admission, written and read by us.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Stale } from '../../core/errors.ts'
import { nsmKinds } from '../../core/kinds/foreign-network-services.ts'
import { groupOf, pluralOf, type Resource } from '../../core/kinds/index.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { applyCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { nsmCrdFolder } from './helm.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

describe('NetworkServices on a real API server', { skip: kubeSkip }, () => {
  let cluster: TestCluster
  let store: KubeStore
  let space = ''
  before(
    async () => {
      await applyCrds(nsmCrdFolder)
      cluster = await openTestCluster()
      space = await newNamespace('nsm')
      store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    },
    { timeout: 240_000 },
  )
  after(async () => {
    await store?.close()
    await cluster?.close()
    await kubectl(['delete', 'crd', '--ignore-not-found', ...nsmKinds.map((kind) => `${pluralOf(kind)}.${groupOf(kind)}`)])
  })

  const apply = (text: string) => tryKubectl(['apply', '-n', space, '-f', '-'], { input: text })
  const service = (name: string, spec: string): string =>
    `apiVersion: networkservicemesh.io/v1\nkind: NetworkService\nmetadata: {name: ${name}}\nspec: ${spec}\n`
  const endpoint = (name: string, spec: string): string =>
    service(name, spec).replace('kind: NetworkService', 'kind: NetworkServiceEndpoint')

  test("manifests as NSM's users have them are taken, and read without what is null", async () => {
    const text = `
apiVersion: networkservicemesh.io/v1
kind: NetworkService
metadata: { name: icmp }
spec:
  payload: ETHERNET
  matches:
    - source_selector:
      fallthrough: true
      routes: [{ destination_selector: { podName: "{{ .podName }}" } }]
    - routes: [{ destination_selector: { any: "true" } }]
`
    assert.equal((await apply(text)).code, 0)
    const { spec } = (await store.get({ kind: 'NetworkService', namespace: space, name: 'icmp' }))!
    assert.deepEqual(spec.matches?.[0], { fallthrough: true, routes: [{ destination_selector: { podName: '{{ .podName }}' } }] })
  })

  test('kubectl is refused with the path of what is wrong', async () => {
    const refused = async (text: string): Promise<string> => {
      const { code, stderr } = await apply(text)
      assert.equal(code, 1)
      return stderr
    }
    assert.match(await refused(service('x', '{matchs: []}')), /\/spec\/matchs: is not a field here; did you mean matches/)
    assert.match(
      await refused(service('x', '{matches: [{routes: [{destination_selector: {zone: "{{if .a}}"}}]}]}')),
      /\/spec\/matches\/0\/routes\/0\/destination_selector\/zone: may ask for a label/,
    )
    assert.match(await refused(endpoint('x', '{url: nowhere}')), /\/spec\/url: /)
  })

  test('a refresh is not asked about, and another change of the same endpoint is', async () => {
    assert.equal((await apply(endpoint('nse-1', '{network_service_names: [icmp], expiration_time: {seconds: 5}}'))).code, 0)
    const patch = (spec: object) => tryKubectl(['patch', 'nse', 'nse-1', '-n', space, '--type=merge', '-p', JSON.stringify({ spec })])
    const later = await patch({ expiration_time: { seconds: 'soon' } })
    assert.equal(later.code, 0, 'a malformed time comes through, and is read as leading nowhere')
    const read = await store.get({ kind: 'NetworkServiceEndpoint', namespace: space, name: 'nse-1' })
    assert.deepEqual(read?.spec, {})
    assert.match((await patch({ url: 'tcp://192.0.2.1:1' })).stderr, /\/spec\/expiration_time\/seconds: must be a whole number/)
  })

  test('what we write is what NSM reads, and a write on an old state is refused', async () => {
    const expires = { seconds: 1_900_000_000, nanos: 7 }
    const made = await store.create({
      kind: 'NetworkServiceEndpoint',
      metadata: { namespace: space, name: 'nse-2' },
      spec: { name: 'nse-2', network_service_names: ['icmp'], expiration_time: expires },
    })
    assert.equal(
      await kubectl(['get', 'nses', 'nse-2', '-n', space, '-o', 'jsonpath={.spec.expiration_time.seconds}']),
      String(expires.seconds),
    )
    const later: Resource<'NetworkServiceEndpoint'> = { ...made, spec: { ...made.spec, expiration_time: { seconds: 1_900_000_100 } } }
    await store.commit([{ do: 'update', item: later }])
    assert.equal(
      (await store.get({ kind: 'NetworkServiceEndpoint', namespace: space, name: 'nse-2' }))?.spec.expiration_time?.seconds,
      1_900_000_100,
    )
    await assert.rejects(store.commit([{ do: 'update', item: { ...made, spec: {} } }]), Stale)
    await store.commit([{ do: 'delete', ref: { kind: 'NetworkServiceEndpoint', namespace: space, name: 'nse-2' } }])
    assert.equal(await store.get({ kind: 'NetworkServiceEndpoint', namespace: space, name: 'nse-2' }), undefined)
  })
})
