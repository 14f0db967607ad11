/** What was looked at, and what to do about it. */
export interface Finding {
  /** `lacks`: something does not work for it; `note`: something else stands in for it. */
  readonly state: 'ok' | 'note' | 'lacks'
  readonly what: string
  /** To type. */
  readonly help?: string
}
export const ok = (what: string): Finding => ({ state: 'ok', what })
export const note = (what: string, help?: string): Finding => ({ state: 'note', what, ...(help !== undefined && { help }) })
export const lacks = (what: string, help?: string): Finding => ({ state: 'lacks', what, ...(help !== undefined && { help }) })

/** One a line, with what to type below it. */
export const findingLines = (findings: readonly Finding[]): string =>
  findings.map(({ state, what, help }) => `${state.padEnd(5)}  ${what}\n${help === undefined ? '' : `         ${help}\n`}`).join('')
