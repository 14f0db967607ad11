// What a list takes behind the question mark: some of it chooses among objects, some is about pages, some about a watch.

/** Of pages alone, and of a watch alone: none of the one stands beside any of the other. */
export const pageParameters = ['limit', 'continue'] as const
export const watchOnlyParameters = ['resourceVersion'] as const
export const listParameters = ['labelSelector', 'fieldSelector', 'watch', ...pageParameters, ...watchOnlyParameters] as const

/** Why a parameter cannot stand there, or undefined where it can. */
export function misplaced(parameter: string, watching: boolean): string | undefined {
  if (watching)
    return (pageParameters as readonly string[]).includes(parameter) ? 'is of a page: it cannot stand beside watch=true' : undefined
  return (watchOnlyParameters as readonly string[]).includes(parameter) ? 'is of a watch: it stands only beside watch=true' : undefined
}
