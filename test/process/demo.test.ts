// npm run demo, its promises read from its own output.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createInterface } from 'node:readline'
import type { Demo } from '../../cli/demo/story.ts'
import { serve } from './server.ts'

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

/** Plays it until it says that it is over, then ends it as Ctrl-C does. */
async function watched(folder: string): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('MEGREZ_') && name !== 'DISPLAY' && name !== 'WAYLAND_DISPLAY'),
  )
  const args = [join(root, 'bootstrap.mjs'), 'cli/demo.ts', '--watch', '--no-install', '--data', folder]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('The demo is over')) child.kill('SIGINT')
  }
  return { code: await exit, lines }
}

function holdsWhatIsPromised({ code, lines }: Awaited<ReturnType<typeof watched>>): void {
  assert.equal(code, 0, lines.join('\n'))
  assert.match(lines.find((line) => line.startsWith('A VM with two NICs')) ?? '', /eth0 192\.168\.0\.12, eth1 192\.168\.0\.1\d\d/)
  assert.match(lines.find((line) => line.includes('refused')) ?? '', /nics.*192\.168\.0\.12/)
  assert.ok(lines.some((line) => /^notice {2}Pod pod5\/nginx \d+ ready$/.test(line)))
}

test('the demo to be watched starts a server where none runs, and prints a link that signs in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-watch-'))
  const seen = await watched(folder)
  await rm(folder, { recursive: true })
  holdsWhatIsPromised(seen)
  assert.match(seen.lines[0] ?? '', /^page {2}http:\/\/\S+\/sign-in\?code=\S+$/)
})

test('the demo to be watched plays on the server that runs, names its page, and takes all of it back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-watch-'))
  const server = await serve(folder, { args: ['--no-install'] })
  const seen = await watched(folder)
  const left = await server.rest.everything()
  await server.end('SIGTERM')
  await rm(folder, { recursive: true })
  holdsWhatIsPromised(seen)
  assert.equal(seen.lines[0], `page  ${server.line.url}/?view=network`)
  assert.deepEqual(left, [])
})
