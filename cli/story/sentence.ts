// A sentence of a design text, and what of it is not so.

export interface Sentence {
  readonly says: string
  readonly wrong: readonly string[]
}

export const summaryOf = (sentences: readonly Sentence[]): string =>
  sentences.map(({ says, wrong }) => `${wrong.length === 0 ? '✓' : '✗'} ${says}\n${wrong.map((each) => `    ${each}\n`).join('')}`).join('')
