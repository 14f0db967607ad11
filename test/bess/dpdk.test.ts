// Ports for pods with DPDK: sockets that bessd makes, also where an earlier one left them behind.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bessSkip, openTestNodes, settle, wantedOf } from './test-nodes.ts'

const port = (number: number) => ({
  uid: `u${number}`, of: { kind: 'Port', namespace: 'a', name: `p${number}` }, number, ifcName: `mgz${number}`, attachment: { kind: 'vni', vni: 5001 }, mac: `02:00:00:00:00:0${number}`,
  addresses: [`10.0.0.${number}`], allowedAddressPairs: [], portSecurity: true, type: 'dpdk', mtu: 1450,
}) as const

for (const dpdkBy of ['vhost-user', 'memif'] as const) {
  test(`${dpdkBy}: the sockets are there, and there again after the daemon was killed`, { skip: bessSkip }, async () => {
    const cluster = await openTestNodes()
    try {
      const node = await cluster.node('a', '192.168.50.1')
      const plane = await node.plane({ dpdkBy, socketFolder: cluster.folder })
      const wanted = wantedOf([port(1), port(2)])
      const sockets = [1, 2].map((number) => join(cluster.folder, `mgz${number}.sock`))
      for (let life = 0; life < 2; life++) {
        await settle(plane, wanted)
        assert.equal(await settle(plane, wanted), false)
        assert.deepEqual(sockets.map((path) => existsSync(path)), [true, true], `life ${life}`)
        await node.daemon.restart()
        await plane.open(AbortSignal.timeout(5000))
      }
    } finally {
      await cluster.close()
    }
  })
}
