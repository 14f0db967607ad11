/** Whether a file is a page, whose lines end at 140 columns. */
export const isWrapped = (path: string): boolean => path.endsWith('.md')
