// README's commands, run as a reader would type them, against a server that runs.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commandsOf } from '../repo/readme.ts'
import { read, root } from '../repo/sources.ts'
import { run } from '../setup/run.ts'
import { serve, type Running } from './server.ts'

/** Run by a test of their own: `npm test` is what runs this one. */
const elsewhere = ['npm start', 'npm test', 'npm run demo']
const commands = commandsOf(read('README.md')).filter((command) => !elsewhere.includes(command))

const folder = await mkdtemp(join(tmpdir(), 'megrez-readme-'))
let server: Running | undefined
before(async () => {
  server = await serve(folder, { args: ['--no-install'] })
})
after(async () => {
  await server?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

for (const command of commands) {
  test(`${command} does what it says`, async () => {
    const [program = '', ...args] = command.split(/\s+/)
    const { url = '', token = '' } = server?.line ?? {}
    const { code, stdout, stderr } = await run(program, args, { cwd: root, env: { MEGREZ_URL: url, MEGREZ_TOKEN: token } })
    assert.equal(code, 0, stdout + stderr)
  })
}

test('there are such commands', () => assert.ok(commands.length > 0))
