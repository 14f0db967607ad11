// Runs inside Node.js with the addon of unix sockets that was built with the sanitizers: every argument wrong in every way, and sockets and
// files that are closed at any time, also by the end of this process. Prints how many of each.
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadUnix, type UnixSocket } from '../../agent/native/unix.ts'

const [path = '', rounds] = process.argv.slice(2)
const addon = loadUnix(path)
if ('missing' in addon) throw new Error(addon.missing)

/** A refusal is an Error; anything else is not one of ours. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (err) {
    if (!(err instanceof Error)) throw err
    return undefined
  }
}

const folder = mkdtempSync(join(tmpdir(), 'megrez-unix-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const faces = addon as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>
attempt(() => addon.listen(join(folder, 'before')))
let events = 0
addon.start(() => void events++)
const listener = addon.listen(join(folder, 's'))
const closed = addon.connect(join(folder, 's'))
addon.close(closed)

const wrong: readonly unknown[] = [
  undefined,
  null,
  -1,
  1e99,
  0.5,
  2 ** 31,
  '',
  'x'.repeat(108),
  'a\0b',
  '/nowhere/at/all',
  {},
  [],
  [-1],
  [1_000_000],
  ['x'],
  Array.from({ length: 254 }, () => 0),
  new Uint8Array(),
  new Uint8Array(3),
  new Uint32Array(4),
  Symbol('x'),
  () => undefined,
  5n,
  true,
  new Proxy([], {}),
  listener,
  closed,
]
let misused = 0
const pairsOfWrong = wrong.flatMap((one) => wrong.map((two) => [one, two] as const))
for (const name of Object.keys(faces).filter((each) => each !== 'close'))
  for (const [one, two] of pairsOfWrong)
    for (const given of [[one], [one, two], [listener, one, two], [closed, one, two]]) {
      misused++
      attempt(() => faces[name]!(...given))
    }
for (const one of wrong) if (one !== listener) attempt(() => faces['close']!(one))

const draw = (below: number): number => Math.floor(Math.random() * below)
const accept = (): UnixSocket | undefined => attempt(() => addon.accept(listener))
while (accept() !== undefined);
const files = (): number => readdirSync('/proc/self/fd').length
// Finalizers have their turn behind a collection.
for (let n = 0; n < 3; n++) {
  globalThis.gc?.()
  await new Promise((resolve) => setTimeout(resolve, 10))
}
const before = files()
const pairs: [UnixSocket, UnixSocket][] = []
const own = Array.from({ length: 8 }, () => openSync('/dev/null', 'r'))
let moved = 0
for (let round = 0; round < Number(rounds); round++) {
  if (pairs.length < 20) {
    const client = attempt(() => addon.connect(join(folder, 's')))
    const server = accept()
    if (client !== undefined && server !== undefined) pairs.push([client, server])
  }
  const pair = pairs[draw(pairs.length)]!
  const [one, other] = draw(2) === 0 ? pair : [pair[1], pair[0]]
  const acts = [
    () => addon.send(one, new Uint8Array(1 + draw(70_000)), own.slice(0, draw(9))),
    () =>
      addon.send(
        one,
        new Uint8Array(1 + draw(3)),
        Array.from({ length: draw(254) }, () => own[0]!),
      ),
    () => {
      const [, ...received] = addon.receive(other) ?? [undefined]
      for (const fd of received) closeSync(fd)
    },
    () => addon.arm(one, draw(2) === 0, draw(2) === 0),
    () => draw(10) === 0 && addon.end(one),
    () => draw(20) === 0 && addon.close(one),
    () => draw(40) === 0 && pairs.splice(pairs.indexOf(pair), 1),
  ]
  attempt(acts[draw(acts.length)]!)
  moved++
  if (round % 500 === 0) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
}
for (const pair of pairs) for (const socket of pair) addon.close(socket)
pairs.length = 0
// Sockets that nobody has any more are closed as they are collected.
for (let n = 0; n < 10 && files() > before + own.length; n++) {
  await new Promise((resolve) => setTimeout(resolve, 10))
  globalThis.gc?.()
}
const left = files() - before - own.length
// Whatever is open and armed goes with the event loop.
for (let i = 0; i < 5; i++) addon.arm(addon.connect(join(folder, 's')), true, true)
console.log(JSON.stringify({ misused, moved, left, wereTold: events > 0 }))
setTimeout(() => process.exit(0), 50)
