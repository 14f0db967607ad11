// megrez audit, against workers that carry it out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importCloud } from '../../cli/import/cloud.ts'
import type { Stranger } from '../../core/kinds/vpc/audit.ts'
import { memoryCloudAt } from '../../workers/drivers/cloud/memory-cloud.ts'
import { eventually } from '../agent/node.ts'
import { openHarness } from '../webhooks/rest-harness.ts'
import { openTestCluster } from '../workers/test-cluster.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

test('an orphan is told of and kept, and with --repair it goes; nothing of the question is left', async (t) => {
  const rest = await openHarness()
  const cluster = await openTestCluster({ store: rest.store })
  t.after(async () => {
    await cluster.close()
    await rest.close()
  })
  const url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
  const megrez = async (...args: readonly string[]): Promise<CommandOutput> => {
    let output: CommandOutput | undefined
    void outputOf(args, { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token }).then((each) => (output = each))
    await eventually(
      async () => {
        await cluster.advance(1_000)
        return output !== undefined
      },
      `megrez ${args.join(' ')} has ended`,
    )
    return output!
  }
  const { uid } = (await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'audit of the command line' })).metadata
  const cloud = memoryCloudAt('audit of the command line')
  cloud.put('network', 'megrez-lost', { owner: 'lost', installation: uid, isMade: true })
  cloud.put('network', 'theirs', {})
  await cluster.settle()

  const found = await megrez('audit')
  assert.equal(found.exit, 1)
  assert.match(
    found.out,
    /^orphan: megrez-lost is of an object with UID lost, which is gone: .* \[cloud c, network network-1\]\n1 things compared, 1 found, 1 left/,
  )
  assert.equal(cloud.all('network').length, 2)

  const repaired = await megrez('audit', '--repair', '--cloud', 'c')
  assert.deepEqual([repaired.exit, cloud.all('network').map(({ name }) => name)], [0, ['theirs']])
  assert.match(repaired.out, /network-1\]: gone\n.* 1 found, 0 left/)

  assert.deepEqual([(await megrez('audit')).exit, await cluster.all('Audit')], [0, []])
  const printed = await megrez('import', 'cloud', 'c', '-n', 'a')
  assert.match(printed.out, /kind: Vpc\n[^]*name: theirs-network2\n[^]*existing: network-2/)
  assert.deepEqual(await cluster.all('Vpc'), [])
  const applied = await megrez('import', 'cloud', 'c', '-n', 'a', '--apply')
  assert.equal(applied.exit, 0, applied.err)
  await cluster.settle()
  assert.equal(cloud.all('network')[0]?.owner, (await cluster.get('Vpc', 'a/theirs-network2'))?.metadata.uid)
  assert.deepEqual((await megrez('import', 'cloud', 'c', '-n', 'a')).out, '', 'nothing is left to import')
  assert.match((await megrez('import', 'neutron', 'c')).err, /Cloud c is of provider memory/)
  assert.match((await megrez('audit', 'c')).err, /takes no names: one Cloud is --cloud NAME/)
})

const strangers: readonly Stranger[] = [
  { cloud: 'c', kind: 'network', id: 'net-1', name: 'Blue Net' },
  { cloud: 'c', kind: 'network', id: 'net-2', name: 'other' },
  { cloud: 'c', kind: 'subnet', id: 'sub-1', name: '', network: 'net-1' },
  { cloud: 'c', kind: 'subnet', id: 'sub-9', name: 'of a network that is ours', network: 'net-9' },
  { cloud: 'c', kind: 'port', id: 'port-1', name: 'web', network: 'net-1', subnet: 'sub-1' },
  { cloud: 'c', kind: 'port', id: 'port-2', name: 'vm', network: 'net-1', subnet: 'sub-1', host: 'compute-1' },
]
const wanted = { cloud: 'c', provider: 'memory', namespace: 'a', networks: [], there: new Map<string, string>() }
const linesOf = (objects: readonly object[]): string[] => objects.map((each) => JSON.stringify(each).replace(/^.*?"kind"/, '"kind"'))

test("an import adopts what is nobody's by its ID, and leaves out what is bound to a host", () => {
  const { objects, notes } = importCloud(strangers, { ...wanted, networks: ['Blue Net', 'none'] })
  assert.deepEqual(linesOf(objects), [
    '"kind":"Vpc","metadata":{"namespace":"a","name":"blue-net-net1"},"spec":{"provider":"memory","cloud":"c","existing":"net-1"}}',
    '"kind":"Subnet","metadata":{"namespace":"a","name":"subnet-sub1"},"spec":{"vpc":"blue-net-net1","existing":"sub-1"}}',
    '"kind":"Port","metadata":{"namespace":"a","name":"web-port1"},"spec":{"subnet":"subnet-sub1","portID":"port-1"}}',
  ])
  assert.deepEqual(notes, [
    "network none: cloud c has none of that name or ID that is nobody's",
    'port port-2: left out: it is bound to compute-1, whose use it is',
  ])
})

test('an import that was cut off goes on: what is in a network that was imported before is told by its name', () => {
  const left = strangers.filter(({ id }) => !['net-1', 'sub-1'].includes(id))
  const there = new Map([
    ['net-1', 'blue-net-net1'],
    ['sub-1', 'subnet-sub1'],
  ])
  assert.deepEqual(
    importCloud(left, { ...wanted, there }).objects.map((each) => JSON.stringify(each['spec'])),
    ['{"provider":"memory","cloud":"c","existing":"net-2"}', '{"subnet":"subnet-sub1","portID":"port-1"}'],
  )
})
