// The CNI shim as kubelet's runtime starts it, built with the sanitizers: whatever comes in or back, it says something that CNI knows.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { buildNative } from '../../agent/native/build.ts'
import { trials } from '../setup/trials.ts'

const built = await buildNative('shim', { sanitize: true })
const skip = 'missing' in built && process.env.CI !== 'true' ? built.missing : false
const program = 'path' in built ? built.path : ''
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'mz-shim-'))
after(() => rmSync(folder, { recursive: true }))
let sockets = 0

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function shim(env: Readonly<Record<string, string>>, stdin: string | Uint8Array): Promise<Ended> {
  const child = spawn(program, [], { env: { ...env, ASAN_OPTIONS: 'abort_on_error=0:exitcode=99' }, stdio: ['pipe', 'pipe', 'pipe'] })
  const [out, err]: Buffer[][] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out!.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err!.push(chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(out!).toString(), stderr: Buffer.concat(err!).toString() }))
  })
}

/** An agent that does as it is told with each connection. */
async function agent<T>(behave: (socket: Socket, heard: Promise<Buffer>) => void, run: (socket: string) => Promise<T>): Promise<T> {
  const path = join(folder, `${sockets++}.sock`)
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = []
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    behave(socket, new Promise((resolve) => socket.on('end', () => resolve(Buffer.concat(chunks)))))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  try {
    return await run(path)
  } finally {
    server.close()
  }
}

const conf = (more: object = {}): string => JSON.stringify({ cniVersion: '1.1.0', name: 'megrez', type: 'megrez', ...more })
const outcomeOf = ({ code, stdout }: Ended): unknown => ({ code, ...(JSON.parse(stdout) as object) })

