// Lists that requests are compared with, as files: whatever a tenant writes stands in one of these, and never in the configuration. A line
// that could not be what it is taken for is left out; such a value matches nothing.

/** Collects the files of one configuration. */
export class Lists {
  readonly files = new Map<string, string>()

  /** @returns the name of the file; undefined where there is nothing in it */
  add(name: string, lines: readonly string[]): string | undefined {
    if (lines.length === 0) return undefined
    this.files.set(name, `${[...new Set(lines)].join('\n')}\n`)
    return name
  }
}

const [nameForm, methodForm, pathForm, blockForm] = [
  /^[a-z0-9_][-a-z0-9_.]*$/,
  /^[A-Z][-A-Z]*$/,
  /^\/[!-~]*$/,
  /^[0-9a-f.:]+(\/\d{1,3})?$/i,
] as const

export interface Patterns {
  readonly whole: readonly string[]
  /** Of hosts: what they end with. Of paths: what they begin with. */
  readonly part: readonly string[]
}

/** `*.` before a name is what is below it. */
export function hostPatterns(hosts: readonly string[]): Patterns {
  const lower = hosts.map((host) => host.toLowerCase())
  return {
    whole: lower.filter((host) => nameForm.test(host)),
    part: lower.flatMap((host) => (host.startsWith('*.') && nameForm.test(host.slice(2)) ? [host.slice(1)] : [])),
  }
}

/** An asterisk behind a path is whatever goes on so. */
export function pathPatterns(paths: readonly string[]): Patterns {
  const all = paths.filter((path) => pathForm.test(path))
  return {
    whole: all.filter((path) => !path.endsWith('*')),
    part: all.flatMap((path) => (path.endsWith('*') ? [path.slice(0, -1)] : [])),
  }
}

export const methodsOf = (methods: readonly string[]): readonly string[] => methods.filter((method) => methodForm.test(method))

export const blocksOf = (blocks: readonly string[]): readonly string[] => blocks.filter((block) => blockForm.test(block))

/** A URL of a list as host and path. */
export function splitUrl(url: string): readonly [host: string, path: string] {
  const at = url.indexOf('/')
  return at < 0 ? [url, '/'] : [url.slice(0, at), url.slice(at)]
}
