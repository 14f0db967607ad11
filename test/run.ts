// What `npm test` runs. `node bootstrap.mjs test/run.ts [GROUP …] [--no-install] [FILE.test.ts …] [FLAG of node --test …]`
// Groups: fast (no services), redis, kube, process; none named: all, in that order.
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { groups } from './setup/groups.ts'
import type { Group, Service } from './setup/groups.ts'
import { openServices } from './setup/services.ts'
import { runTests } from './setup/node-test.ts'

const root = resolve(import.meta.dirname, '..')
const strict = process.env.CI === 'true'

interface Asked {
  readonly groups: readonly Group[]
  readonly files: readonly string[]
  readonly flags: readonly string[]
  readonly install: boolean
}

interface Result {
  readonly group: string
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'empty'
  readonly why?: string
}

function asked(args: readonly string[]): Asked {
  const named = args.filter((arg) => Object.hasOwn(groups, arg))
  const files = args.filter((arg) => arg.endsWith('.test.ts')).map((arg) => relative(root, resolve(arg)))
  const flags = args.filter((arg) => arg.startsWith('-') && arg !== '--no-install')
  const unknown = args.filter((arg) => !named.includes(arg) && !arg.startsWith('-') && !arg.endsWith('.test.ts'))
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(' ')}; groups are ${Object.keys(groups).join(', ')}; a flag's value is written --flag=value`)
    process.exit(2)
  }
  const all = Object.values(groups)
  return { groups: named.length === 0 ? all : all.filter((group) => named.includes(group.name)), files, flags, install: !args.includes('--no-install') }
}

function filesOf(group: Group, only: readonly string[]): string[] {
  const all = globSync([...group.files], { cwd: root }).sort()
  return only.length === 0 ? all : all.filter((file) => only.includes(file))
}

const ask = asked(process.argv.slice(2))
const services = openServices({ install: ask.install })
const results: Result[] = []
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

async function result(group: Group): Promise<Result> {
  const files = filesOf(group, ask.files)
  if (files.length === 0) return { group: group.name, verdict: 'empty' }
  const env: Record<string, string> = {}
  const missing: string[] = []
  const provide = async (service: Service) => {
    const provided = await services.get(service)
    if ('missing' in provided) missing.push(...provided.missing)
    else Object.assign(env, provided.env)
  }
  for (const service of group.needs) await provide(service)
  if (missing.length > 0) return { group: group.name, verdict: strict ? 'failed' : 'skipped', why: missing.join('\n    ') }
  for (const service of group.uses) await provide(service)
  console.log(`\n── ${group.name}: ${files.length} files`)
  const code = await runTests(files, { root, env, concurrency: group.concurrency, timeoutMs: group.timeoutMs, flags: ask.flags, signal: stop.signal })
  const without = missing.length === 0 ? {} : { why: `without ${missing.join('\n    ')}` }
  return { group: group.name, verdict: code === 0 && !(strict && missing.length > 0) ? 'passed' : 'failed', ...without }
}

try {
  for (const group of ask.groups) if (!stop.signal.aborted) results.push(await result(group))
} finally {
  await services.close()
}
console.log('')
for (const { group, verdict, why } of results) {
  console.log(`${group}: ${verdict === 'empty' ? 'no test files' : verdict}${why === undefined ? '' : `\n    ${why}`}`)
}
if (strict && results.some(({ why }) => why !== undefined)) console.log('CI=true: what is missing counts as a failure')
process.exitCode = stop.signal.aborted || results.some(({ verdict }) => verdict === 'failed') ? 1 : 0
