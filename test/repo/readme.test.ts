// README's commands are there; test/process/readme.test.ts runs those that ask a server.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf, scriptOf } from './readme.ts'
import { read, root } from './sources.ts'

const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
const commands = commandsOf(read('README.md'))

test('README begins with the commands that a newcomer needs', () =>
  assert.deepEqual(commands.slice(0, 3), ['npm start', 'npm test', 'npm run demo']))

test('every command of README is an npm script', () => {
  for (const command of commands) assert.ok(Object.hasOwn(scripts, scriptOf(command) ?? ''), command)
})

test('every npm script hands over to a program that is there, and leaves no shell between', () => {
  for (const [name, script] of Object.entries(scripts)) {
    const program = /^exec node bootstrap\.mjs (?:--bin (?<bin>\S+)|(?<file>\S+))/.exec(script)?.groups
    assert.ok(program !== undefined, `${name}: ${script}`)
    const path = program.file ?? join('node_modules', program.bin!.split('/')[0]!, 'package.json')
    assert.ok(existsSync(join(root, path)), `${name}: ${path}`)
  }
})

test("files that README's commands name are there", () => {
  for (const command of commands) for (const [, file] of command.matchAll(/ -f (\S+)/g)) assert.ok(existsSync(join(root, file!)), command)
})

test('commands are found in fenced sh blocks only, without comments and continued over lines', () => {
  const text = 'a\n```sh\nnpm start # why\n\n# only this\nnpm run x -- \\\n  --y\n```\n```yaml\nnpm: 1\n```\n    npm test\n'
  assert.deepEqual(commandsOf(text), ['npm start', 'npm run x -- --y'])
  assert.deepEqual(['npm start', 'npm run x -- --y', 'npm ci', 'ls'].map(scriptOf), ['start', 'x', undefined, undefined])
})
