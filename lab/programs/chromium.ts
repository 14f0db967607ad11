// The distribution's Chromium, for tests and benchmarks of the page.
import { installPackages, onPath } from '../../platform/programs/debian.ts'

/** Its package, and the fonts that screenshots are made with. */
const packages = ['chromium', 'fonts-inter', 'fonts-jetbrains-mono']

export async function chromiumProgram({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<{ readonly path: string } | { readonly missing: string }> {
  const there = onPath('chromium')
  if (there !== undefined) return { path: there }
  const why = install ? await installPackages(packages, print) : 'not on PATH, and installing was declined'
  const path = onPath('chromium')
  return path === undefined ? { missing: `chromium: ${why ?? 'its package has no program of that name'}` } : { path }
}
