/** Whether a file is a page whose lines end at 140 columns. One is wrapped once it stands. */
export const isWrapped = (path: string): boolean => path.endsWith('.md') && path !== 'docs/simulation.md'
