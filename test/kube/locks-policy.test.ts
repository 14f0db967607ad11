// The policy on locks, on a real API server.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

const root = resolve(import.meta.dirname, '../..')
const mark = randomBytes(4).toString('hex')
const asList = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })

describe('locks behind an API server', { skip: kubeSkip }, () => {
  let store: KubeStore
  let space: string
  before(async () => {
    await installCrds()
    store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    space = await newNamespace('locks')
  })
  after(() => store.close())

  test('the policy lets nobody free a VNI that blocks of Subnets stand in', async () => {
    const documents = parseAllDocuments(await readFile(join(root, 'charts/megrez/files/policies/locks.yaml'), 'utf8')).map(
      (each) => each.toJS() as object,
    )
    const lock = await store.create<'SegmentLock'>({
      kind: 'SegmentLock',
      metadata: { name: `relied-on-${mark}` },
      spec: {
        vni: 4_242_424,
        holder: { kind: 'Vpc', namespace: space, name: 'x', uid: 'x' },
        blocks: [{ cidr: '10.0.0.0/24', subnet: { kind: 'Subnet', namespace: space, name: 'y', uid: 'y' } }],
      },
    })
    await kubectl(['create', '-f', '-'], { input: asList(documents) })
    try {
      const free = async (...more: string[]): Promise<string> =>
        (await tryKubectl(['delete', 'segmentlock', lock.metadata.name, ...more])).stderr
      await until(
        async () => /a VNI with blocks of Subnets in it is not freed/.test(await free('--dry-run=server')),
        'the policy is in force',
      )
      await store.update({ ...lock, spec: { vni: lock.spec.vni!, holder: lock.spec.holder } })
      assert.equal(await free(), '')
    } finally {
      await kubectl(['delete', '--ignore-not-found', '-f', '-'], { input: asList(documents) })
    }
  })
})
