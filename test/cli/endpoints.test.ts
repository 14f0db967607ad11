import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCliServer, type CliServer } from './cli-server.ts'

let cli: CliServer
before(async () => {
  cli = await openCliServer()
  const { store } = cli.rest
  const route = { destination_selector: { zone: '{{.zone}}' } }
  await store.create({ kind: 'NetworkService', metadata: { namespace: 'a', name: 'svc' }, spec: { matches: [{ routes: [route] }] } })
  for (const zone of ['b', 'c'])
    await store.create({
      kind: 'NetworkServiceEndpoint',
      metadata: { namespace: 'a', name: `nse-${zone}` },
      spec: { network_service_names: ['svc'], network_service_labels: { svc: { labels: { zone } } }, url: 'tcp://192.0.2.7:5001' },
    })
})
after(() => cli.close())

test('endpoints names those that a client with these labels gets, and says by its exit code that there are none', async () => {
  const { out, exit } = await cli.megrez('endpoints svc -n a --label zone=b')
  assert.deepEqual(
    [exit, /^ENDPOINT +URL +LABELS +EXPIRES\nnse-b +tcp:\/\/192\.0\.2\.7:5001 +svc:zone=b +never\n$/.test(out)],
    [0, true],
    out,
  )
  const nobody = await cli.megrez('endpoints svc -n a --label zone=x --label app=web')
  assert.deepEqual([nobody.exit, nobody.err], [1, 'no endpoint of svc for a client with zone=x, app=web\n'])
})

test('endpoints refuses a label that is none, and a service that is not there', async () => {
  const wrong = await cli.megrez('endpoints svc -n a --label zone')
  assert.deepEqual([wrong.exit, wrong.err], [2, 'megrez: --label "zone" is none: write --label KEY=VALUE\n'])
  assert.equal((await cli.megrez('endpoints none -n a')).exit, 1)
})
