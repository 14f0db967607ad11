// Runs inside Node.js with the runner that was built with the sanitizers: every argument wrong in every way, and programs that are
// killed at any time, also by the end of this process. Prints how many of each.
import { loadRunner } from '../../agent/native/runner.ts'

const [path = '', rounds] = process.argv.slice(2)
const runner = loadRunner({ path })
if ('missing' in runner) throw new Error(runner.missing)
const { run, kill } = runner

/** A refusal is an Error, at once or later; anything else is not one of ours. */
async function attempt(act: () => unknown): Promise<void> {
  try {
    await act()
  } catch (err) {
    if (!(err instanceof Error)) throw err
  }
}

const wrong: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  1e99,
  '',
  '/bin/true',
  'x'.repeat(200_000),
  'a\0b',
  '\ud800',
  {},
  [],
  [1],
  ['x'],
  ['a\0b'],
  Array.from({ length: 1025 }, () => 'x'),
  new Uint8Array(),
  new Uint8Array(3),
  new Uint32Array(4),
  Symbol('x'),
  () => undefined,
  5n,
  new Proxy([], {}),
]
let misused = 0
for (const program of wrong) {
  for (const args of wrong) {
    const face = run as (...given: unknown[]) => unknown
    for (const given of [
      [program],
      [program, args],
      ['/bin/true', program, args, new Uint8Array()],
      ['/bin/true', [], program, args],
      [program, [], [], args],
    ]) {
      misused++
      await attempt(async () => (face(...given) as readonly unknown[] | undefined)?.[0])
    }
  }
  await attempt(() => (kill as (handle: unknown) => unknown)(program))
}

const env = [`PATH=${process.env['PATH'] ?? ''}`]
const begin = (text: string, stdin = '') => run('/bin/sh', ['-c', text], env, Buffer.from(stdin))
let ended = 0
for (let round = 0; round < Number(rounds); round++) {
  const all = Array.from({ length: 8 }, (_, i) =>
    begin(
      [
        'cat',
        'sleep 5',
        'echo x; exec sleep 5',
        'head -c 100000 /dev/zero',
        'head -c 200000 /dev/zero >&2',
        'sleep 5 & echo y',
        'exit 7',
        'kill $$',
      ][i] ?? '',
      'z'.repeat(round * 1000),
    ),
  )
  const stop = setTimeout(() => {
    for (const [, handle] of all) kill(handle)
  }, round % 20)
  await Promise.allSettled(all.map(([done]) => done))
  clearTimeout(stop)
  for (const [, handle] of all) kill(handle)
  ended += all.length
}
globalThis.gc?.()
// Whatever still runs goes with the event loop.
for (let i = 0; i < 5; i++) begin('sleep 30')[0].catch(() => undefined)
console.log(JSON.stringify({ misused, ended }))
setTimeout(() => process.exit(0), 50)
