// The ordinary mistakes of a newcomer: one clear line each, and an exit code that says that it failed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer as createHttp } from 'node:http'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openKeyring } from '../../platform/tls/keyring.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

let rest: Harness
let url = ''
let folder = ''
before(async () => {
  rest = await openHarness()
  url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'megrez-mistakes-'))
})
after(async () => {
  await rest.close()
  await rm(folder, { recursive: true })
})
const env = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  MEGREZ_URL: url,
  MEGREZ_TOKEN: rest.token,
  ...more,
})
const megrez = (...args: readonly string[]): Promise<CommandOutput> => outputOf(args, env())
const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
/** One line, on standard error alone. */
function isOneLine({ exit, out, err }: CommandOutput, code: number, says: RegExp): void {
  assert.deepEqual([exit, out], [code, ''], err)
  assert.match(err, says)
  assert.match(err, /^megrez: [^\n]*\n$/)
}
const vpc = (name: string): string => `apiVersion: megrez.io/v1alpha1\nkind: Vpc\nmetadata: {name: ${name}}\nspec: {}\n`

/** Its text and code at its end. */
function serve(args: readonly string[]): Promise<CommandOutput> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../cli/serve.ts'), '--no-install', ...args],
    { env: { PATH: process.env['PATH'], MEGREZ_LOG_LEVEL: 'silent', MEGREZ_QUEUE_IN_PROCESS: 'true' } },
  )
  let [out, err] = ['', '']
  child.stdout.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr.on('data', (text: Buffer) => (err += text.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ exit: code ?? -1, out, err })))
}
const occupied = (l4Port = 0): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(l4Port, '127.0.0.1', () => resolve(server))
  })
const l4PortOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port

describe('a server that cannot start says why in a line', () => {
  test('where its TCP port is in use, or the one of admission, with the flag to change', async () => {
    const taken = await occupied()
    try {
      const l4Port = l4PortOf(taken)
      isOneLine(
        await serve(['--port', String(l4Port), '--data', join(folder, 'd1')]),
        1,
        new RegExp(`--port: TCP port ${l4Port} is in use`),
      )
      isOneLine(await serve(['--port', String(l4Port - 1), '--data', join(folder, 'd2')]), 1, new RegExp(`--port: .*${l4Port}.* is in use`))
    } finally {
      taken.close()
    }
  })

  test('where its folder is a file, or in one', async () => {
    const there = await file('a-file', '')
    isOneLine(await serve(['--port', '0', '--data', there]), 1, /--data: .*a-file is a file, not a folder/)
    isOneLine(await serve(['--port', '0', '--data', join(there, 'inside')]), 1, /--data: .*inside is in what is no folder/)
  })
})

describe('a manifest', () => {
  test('that cannot be read is told with the reason', async () => {
    await symlink(join(folder, 'loop.yaml'), join(folder, 'loop.yaml'))
    isOneLine(await megrez('apply', '-f', join(folder, 'loop.yaml')), 1, /loop\.yaml cannot be read: it is a link that leads to itself/)
    await mkdir(join(folder, 'of-folders', 'x.yaml'), { recursive: true })
    for (const command of [
      ['apply', '-f'],
      ['delete', '-f'],
      ['import', 'eno'],
    ])
      isOneLine(await megrez(...command, join(folder, 'of-folders')), 1, /x\.yaml cannot be read: it is a folder/)
    isOneLine(await megrez('plan', 'nsd', join(folder, 'none.yaml')), 1, /there is no file/)
    isOneLine(await megrez('plan', 'nsd', await file('list.yaml', '[]')), 1, /is no service template/)
  })

  test('without an object is no success', async () => {
    for (const text of ['', '# nothing\n', '---\n---\n']) {
      const name = await file('empty.yaml', text)
      isOneLine(await megrez('apply', '-f', name), 1, /empty\.yaml: no object is in there/)
      isOneLine(await megrez('delete', '-f', name), 1, /no object is in there/)
    }
    isOneLine(await megrez('apply', '-f', '-'), 1, /standard input: no object is in there/)
  })

  test('that is no YAML is told with its line, the same words as REST has', async () => {
    const text = `${vpc('a')}more: "\\q"\n`
    isOneLine(
      await megrez('apply', '-f', await file('bad.yaml', text)),
      1,
      /bad\.yaml: it is not YAML: Invalid escape sequence \\q \(line 5\)/,
    )
    const answer = await rest.ask('POST /v1/namespaces/a/vpcs', { body: text, headers: { 'content-type': 'application/yaml' } })
    assert.match(answer.problem.detail, /it is not YAML: Invalid escape sequence \\q \(line 5\)/)
  })

  test('of something that is on its way out is refused until it is gone', async () => {
    const name = await file('going.yaml', vpc('going'))
    assert.equal((await megrez('apply', '-n', 'm', '-f', name)).exit, 0)
    assert.equal((await rest.ask('DELETE /v1/namespaces/m/vpcs/going', { headers: { 'if-match': '*' } })).status, 202)
    for (const text of [vpc('going'), vpc('going').replace('spec: {}', 'spec: {mtu: 1400}')]) {
      await file('going.yaml', text)
      const { exit, out, err } = await megrez('apply', '-n', 'm', '-f', name)
      assert.deepEqual([exit, out], [1, ''])
      assert.match(err, /it is being deleted: apply again once it is gone/)
    }
  })
})

