/** The first `N.N` or `N.N.N` in a text, as numbers. */
export function versionIn(text: string): readonly number[] | undefined {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text)
  return found?.slice(1).map((part) => Number(part ?? 0))
}

/** Whether version `have` is `floor` or newer; a missing part counts as 0. */
export function atLeast(have: readonly number[], floor: readonly number[]): boolean {
  for (const [i, part] of floor.entries()) {
    const ours = have[i] ?? 0
    if (ours !== part) return ours > part
  }
  return true
}
