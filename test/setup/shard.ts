import { describe } from 'node:test'

/** What ./shards.ts writes calls this: each file's tests and hooks are those of a suite of its own, in one process. */
export function runSuites(suites: readonly { readonly name: string; readonly url: string }[]): void {
  for (const { name, url } of suites) void describe(name, async () => void (await import(url)))
}
