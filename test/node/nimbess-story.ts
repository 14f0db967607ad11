// Nimbess' story as anybody would have it told: whole processes, and connections.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Sentence } from '../../cli/story/sentence.ts'
import { run } from '../setup/run.ts'

export const played = (program: string, ...args: readonly string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../cli', program), ...args, '--json'])

/** @param least sentences */
export async function holds(dataplane: string, least: number): Promise<void> {
  const { code, stdout, stderr } = await played('story.ts', 'nimbess', '--dataplane', dataplane)
  assert.equal(code, 0, `${stdout}${stderr}`)
  const sentences = JSON.parse(stdout) as readonly Sentence[]
  assert.ok(sentences.length >= least)
  assert.deepEqual(
    sentences.filter(({ wrong }) => wrong.length > 0),
    [],
  )
}
