import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCliServer, type CliServer } from './cli-server.ts'

let cli: CliServer
before(async () => {
  cli = await openCliServer()
  const spec = (node: string, address: string) => ({
    node,
    groups: [
      {
        name: 'edge',
        as: 64512,
        routerID: address,
        table: 1000,
        addresses: { ipv4: address },
        sessions: [],
        advertise: [
          { cidr: '10.1.0.0/16', vni: 7, hostRoutes: false },
          { cidr: '10.1.9.0/24', vni: 7, hostRoutes: true },
        ],
        imports: [],
        maximumPaths: 2,
      },
    ],
  })
  for (const [name, address] of [
    ['n1', '192.0.2.1'],
    ['n2', '192.0.2.2'],
  ] as const)
    await cli.rest.store.create({ kind: 'BGPSpeaker', metadata: { name }, spec: spec(name, address) })
})
after(() => cli.close())

test('routes names each next hop of an address, and says where it leads nowhere by its exit code too', async () => {
  const { out, exit } = await cli.megrez('routes 10.1.0.7')
  assert.equal(exit, 0)
  assert.match(out, /^GROUP +VNI +PREFIX +NEXT HOP +ADDRESS +SESSIONS\nedge +7 +10\.1\.0\.0\/16 +n1 +192\.0\.2\.1 +0 of 0\n.* n2 /)
  const nobody = await cli.megrez('routes 10.1.9.7')
  assert.deepEqual([nobody.exit, /10\.1\.9\.0\/24 +nobody has it/.test(nobody.out)], [1, true])
  const unknown = await cli.megrez('routes 198.51.100.1')
  assert.equal(unknown.exit, 1)
  assert.match(unknown.err, /no BGPSessionGroup announces 198\.51\.100\.1/)
})

test('routes says what is no address', async () => {
  const { err, exit } = await cli.megrez('routes 10.1.0.0/24')
  assert.equal(exit, 1)
  assert.match(err, /must be an address/)
  assert.equal((await cli.megrez('routes')).exit, 2)
})
