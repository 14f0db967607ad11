// Runs inside Node.js with the addon that was built with the sanitizers: everything a careless or hostile caller could do to it, and a
// great many malformed messages. Its own namespace takes what the kernel makes of them. Prints how many messages it sent.
import { loadAddon, type Addon, type NativeSocket } from '../../agent/native/addon.ts'
import { encodeRequests, encodeDump, type NetlinkRequest } from '../../core/wire/netlink/netlink.ts'

const [path, netns, count, seed] = process.argv.slice(2)
const addon = loadAddon(path)
if ('missing' in addon) throw new Error(addon.missing)

/** A small generator of numbers, so that a run can be repeated (mulberry32). */
let state = Number(seed)
const next = (below: number): number => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}

const link: NetlinkRequest = {
  do: 'addLink',
  link: { ifname: 'a0', up: true, mtu: 1400, group: 7, shape: { kind: 'veth', peer: { ifname: 'b0', mac: '02:00:00:00:00:01' } } },
}
const on = { index: 1, ifname: 'lo' }
const templates = [
  encodeRequests([link], 1, () => 0),
  encodeRequests(
    [
      { do: 'putAddress', on, address: '2001:db8::1/64' },
      { do: 'putRoute', route: { to: '10.0.0.0/8', on } },
    ],
    1,
    () => 0,
  ),
  encodeRequests(
    [
      { do: 'putFdb', fdb: { on, mac: '02:00:00:00:00:01', dst: '192.0.2.1' } },
      { do: 'getLink', of: on },
    ],
    1,
    () => 0,
  ),
  encodeDump('links', 1),
  encodeDump('fdb', 1),
]

/** One message whose header fits and whose rest is bent; requests only, and never one that names a process's namespace. */
function bentMessage(): Buffer {
  const from = templates[next(templates.length)]!
  const bytes = Buffer.from(next(4) === 0 ? Buffer.from(Array.from({ length: 16 + next(80) }, () => next(256))) : from)
  for (let changes = next(6); changes > 0; changes--) bytes[next(bytes.length)] = next(256)
  const length = Math.max(16, next(3) === 0 ? next(bytes.length + 1) : bytes.length)
  const whole = Buffer.alloc((length + 3) & ~3)
  bytes.copy(whole, 0, 0, length)
  whole.writeUInt32LE(next(50) === 0 ? next(2 ** 31) : whole.length, 0)
  whole.writeUInt16LE(next(10) === 0 ? next(65536) : 16 + next(60), 4)
  return whole
}

/** Numbers that go anywhere, and come from anywhere: some of them from where there are any. */
function fills(): Uint8Array {
  const five = (): readonly number[] => [
    next(3),
    next(8) === 0 ? next(2 ** 31) * 2 + 1 : next(120),
    next(3),
    next(8) === 0 ? next(2 ** 31) * 2 + 1 : 4 + next(3) * 6,
    next(60),
  ]
  const bytes = new Uint8Array(Uint32Array.from(Array.from({ length: next(4) }, five).flat()).buffer)
  return next(10) === 0 ? bytes.subarray(0, next(bytes.length + 1)) : bytes
}

async function flood(open: Addon, socket: NativeSocket): Promise<number> {
  const batch = 250
  for (let sent = 0; sent < Number(count); sent += batch) {
    const bytes = Buffer.concat(Array.from({ length: batch }, bentMessage))
    // ENOBUFS and the like are answers; what counts is that the process lives.
    await (next(8) === 0 ? open.once(netns, 0, bytes, undefined) : open.exchange(socket, bytes)).catch(() => undefined)
    if (next(4) === 0)
      await open
        .chain(
          [socket, socket],
          [next(2) === 0 ? bentMessage() : encodeDump('links', 1), Buffer.concat([bentMessage(), bentMessage()])],
          fills(),
        )
        .catch(() => undefined)
    if (next(40) === 0)
      await open.once(netns, next(23), bytes.subarray(0, next(200)), next(2) === 0 ? undefined : 'lo').catch(() => undefined)
  }
  return Number(count)
}

/** Every argument of every call, wrong in every way. */
async function misuse(open: Addon): Promise<number> {
  const wrong: readonly unknown[] = [
    undefined,
    null,
    0,
    -1,
    1e99,
    Number.NaN,
    '',
    'x',
    'x'.repeat(100_000),
    'a\0b',
    '\ud800',
    {},
    [],
    [1, 2],
    ['x'],
    Array.from({ length: 65 }, () => 1),
    new Uint8Array(),
    new Uint8Array(3),
    new Uint32Array(4),
    new DataView(new ArrayBuffer(4)),
    Symbol('x'),
    () => undefined,
    5n,
    new Proxy([], {}),
  ]
  const calls = ['open', 'exchange', 'once', 'chain', 'frame', 'tap', 'program', 'listen', 'close'] as const
  let tries = 0
  for (const call of calls) {
    for (let n = 0; n < 400; n++) {
      tries++
      const face = open[call] as (...given: unknown[]) => unknown
      await attempt(() => face(...Array.from({ length: next(6) }, () => wrong[next(wrong.length)])))
    }
  }
  return tries
}

/** A refusal is an Error, at once or later; anything else is not one of ours. */
async function attempt(act: () => unknown): Promise<void> {
  try {
    await act()
  } catch (err) {
    if (!(err instanceof Error)) throw err
  }
}

async function lives(open: Addon): Promise<void> {
  for (let n = 0; n < 200; n++) {
    const socket = await open.open(netns, 0, [1])
    if (n % 2 === 0) open.listen(socket, () => undefined)
    else
      void (
        n % 4 === 1
          ? open.exchange(socket, encodeDump('links', 1))
          : open.chain([socket, socket], [encodeDump('links', 1), encodeDump('links', 2)], new Uint8Array())
      ).catch(() => undefined)
    // It is in use: refused is right.
    await attempt(() => open.listen(socket, () => undefined))
    if (n % 3 > 0) open.close(socket)
    if (n % 3 === 2) open.close(socket)
  }
  globalThis.gc?.()
}

const socket = await addon.open(netns, 0, [])
console.log(JSON.stringify({ misused: await misuse(addon), sent: await flood(addon, socket), lived: (await lives(addon), true) }))
// Listeners and sockets that nobody closed end with the process.