describe('the right words for the wrong ones', () => {
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['explain', 'pod/x'], 1, /x not found/],
    [['explain', 'pod/x', '--live'], 2, /only a Port can be explained, not a Pod: .* megrez get pod x -o yaml/],
    [['explain', 'vpc/x', '--live'], 2, /only a Port can be explained, not a Vpc/],
    [['explain', 'prot/x'], 2, /there is no kind "prot": did you mean port\?/],
    [['flows', 'vpc/x'], 2, /only a Port has flows, not a Vpc: megrez flows port\/NAME/],
    [['flows'], 2, /flows of what\? megrez flows port\/NAME/],
    [['explain', 'port'], 2, /explain what\?/],
    [['explain'], 2, /explain what\?/],
    [['explain', 'port/a', 'b'], 2, /"b" is one word too many/],
    [['explain', 'port/none'], 1, /none not found/],
    [['explain', 'port', 'none'], 1, /none not found/],
    [['get', 'ports', '-n', 'BAD NS'], 1, /namespace: must be at most 63/],
    [['get', 'port', 'x', '-n', 'BAD NS'], 1, /namespace: must be at most 63/],
    [['get', 'ports', '-n', 'BAD NS', '-w'], 1, /namespace: must be at most 63/],
    [['get', 'ports', '-A', '-n', 'x'], 2, /-A is of all namespaces and -n of one: give one of the two/],
    [['get', 'port', 'BAD'], 1, /name: must be a DNS name/],
    [['delete', 'port', 'x', '-n', 'BAD NS'], 1, /namespace: must be at most 63/],
    [['-n', 'demo', 'get', 'ports'], 2, /the command comes first, then its flags: megrez COMMAND -n …; there are apply, get,/],
    [['apply', '-f'], 2, /'-f, --file <value>' needs a value/],
    [['apply', '-f', '-n', 'demo'], 2, /'-f' needs a value/],
    [['listen', '--secret', 'nonsense'], 2, /--secret "nonsense" signs nothing: a secret is whsec_ and the base64 of at least 24 bytes/],
    [['listen', '--secret', `whsec_${'A'.repeat(31)}!`], 2, /signs nothing/],
  ]
  for (const [args, exit, says] of cases) test(`megrez ${args.join(' ')}`, async () => isOneLine(await megrez(...args), exit, says))

  test('megrez listen on a TCP port that is in use names the flag', async () => {
    const taken = await occupied()
    try {
      isOneLine(
        await megrez('listen', '--secret', `whsec_${Buffer.alloc(32, 7).toString('base64')}`, '--port', String(l4PortOf(taken))),
        1,
        /is in use: choose another with --port/,
      )
    } finally {
      taken.close()
    }
  })

  test('megrez --version is a line, without a server', async () => {
    for (const word of ['--version', '-V']) assert.match((await megrez(word)).out, /^megrez \d+\.\d+\.\d+\n$/)
  })

  test('warnings are shown as they were meant, quotes and all', async () => {
    const answers = { warning: '299 megrez "say \\"a\\", not \\\\b", 299 megrez "second"', etag: '"x"' }
    const server = createHttp((request, response) => {
      response.writeHead(request.method === 'GET' ? 404 : 201, {
        'content-type': 'application/json',
        ...(request.method === 'POST' && answers),
      })
      response.end(
        JSON.stringify(
          request.method === 'GET'
            ? { type: 'about:blank', title: 'none', status: 404, code: 'not-found' }
            : { kind: 'Vpc', metadata: { name: 'w' } },
        ),
      )
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const { exit, err } = await outputOf(
        ['apply', '-f', await file('w.yaml', vpc('w'))],
        env({ MEGREZ_URL: `http://127.0.0.1:${l4PortOf(server)}` }),
      )
      assert.deepEqual([exit, err], [0, 'warning: say "a", not \\b\nwarning: second\n'])
    } finally {
      server.close()
    }
  })
})

