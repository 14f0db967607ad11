// Nimbess' story as anybody would have it told: whole processes, and connections.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PolicyDemo } from '../../cli/demo/policy.ts'
import type { Sentence } from '../../cli/story/nimbess.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { run } from '../setup/run.ts'

const played = (program: string, ...args: readonly string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../cli', program), ...args, '--json'])
const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false

test('each sentence of the policy of Nimbess holds for connections between pods of two nodes', { skip }, async () => {
  const { code, stdout, stderr } = await played('story.ts', 'nimbess')
  assert.equal(code, 0, `${stdout}${stderr}`)
  const sentences = JSON.parse(stdout) as readonly Sentence[]
  assert.ok(sentences.length >= 8)
  assert.deepEqual(
    sentences.filter(({ wrong }) => wrong.length > 0),
    [],
  )
})

test('what a plan of policies says is what connections then do', { skip }, async () => {
  const { code, stdout, stderr } = await played('demo.ts', '--policy')
  assert.equal(code, 0, `${stdout}${stderr}`)
  const { before, planned, after } = JSON.parse(stdout) as PolicyDemo
  assert.equal(before.flat().includes(false), false)
  assert.equal(planned.flat().filter((each) => each === false).length, 2)
  assert.deepEqual(after, planned)
})
