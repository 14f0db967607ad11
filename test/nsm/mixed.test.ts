// Each of our programs among NSM's own, and all of ours together: the same connection comes about.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClient } from '../../platform/nsm/roles/client.ts'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import type { Connection } from '../../core/wire/nsm/connection.ts'
import { until } from '../setup/until.ts'
import { programOf, startPeer, testTokens } from './peers.ts'
import { system, type Role } from './system.ts'

interface Segment {
  readonly name: string
  readonly id: string
  readonly token: string
  readonly metrics?: Readonly<Record<string, string>>
}
interface Answer {
  readonly id: string
  readonly mechanism: { readonly cls: string; readonly type: string }
  readonly context: object
  readonly path: { readonly index?: number; readonly pathSegments: readonly Segment[] }
  readonly networkServiceEndpointName: string
  readonly payload: string
}

for (const ours of [['endpoint'], ['forwarder'], ['nsmgr'], ['nsmgr', 'forwarder', 'endpoint']] satisfies Role[][]) {
  describe(`of NSM's system ${ours.join(', ')} ours`, () => {
    test('a client of NSM gets the answer that NSM gives it, monitors hear of it, and it is gone after its Close', async (t) => {
      const { nsmgr, endpoint } = await system(t, ours)
      await endpoint(1)
      const monitor = startPeer('monitor', '--connect', nsmgr)
      t.after(() => monitor.kill())
      await monitor.event('monitor', ({ type }) => type === 'INITIAL_STATE_TRANSFER')
      const args = ['--service', 'svc-a', '--mechanism', 'kernel', '--label', 'app=web']
      const client = startPeer('client', '--connect', nsmgr, '--id', 'conn-1', ...args, '--hold', '1ms')
      assert.equal(await client.ended, 0, JSON.stringify(client.events))
      const { connection } = (await client.event('response')) as unknown as { readonly connection: Answer }
      assert.equal(connection.id, 'conn-1')
      assert.deepEqual(connection.context, {
        ipContext: {
          srcIpAddrs: ['10.60.1.1/32'],
          dstIpAddrs: ['10.60.1.0/32'],
          srcRoutes: [{ prefix: '10.60.1.0/32' }],
          dstRoutes: [{ prefix: '10.60.1.1/32' }],
        },
      })
      const { pathSegments } = connection.path
      assert.deepEqual(
        pathSegments.map(({ name }) => name),
        ['nsc', 'nsmgr-1', 'forwarder-1', 'nse-1'],
      )
      assert.equal(new Set(pathSegments.map(({ id }) => id)).size, 4)
      assert.ok(pathSegments.every(({ token }) => token.startsWith('jwt(HS256,sub=spiffe://test.com/subject')))
      assert.deepEqual(
        pathSegments.map(({ metrics = {} }) => Object.values(metrics).map((value) => value.slice(0, 13))),
        [[], [], ['KERNEL/svc-a-'], ['KERNEL/svc-a-']],
      )
      assert.deepEqual([connection.networkServiceEndpointName, connection.payload, connection.mechanism.type], ['nse-1', 'IP', 'KERNEL'])
      await monitor.event('monitor', ({ type }) => type === 'DELETE')
      const types = monitor.events.filter(({ event }) => event === 'monitor').map(({ type }) => type)
      assert.deepEqual(types, ['INITIAL_STATE_TRANSFER', 'UPDATE', 'DELETE'])
    })

    test('a client of NSM that heals is at the other endpoint soon after its own is gone', async (t) => {
      const { nsmgr, endpoint } = await system(t, ours)
      const first = await endpoint(1)
      const client = startPeer('client', '--connect', nsmgr, '--id', 'conn-1', '--service', 'svc-a', '--mechanism', 'kernel', '--heal')
      t.after(() => client.kill())
      await client.event('connected')
      await endpoint(2)
      await first.kill()
      const healed = await client.event('response', ({ kind }) => kind === 'heal')
      assert.equal((healed['connection'] as Answer).networkServiceEndpointName, 'nse-2')
    })
  })
}

for (const ours of [[], ['nsmgr', 'forwarder', 'endpoint']] satisfies Role[][]) {
  describe(`a client of ours, ${ours.length === 0 ? 'all others of NSM' : 'as all the others are'}`, () => {
    test('it keeps its connection by refreshing it, and heals it with another endpoint under the same id', async (t) => {
      const { nsmgr, endpoint } = await system(t, ours)
      const first = await endpoint(1)
      const answers: Connection[] = []
      const client = openClient(programOf('nsc', testTokens(5_000)), {
        url: nsmgr,
        refreshes: true,
        healing: {},
        answered: (connection) => answers.push(connection),
      })
      t.after(() => client.close())
      const asked = { id: 'conn-1', service: 'svc-a', labels: { app: 'web' }, preferences: [mechanismOf('kernel')] }
      const connection = await client.connect(asked, 10_000, AbortSignal.timeout(20_000))
      assert.deepEqual(connection.context?.ipContext?.srcIpAddrs, ['10.60.1.1/32'])
      assert.equal(connection.networkServiceEndpointName, 'nse-1')
      await until(() => answers.length >= 3, 'it is refreshed twice')
      const idsOf = ({ path }: Connection): readonly string[] => path?.pathSegments.map(({ id }) => id) ?? []
      assert.deepEqual(idsOf(answers[2]!), idsOf(answers[0]!), 'ids stay over refreshes')
      await endpoint(2)
      await first.kill()
      await until(() => answers.at(-1)?.networkServiceEndpointName === 'nse-2', 'it is healed')
      const healed = answers.at(-1)!
      assert.equal(healed.id, 'conn-1')
      assert.deepEqual(idsOf(healed).slice(0, 3), idsOf(connection).slice(0, 3))
      await client.disconnect(connection, 10_000)
      const monitor = startPeer('monitor', '--connect', nsmgr, '--count', '1')
      assert.deepEqual((await monitor.event('monitor'))['connections'] ?? {}, {})
    })
  })
}
