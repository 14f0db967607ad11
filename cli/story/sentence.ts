// A sentence of a design text, and what of it is not so.
import { until } from '../../platform/programs/until.ts'

export interface Sentence {
  readonly says: string
  readonly wrong: readonly string[]
}

const summaryOf = (sentences: readonly Sentence[]): string =>
  sentences.map(({ says, wrong }) => `${wrong.length === 0 ? '✓' : '✗'} ${says}\n${wrong.map((each) => `    ${each}\n`).join('')}`).join('')

/** @returns the exit code */
export function printSentences(sentences: readonly Sentence[], json: boolean): number {
  process.stdout.write(json ? `${JSON.stringify(sentences)}\n` : summaryOf(sentences))
  return sentences.every(({ wrong }) => wrong.length === 0) ? 0 : 1
}

/** Looked at until it is so, or the time is over. @param problem undefined: it is so */
export async function sentenceOf(says: string, problem: () => Promise<string | undefined>, withinMs = 60_000): Promise<Sentence> {
  let last: string | undefined
  const isSo = async (): Promise<boolean> => (last = await problem().catch((err: unknown) => String(err))) === undefined
  await until(isSo, says, withinMs).catch(() => undefined)
  return { says, wrong: last === undefined ? [] : [last] }
}
