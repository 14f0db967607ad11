// Nimbess' story as anybody would have it told: whole processes, and connections.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Sentence } from '../../cli/story/nimbess.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { run } from '../setup/run.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false

test('each sentence of the policy of Nimbess holds for connections between pods of two nodes', { skip }, async () => {
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../cli/story.ts'), 'nimbess', '--json']
  const { code, stdout, stderr } = await run(process.execPath, args)
  assert.equal(code, 0, `${stdout}${stderr}`)
  const sentences = JSON.parse(stdout) as readonly Sentence[]
  assert.ok(sentences.length >= 8)
  assert.deepEqual(
    sentences.filter(({ wrong }) => wrong.length > 0),
    [],
  )
})
