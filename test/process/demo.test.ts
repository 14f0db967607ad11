// npm run demo, its promises read from its own output.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Demo } from '../../cli/demo/story.ts'

const root = join(import.meta.dirname, '../..')

test('the demo shows five pods served, one refused, everybody told in order, and nothing left', () => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MEGREZ_')))
  const run = spawnSync('npm', ['run', '--silent', 'demo', '--', '--json', '--no-install'], { cwd: root, env, encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr)
  const demo = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Demo
  assert.deepEqual(
    demo.pods.map((pod) => `${pod.namespace}: ${pod.nics.map((nic) => nic.name).join(' ')}`),
    ['pod1: eth0', 'pod2: eth0', 'pod3: eth0', 'pod4: eth0', 'pod5: eth0 eth1'],
  )
  const nics = demo.pods.flatMap((pod) => pod.nics.map((nic) => ({ pod: pod.namespace, ...nic })))
  for (const pod of ['pod3', 'pod5']) assert.equal(nics.find((nic) => nic.pod === pod)?.address, '192.168.0.12')
  const premade = nics.filter((nic) => nic.portID === 'a2815656-76f7-46d4-9d11-057063db1a14')
  assert.deepEqual(
    premade.map((nic) => [nic.pod, nic.name, nic.createdByUs]),
    [
      ['pod4', 'eth0', false],
      ['pod5', 'eth1', false],
    ],
  )
  assert.deepEqual(
    demo.refused.map((each) => each.pod),
    ['together/pod5'],
  )
  assert.match(demo.refused[0]?.path ?? '', /nics/)
  assert.match(demo.refused[0]?.message ?? '', /192\.168\.0\.12/)
  assert.deepEqual(demo.left, [])
  for (const pod of ['pod1', 'pod2', 'pod3', 'pod4', 'pod5']) {
    const phases = demo.notices.filter((notice) => notice.kind === 'Pod' && notice.namespace === pod).map((notice) => notice.phase)
    assert.equal(phases.at(-1), 'deleted', pod)
    assert.ok(phases.includes('ready'), pod)
  }
})