describe('a server that is not the one that was meant', () => {
  test('speaks no TLS where https was said, and TLS where http was', async () => {
    isOneLine(
      await outputOf(['get', 'ports'], env({ MEGREZ_URL: url.replace('http:', 'https:') })),
      3,
      /does not answer: it speaks no TLS there; is it http:\/\/\?/,
    )
    isOneLine(await outputOf(['get', 'ports', '-w'], env({ MEGREZ_URL: url.replace('http:', 'https:') })), 3, /it speaks no TLS there/)
    const keyring = await openKeyring(join(folder), { names: ['127.0.0.1'], clock: realClock, random: Math.random, log: silentLog() })
    const app = rest.another({ certificate: keyring })
    try {
      const https = await app.listen({ host: '127.0.0.1', port: 0 })
      isOneLine(
        await outputOf(['get', 'ports'], env({ MEGREZ_URL: https.replace('https:', 'http:') })),
        3,
        /does not answer: .*is it https:\/\/\?/,
      )
    } finally {
      await app.close()
      keyring.close()
    }
  })

  test("has a folder that is another user's, or is no folder: then nobody is told to start one", async () => {
    const own = await mkdtemp(join(tmpdir(), 'megrez-own-'))
    const root = process.getuid?.() === 0
    await writeFile(join(own, 'ready.json'), '{}')
    await chmod(own, root ? 0o700 : 0)
    try {
      // Root may read everything: for a moment we are somebody else.
      if (root) process.seteuid?.(65_534)
      const told = await outputOf(['get', 'ports', '--data', own], {})
      if (root) process.seteuid?.(0)
      isOneLine(told, 3, /ready\.json cannot be read: you may not read it, so it is another user's server/)
    } finally {
      if (root) process.seteuid?.(0)
      await chmod(own, 0o700)
      await rm(own, { recursive: true })
    }
    isOneLine(
      await outputOf(['get', 'ports', '--data', await file('plain', '')], {}),
      3,
      /cannot be read: what it is said to be in is no folder/,
    )
  })
})

describe('an import of a folder', () => {
  const point = 'apiVersion: eno.k8s.io/v1alpha1\nkind: ConnectionPoint\nmetadata: {name: cp}\nspec: {Type: kernel, InterfaceName: br0}\n'
  const others = {
    'kustomization.yaml': 'resources: [point.yaml]\n',
    'kustomize.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n',
    'eno.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: eno-config}\ndata: {CNI_CONFIG: "x: 1", LOG_LEVEL: debug}\n',
  }

  test("leaves out a kustomization and ENO's own ConfigMap with a note, and takes the rest", async () => {
    const of = join(folder, 'eno')
    await mkdir(of)
    for (const [name, text] of Object.entries({ 'point.yaml': point, ...others })) await writeFile(join(of, name), text)
    const { exit, out, err } = await megrez('import', 'eno', of, '--print')
    assert.equal(exit, 0, err)
    assert.match(out, /kind: ConnectionPoint/)
    for (const name of Object.keys(others))
      assert.match(err, new RegExp(`note: .*${name}: /kind: .* is neither of eno\\.k8s\\.io nor a poolConf or fabricConf: left out`))
    await rm(join(of, 'point.yaml'))
    const nothing = await megrez('import', 'eno', of)
    assert.deepEqual([nothing.exit, /nothing was sent/.test(nothing.err)], [1, true], 'with nothing to take it fails')
  })
})
