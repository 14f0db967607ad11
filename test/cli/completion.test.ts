// What shells are offered, by the program itself and in real shells where they are installed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openCliServer, type CliServer } from './cli-server.ts'
import { outputOf } from './command-output.ts'

const program = join(import.meta.dirname, '../../bin/megrez.mjs')
const run = promisify(execFile)
let cli: CliServer
let folder = ''
before(async () => {
  cli = await openCliServer()
  for (const name of ['front', 'frozen', 'back'])
    await cli.rest.store.create({ kind: 'Vpc', metadata: { namespace: 'a', name }, spec: { provider: 'builtin' } })
  await cli.rest.store.create({ kind: 'Namespace', metadata: { name: 'a' }, spec: {} })
  await cli.rest.store.create({ kind: 'Namespace', metadata: { name: 'blue' }, spec: {} })
  folder = await mkdtemp(join(tmpdir(), 'megrez-shell-'))
  await writeFile(join(folder, 'megrez'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(join(folder, 'megrez'), 0o755)
})
after(async () => {
  await cli.close()
  await rm(folder, { recursive: true })
})

/** @param line up to the cursor, words apart by a space each */
const offered = async (line: string, token = cli.rest.token): Promise<readonly string[]> => {
  const { exit, out, err } = await outputOf(['__complete', ...line.split(' ')], { MEGREZ_URL: cli.url, MEGREZ_TOKEN: token })
  assert.deepEqual([exit, err], [0, ''])
  return out.split('\n').filter((each) => each !== '')
}

const rows: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['de', ['describe', 'delete', 'deliveries']],
  ['get vp', ['vpcs', 'vpcpeerings']],
  ['get vpcs,sub', ['vpcs,subnets', 'vpcs,subscriptions']],
  ['get vpc/fro', []],
  ['get -n a vpc/fro', ['vpc/front', 'vpc/frozen']],
  ['get vpcs -n a fro', ['front', 'frozen']],
  ['get vpcs front -n a b', ['back']],
  ['get vpcs -n b', ['blue']],
  ['get vpcs --namespace=b', ['--namespace=blue']],
  ['get vpcs --namespace = b', ['blue']],
  ['get vpcs -o js', ['json', 'jsonpath=']],
  ['get vpcs --no', ['--no-headers']],
  ['get nonsense fro', []],
  ['inspect --about co', ['counters']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['token c', ['create']],
  ['top ', ['nodes', 'subnets', 'ports', 'server']],
  ['import k', ['kos']],
  ['nonsense ', []],
]
for (const [line, offers] of rows)
  test(`megrez ${line}⇥ offers ${offers.join(' ') || 'nothing'}`, async () => assert.deepEqual(await offered(line), offers))

test('what the caller may not list, or no server answers for, is not offered and no fault', async () => {
  const other = await cli.rest.issuer.issue({ subject: 'v', scope: 'viewer:b' }, 60)
  assert.deepEqual(await offered('get vpcs -n a fro', other), [])
  assert.deepEqual((await outputOf(['__complete', 'get', 'vpcs', ''], { MEGREZ_URL: 'http://127.0.0.1:9' })).exit, 0)
})

test('a shell that is not known is refused with the ones that are', async () => {
  assert.match((await cli.megrez('completion bsh')).err, /did you mean bash\?/)
  assert.match((await cli.megrez('completion powershell')).err, /there are bash, zsh, fish/)
})

/** Each prints what the shell would offer for the words, one a line. */
const shells: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    '-c',
    `source <(megrez completion bash); COMP_WORDS=(${words.map((each) => `'${each}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _megrez; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (words) => [
    '-fc',
    `compdef() { }; compadd() { shift 3; print -l -- "$@" }; _files() { print files }; source <(megrez completion zsh); words=(${words.map((each) => `'${each}'`).join(' ')}); CURRENT=${words.length}; _megrez`,
  ],
  fish: (words) => ['--no-config', '-c', `megrez completion fish | source; complete -C '${words.join(' ')}'`],
}
for (const [shell, args] of Object.entries(shells)) {
  const where = (process.env['PATH'] ?? '').split(delimiter).map((each) => join(each, shell))
  const skip = where.some((each) => existsSync(each)) ? false : `${shell} is not installed`
  test(`in a real ${shell} kinds and names are completed`, { skip }, async () => {
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, MEGREZ_URL: cli.url, MEGREZ_TOKEN: cli.rest.token }
    const completed = async (...words: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await run(shell, [...args(['megrez', ...words])], { env })
      return stdout
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '')
        .filter((line) => line !== '')
        .sort()
    }
    assert.deepEqual(await completed('get', 'vp'), ['vpcpeerings', 'vpcs'])
    assert.deepEqual(await completed('get', '-n', 'a', 'vpc', 'fro'), ['front', 'frozen'])
    assert.deepEqual(await completed('des'), ['describe'])
  })
}

test('kubectl megrez is the same command, and completes by its own protocol', async () => {
  const env = {
    ...process.env,
    PATH: `${folder}:${join(process.execPath, '..')}:${process.env['PATH']}`,
    MEGREZ_URL: cli.url,
    MEGREZ_TOKEN: cli.rest.token,
  }
  const plugin = (name: string) => join(import.meta.dirname, '../../bin', name)
  assert.equal(
    (await run(plugin('kubectl-megrez'), ['get', 'vpcs', '-n', 'a', '-o', 'name'], { env })).stdout,
    'vpc/back\nvpc/front\nvpc/frozen\n',
  )
  assert.match((await run(plugin('kubectl-megrez'), ['get', '--help'], { env })).stdout, /^kubectl megrez get KIND/m)
  assert.equal((await run(plugin('kubectl_complete-megrez'), ['get', 'vp'], { env })).stdout, 'vpcs\nvpcpeerings\n:4\n')
})
