// An agent that ends: whether for good, as its DaemonSet says, and what of the node is left then.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isBeingUninstalled } from '../../agent/is-being-uninstalled.ts'
import { leavingAnnotation } from '../../core/kinds/annotations.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openTestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { openNode, thingsOf } from './node.ts'

const at = { pod: 'megrez-agent-x', namespace: 'm' }
const podPath = '/api/v1/namespaces/m/pods/megrez-agent-x'
const setPath = '/apis/apps/v1/namespaces/m/daemonsets/megrez-agent'
const pod = { metadata: { ownerReferences: [{ kind: 'DaemonSet', name: 'megrez-agent', controller: true }] } }
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const leaving = { annotations: { [leavingAnnotation]: 'true' } }

describe('an agent that ends', () => {
  let answers: Readonly<Record<string, object | number>> = {}
  const server = createServer(({ url = '' }, response) => {
    const found = answers[url]
    response.statusCode = typeof found === 'number' ? found : found === undefined ? 404 : 200
    response.end(JSON.stringify(typeof found === 'number' ? {} : (found ?? { kind: 'Status', reason: 'NotFound', details: { name: 'x' } })))
  })
  let client: KubeClient
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    client = new KubeClient({
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tls: {},
      authorization: async () => undefined,
    })
  })
  after(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })

  test('does so for good where its DaemonSet goes and somebody has said so, and else never', async () => {
    const cases: readonly (readonly [wanted: boolean, answers: typeof answers])[] = [
      [true, { [podPath]: pod, [setPath]: { metadata: { ...going, ...leaving } } }],
      [false, { [podPath]: pod, [setPath]: { metadata: going } }],
      [false, { [podPath]: pod, [setPath]: { metadata: leaving } }],
      [false, { [podPath]: pod }],
      [false, { [podPath]: pod, [setPath]: 403 }],
      [false, { [podPath]: 401 }],
      [false, { [podPath]: { metadata: {} }, [setPath]: { metadata: { ...going, ...leaving } } }],
    ]
    for (const [wanted, these] of cases) {
      answers = these
      assert.equal(await isBeingUninstalled(at, client, { clock: realClock, log: silentLog() }), wanted, JSON.stringify(these))
    }
    assert.equal(
      await isBeingUninstalled({ ...at, pod: undefined }, client, { clock: realClock, log: silentLog() }),
      false,
      'it runs in no pod',
    )
    const nobody = new KubeClient({ server: 'http://127.0.0.1:1', tls: {}, authorization: async () => undefined })
    assert.equal(await isBeingUninstalled(at, nobody, { clock: realClock, log: silentLog() }), false, 'nobody answers')
    await nobody.close()
  })

  test("leaves all as it is, so that packets go on; for good, nothing of ours and all of others'", async () => {
    const cluster = await openTestCluster()
    const node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1' })
    const conf = async (): Promise<readonly string[]> => (await readdir(join(node.folder, 'conf'))).sort()
    try {
      await cluster.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
      await withNetwork(cluster)
      const web = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
      await cluster.settle()
      assert.equal((await node.cni('ADD', { pod: web })).code, 0)
      const full = thingsOf(node)
      await node.restart()
      assert.deepEqual(
        [thingsOf(node), node.links.there.size, await conf()],
        [full, 1, ['01-megrez.conflist', '10-cluster.conflist.megrez-moved']],
      )
      node.memory.things.set('theirs/bridge', 'up')
      await node.agent.stop({ forGood: true })
      assert.deepEqual(
        [thingsOf(node), node.links.there.size, await conf(), await readdir(join(node.folder, 'ledger'))],
        [['theirs/bridge up'], 0, ['10-cluster.conflist'], []],
      )
    } finally {
      await node.close()
      await cluster.close()
    }
  })
})
