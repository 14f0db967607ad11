/** Whether a file is a page whose lines end at 140 columns. Those that are named here are wrapped once they stand. */
export const isWrapped = (path: string): boolean => path.endsWith('.md') && !['docs/simulation.md', 'docs/inquiries.md'].includes(path)
