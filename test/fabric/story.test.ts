// npm run story eno, its promises read from its own output.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Story } from '../../cli/story/eno.ts'
import { ovsSkip } from '../setup/ovs.ts'

const root = join(import.meta.dirname, '../..')

test(
  "ENO's workflow: VLANs, definitions, pings over the fabric, everybody told in order, and the switches as they were",
  { skip: ovsSkip },
  () => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('MEGREZ_') && name !== 'NODE_TEST_CONTEXT'),
    )
    const run = spawnSync('npm', ['run', '--silent', 'story', 'eno', '--', '--json'], { cwd: root, env, encoding: 'utf8' })
    assert.equal(run.status, 0, run.stderr)
    const story = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Story
    assert.deepEqual(story.after, story.before)
    assert.match(story.open.s1, /^node1,\[100\],/m)
    assert.match(story.open.s1, /^gw,"\[100, 200\]"/m)
    assert.match(story.open.s2, /^node2,"\[100, 200\]"/m)
    assert.deepEqual(Object.values(story.pings), [true, true, true, false])
    assert.deepEqual(story.uplink, { open: '[100, 200]', after: '[4095]' })
    assert.equal(story.terminating, 'terminating: Pod kernel is still using it')
    const phases = (kind: string, name: string): string[] =>
      story.notices.filter((notice) => notice.kind === kind && notice.name === name).map((notice) => notice.phase)
    // How often something is pending on the way is a matter of who was faster.
    for (const [kind, name] of [
      ['L2Service', 'signalling'],
      ['L2Service', 'media'],
      ['L2ServiceAttachment', 'signalling-access'],
      ['L2ServiceAttachment', 'all-tagged'],
    ] as const)
      assert.deepEqual(phases(kind, name).slice(-3), ['ready', 'terminating', 'deleted'], `${kind} ${name}`)
  },
)
