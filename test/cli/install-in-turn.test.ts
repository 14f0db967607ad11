// Two commands at once in a clone where nothing is installed yet.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const lock = { packages: { 'node_modules/a': { version: '1.0.0' } } }
/** Takes its time, and says what it found, as `npm ci` would that removes what is there. */
const npm = (installed: string): string => `#!/bin/sh
echo begins >> calls.txt
sleep 1
mkdir -p node_modules
echo '${installed}' > node_modules/.package-lock.json
echo ends >> calls.txt
`

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-install-'))
  await copyFile(join(import.meta.dirname, '../../bootstrap.mjs'), join(folder, 'bootstrap.mjs'))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  await writeFile(join(folder, 'hello.ts'), "console.log('hello')\n")
  await writeFile(join(folder, 'npm'), npm(JSON.stringify(lock)))
  await chmod(join(folder, 'npm'), 0o755)
})
after(() => rm(folder, { recursive: true, force: true }))

async function command(): Promise<string> {
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const child = spawn(process.execPath, ['bootstrap.mjs', 'hello.ts'], { cwd: folder, env })
  let out = ''
  child.stdout.on('data', (text) => (out += String(text)))
  await new Promise((resolve) => child.once('close', resolve))
  return out
}

test('one installs, the others wait for it, and all go on', async () => {
  assert.deepEqual(await Promise.all([command(), command(), command()]), ['hello\n', 'hello\n', 'hello\n'])
  assert.equal(await readFile(join(folder, 'calls.txt'), 'utf8'), 'begins\nends\n')
})
