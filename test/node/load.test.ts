// The load driver against agents: Ports bound to nodes, each tested from inside by pings to one before it.
import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type { Summary } from '../../cli/load/print.ts'
import { ovsCarrier } from '../../lab/nodes/carriers.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'
import { ourLinks, startAgents } from './agents.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? false
const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'examples/load/test-by-ping')

test('Ports on two nodes are wired, pinged from where they are, and taken away again; nothing is left', { skip }, async (t) => {
  const agents = await startAgents()
  try {
    const nodes = [
      await agents.node('n1', ovsCarrier, { MEGREZ_EXEC_ALLOW: program, MEGREZ_PORTS_WITHOUT_POD: 'bare' }),
      await agents.node('n2', ovsCarrier, { MEGREZ_EXEC_ALLOW: program, MEGREZ_PORTS_WITHOUT_POD: 'bare' }),
    ]
    const args = [
      '--url',
      agents.server.url,
      '--token',
      agents.server.token,
      '--json',
      '--runid',
      agents.lab.id,
      '--seed',
      '7',
      '--nodes',
      'n1,n2',
      '--round-robin',
      '--single-network',
      '--num-nets',
      '1',
      '--top-net-size',
      '12',
      '--num-attachments',
      '12',
      '--rate',
      '4',
      '--threads',
      '2',
      '--test-fraction',
      '1',
      '--ping-count',
      '3',
      '--test-program',
      program,
      '--wait-after-create',
      '1',
      '--wait-after-delete',
      '60',
    ]
    const { code, stdout, stderr } = await run(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(root, 'cli/load.ts'), ...args],
      { env: { NODE_TEST_CONTEXT: undefined } },
    )
    assert.equal(code, 0, `${stderr}${stdout}`)
    const { counts, stages, wrong } = JSON.parse(stdout) as Summary
    assert.deepEqual(
      [counts['successful_creates'], counts['successful_deletes'], counts['tests'], counts['failed_tests'], wrong],
      [12, 12, 12, 0, []],
    )
    assert.ok((stages.create_to_tested?.count ?? 0) > 0, 'there was somebody to ping')
    t.diagnostic(JSON.stringify(stages.create_to_tested))
    for (const node of nodes) await until(async () => (await ourLinks(node)).length === 0, 'no interface is left')
    const { stdout: left } = await run('ip', ['netns', 'list'])
    assert.deepEqual(
      left.split('\n').filter((line) => line.startsWith(`${agents.lab.id}-a-`)),
      [],
    )
  } finally {
    await agents.close()
  }
})