describe('the shim', { skip }, () => {
  test('hands over every CNI variable and the configuration as it is, and prints the answer', async () => {
    const stdin = conf({ prevResult: { note: 'ü\u0000"' } })
    let heardAs = ''
    const ended = await agent(
      (socket, heard) =>
        void heard.then((bytes) => {
          heardAs = bytes.toString()
          socket.end('0\n{"cniVersion":"1.1.0","interfaces":[]}\n')
        }),
      (socket) => shim({ CNI_COMMAND: 'ADD', CNI_ARGS: 'A=1;B=ü', CNI_IFNAME: 'eth0', HOME: '/root', MEGREZ_CNI_SOCKET: socket }, stdin),
    )
    assert.deepEqual(ended, { code: 0, stdout: '{"cniVersion":"1.1.0","interfaces":[]}\n', stderr: '' })
    const [environment, rest] = [heardAs.slice(0, heardAs.indexOf('\0\0')).split('\0').sort(), heardAs.slice(heardAs.indexOf('\0\0') + 2)]
    assert.deepEqual(environment, ['CNI_ARGS=A=1;B=ü', 'CNI_COMMAND=ADD', 'CNI_IFNAME=eth0'])
    assert.equal(rest, stdin)
  })

  test('gives back the exit code and an answer of a megabyte byte for byte', async () => {
    const body = 'é'.repeat(500_000)
    const ended = await agent(
      (socket, heard) => void heard.then(() => socket.end(`11\n${body}`)),
      (socket) => shim({ CNI_COMMAND: 'DEL', MEGREZ_CNI_SOCKET: socket }, conf()),
    )
    assert.deepEqual(ended, { code: 11, stdout: body, stderr: '' })
  })

  test('finds the socket in the configuration before the environment', async () => {
    const ended = await agent(
      (socket, heard) => void heard.then(() => socket.end('0\nhere')),
      (socket) =>
        shim(
          { CNI_COMMAND: 'CHECK', MEGREZ_CNI_SOCKET: '/nowhere' },
          conf({ nested: { socket: '/wrong', a: ['}', { x: '\\"' }] }, socket }),
        ),
    )
    assert.equal(ended.stdout, 'here')
  })

  test('waits longer than an agent may take, so that what an agent says of a call that fails is heard', async () => {
    const source = await readFile(join(root, 'agent/native/shim/shim.c'), 'utf8')
    const settings = await readFile(join(root, 'docs/settings.md'), 'utf8')
    const inShim = (name: string): number => Number(new RegExp(`\\b${name} = (\\d+)`).exec(source)?.[1])
    const most = Number(/MEGREZ_CNI_BUDGET_MS.*whole number from \d+ to (\d+)/.exec(settings)?.[1])
    assert.ok(inShim('budgetMs') > inShim('connectMs') + most, `${inShim('budgetMs')} > ${inShim('connectMs')} + ${most}`)
  })

  test('answers VERSION by itself, whether or not there is an agent', async () => {
    assert.deepEqual(outcomeOf(await shim({ CNI_COMMAND: 'VERSION' }, '{"cniVersion":"0.4.0"}')), {
      code: 0,
      cniVersion: '0.4.0',
      supportedVersions: ['0.4.0', '1.0.0', '1.1.0'],
    })
  })

  const away: Readonly<Record<string, (run: (socket: string) => Promise<Ended>) => Promise<Ended>>> = {
    'there is none': (run) => run(join(folder, 'none.sock')),
    'it closes at once': (run) => agent((socket) => socket.destroy(), run),
    'it closes after it has heard': (run) => agent((socket, heard) => void heard.then(() => socket.destroy()), run),
    'it ends inside the exit code': (run) => agent((socket, heard) => void heard.then(() => socket.end('1')), run),
    'its exit code is none': (run) => agent((socket, heard) => void heard.then(() => socket.end('-1\n{}')), run),
    'its exit code is too large': (run) => agent((socket, heard) => void heard.then(() => socket.end('999\n{}')), run),
  }
  for (const [how, run] of Object.entries(away)) {
    test(`an agent that is away (${how}) is said in CNI's words: try again later, or not available`, async () => {
      for (const [verb, code] of [
        ['DEL', 11],
        ['CHECK', 11],
        ['GC', 11],
        ['STATUS', 50],
      ] as const) {
        const ended = await run((socket) => shim({ CNI_COMMAND: verb, MEGREZ_CNI_SOCKET: socket }, conf()))
        const { details, ...rest } = JSON.parse(ended.stdout) as { readonly details: string }
        assert.deepEqual(
          { exit: ended.code, stderr: ended.stderr, ...rest },
          { exit: 1, stderr: '', cniVersion: '1.1.0', code, msg: 'the Megrez agent of this node does not answer' },
        )
        assert.ok(details.length > 5)
      }
    })
  }

  test('ADD waits for an agent that is starting', async () => {
    const path = join(folder, 'late.sock')
    const waiting = shim({ CNI_COMMAND: 'ADD', MEGREZ_CNI_SOCKET: path }, conf())
    const server = createServer({ allowHalfOpen: true }, (socket) => socket.on('end', () => socket.end('0\nlate')).resume())
    await new Promise<void>((resolve) => setTimeout(() => server.listen(path, resolve), 300))
    assert.equal((await waiting).stdout, 'late')
    server.close()
  })

  test("what is wrong with the call itself has CNI's codes", async () => {
    assert.equal((outcomeOf(await shim({}, conf())) as { readonly code: number }).code, 4)
    assert.equal(
      (outcomeOf(await shim({ CNI_COMMAND: 'ADD' }, conf({ socket: `/${'x'.repeat(107)}` }))) as { readonly code: number }).code,
      7,
    )
    assert.equal((outcomeOf(await shim({ CNI_COMMAND: 'ADD' }, Buffer.alloc(5 << 20, ' '))) as { readonly code: number }).code, 6)
  })

  test('no configuration makes it do anything but complain in JSON', async () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '\\u0000',
      '"socket"',
      '"cniVersion"',
      '"1.0.0"',
      '\0',
      'ü',
      ' ',
      '1e9',
      'null',
      '\ud800',
    )
    const hostile = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 600 }),
      fc.json().map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (stdin) => {
        const { code, stdout, stderr } = await shim({ CNI_COMMAND: 'DEL', MEGREZ_CNI_SOCKET: join(folder, 'none.sock') }, stdin)
        const told = JSON.parse(stdout) as { readonly code: number; readonly cniVersion: string }
        assert.deepEqual([code, stderr, [7, 11].includes(told.code)], [1, '', true])
        assert.match(told.cniVersion, /^[\d.]+$/)
      }),
      { numRuns: trials(1_000) },
    )
  })

  test('no answer makes it do anything but repeat or complain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.tuple(fc.nat(1_000), fc.uint8Array({ maxLength: 300 })).map(([code, body]) => Buffer.concat([Buffer.from(`${code}\n`), body])),
        ),
        async (answer) => {
          const { code, stderr } = await agent(
            (socket, heard) => void heard.then(() => socket.end(answer)),
            (socket) => shim({ CNI_COMMAND: 'DEL', MEGREZ_CNI_SOCKET: socket }, conf()),
          )
          assert.equal(stderr, '')
          assert.ok(code !== null && code <= 255)
        },
      ),
      { numRuns: trials(500) },
    )
  })
})
