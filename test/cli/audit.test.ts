// megrez audit, against workers that carry it out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryCloudAt } from '../../workers/drivers/cloud/memory-cloud.ts'
import { eventually } from '../agent/node.ts'
import { openHarness } from '../webhooks/rest-harness.ts'
import { openTestCluster } from '../workers/test-cluster.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

test('an orphan is told of and kept, and with --repair it goes; nothing of the question is left', async (t) => {
  const cluster = await openTestCluster()
  const rest = await openHarness(() => cluster.store)
  t.after(async () => {
    await rest.close()
    await cluster.close()
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
  assert.match((await megrez('audit', 'c')).err, /takes no names: one Cloud is --cloud NAME/)
})
