// Stories as anybody would have them told: whole processes, and what they print.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Sentence } from '../../cli/story/sentence.ts'
import { run } from './run.ts'

export const played = (program: string, ...args: readonly string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../cli', program), ...args, '--json'])

/** Each of which holds. @param args of `npm run story` */
export async function heldSentences(...args: readonly string[]): Promise<readonly Sentence[]> {
  const { code, stdout, stderr } = await played('story.ts', ...args)
  const sentences = (stdout === '' ? [] : JSON.parse(stdout)) as readonly Sentence[]
  assert.deepEqual(
    sentences.filter(({ wrong }) => wrong.length > 0),
    [],
  )
  assert.equal(code, 0, stderr)
  return sentences
}
