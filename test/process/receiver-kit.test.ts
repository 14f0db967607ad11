// The receiver kit as its users get it: emitted, packed, and installed in a folder of its own.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'

const root = join(import.meta.dirname, '../..')
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = JSON.stringify({ kind: 'Vpc', metadata: { namespace: 'a', name: 'blau', uid: 'u' }, text: 'Grüße' })
const exec = promisify(execFile)

function signed(): Record<string, string> {
  const at = new Date()
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    'megrez-sequence': '3',
    'megrez-phase': 'ready',
  }
}

test('the receiver kit works as a package: emitted, packed, installed, imported, and its types are seen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-receiver-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const emitted = join(folder, 'emitted')
  await mkdir(emitted)
  await exec(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'receiver'), '--outDir', emitted])
  for (const name of ['package.json', 'README.md']) await copyFile(join(root, 'receiver', name), join(emitted, name))
  await exec('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: emitted })
  const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const user = join(folder, 'user')
  await mkdir(user)
  await writeFile(join(user, 'package.json'), '{ "type": "module", "private": true }')
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed ?? '')], { cwd: user })
  await writeFile(
    join(user, 'use.ts'),
    `import { verify, Order } from '@megrez/receiver'\nconst { id } = verify(${JSON.stringify(body)}, ${JSON.stringify(signed())}, { secrets: [${JSON.stringify(secret)}] })\nconst seen: 'new' | 'repeat' = new Order().see('u', 1)\nconsole.log(id, seen)\n`,
  )
  assert.equal((await exec(process.execPath, ['--disable-warning=ExperimentalWarning', 'use.ts'], { cwd: user })).stdout, 'msg_1 new\n')
  await mkdir(join(user, 'node_modules/@types'), { recursive: true })
  await symlink(join(root, 'node_modules/@types/node'), join(user, 'node_modules/@types/node'))
  await symlink(join(root, 'node_modules/undici-types'), join(user, 'node_modules/undici-types')).catch(() => undefined)
  await exec(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
      '--skipLibCheck',
      'use.ts',
    ],
    { cwd: user },
  )
})
