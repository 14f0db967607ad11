import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { table, type Row } from './import-table.ts'
import { importsOf, type Import } from './imports.ts'
import { lineOf, read, sourceFiles } from './sources.ts'

/** A file; a folder with its slash; or the beginning of a name, which is a file's or a folder's. */
const holds = (place: string, path: string): boolean =>
  /\.(tsx?|yaml)$/.test(place) ? path === place : path.startsWith(place) && (place.endsWith('/') || /^[./]/.test(path.slice(place.length)))
const rowOf = (file: string): Row | undefined => table.find(({ of }) => holds(of, file))

/** In a sentence, which arrow an import breaks; undefined when it breaks none. */
function broken({ file, line, target }: Import): string | undefined {
  const row = rowOf(file)
  const why = row === undefined ? undefined : objection(row, target)
  return why === undefined ? undefined : `${file}:${line} ${row?.of} -> ${target}: ${why}`
}

function objection(row: Row, target: string): string | undefined {
  if (target.startsWith('node:')) return row.pure ? 'it is pure, and does no I/O' : undefined
  if (isPackage(target)) return row.npm.includes(target) ? undefined : `of packages it may use ${row.npm.join(', ') || 'none'}`
  const never = row.never ?? []
  if (row.from.some((place) => holds(place, target)) && !never.some((place) => holds(place, target))) return undefined
  return `it may import ${row.from.join(', ')}${never.length === 0 ? '' : ` except ${never.join(', ')}`}`
}

const isSource = (target: string): boolean => /\.tsx?$/.test(target)
/** Paths of this repository end in .ts, .tsx or .yaml; what climbs out of it is no package either. */
const isPackage = (target: string): boolean => !isSource(target) && !target.endsWith('.yaml') && !target.startsWith('../')

function cycleFrom(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const state = new Map<string, 'open' | 'done'>()
  const walk = (file: string, path: readonly string[]): string[] | undefined => {
    if (state.get(file) === 'done') return undefined
    if (state.get(file) === 'open') return [...path.slice(path.indexOf(file)), file]
    state.set(file, 'open')
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...path, file])
      if (cycle !== undefined) return cycle
    }
    state.set(file, 'done')
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = walk(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

describe('imports', () => {
  const files = sourceFiles()
  const all = files.flatMap((file) => importsOf(file))

  test('follow the table', () =>
    assert.deepEqual(
      all.map(broken).filter((each) => each !== undefined),
      [],
    ))

  test('make no cycle, types included', () => {
    const graph = new Map(
      files.map((file) => [file, all.filter((each) => each.file === file && isSource(each.target)).map(({ target }) => target)]),
    )
    assert.equal(cycleFrom(graph)?.join(' -> '), undefined)
  })

  test('of what the image builds itself with are copied before they are run', () => {
    const lines = read('Dockerfile').split('\n')
    const built = lines.findIndex((line) => line.startsWith('RUN ') && line.includes(' agent/native/build.ts'))
    const copied = lines.slice(0, built).flatMap((line) => (line.startsWith('COPY ') ? line.split(' ').slice(1, -1) : []))
    const reached = new Set(['agent/native/build.ts'])
    for (const file of reached)
      for (const { target } of all.filter((each) => each.file === file)) if (target.endsWith('.ts')) reached.add(target)
    assert.deepEqual(
      [...reached].filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`))),
      [],
    )
    assert.ok(reached.size > 2)
  })

  test('that break the table are named with their arrow', () => {
    const tries: Readonly<Record<string, readonly [file: string, text: string]>> = {
      'core/plan/x.ts:1 core/plan/ -> node:fs: it is pure, and does no I/O': ['core/plan/x.ts', "import fs from 'node:fs'"],
      'core/net/x.ts:2 core/net/ -> core/kinds/index.ts: it may import core/net/': [
        'core/net/x.ts',
        "\nimport type { Kind } from '../kinds/index.ts'",
      ],
      'core/plan/x.ts:1 core/plan/ -> typebox: of packages it may use none': ['core/plan/x.ts', "export { Type } from 'typebox/compile'"],
      'workers/x.ts:1 workers/ -> fastify: of packages it may use @grpc/grpc-js': ['workers/x.ts', "const f = await import('fastify')"],
      'agent/x.ts:1 agent/ -> platform/queue/redis.ts: it may import agent/, platform/, core/ except platform/queue': [
        'agent/x.ts',
        "import { redis } from '../platform/queue/redis.ts'",
      ],
      'cli/x.ts:1 cli/ -> workers/start.ts: it may import cli/, openapi/types.ts': ['cli/x.ts', "import '../workers/start.ts'"],
    }
    for (const [sentence, [file, text]] of Object.entries(tries))
      assert.equal(importsOf(file, text).map(broken).join('\n').slice(0, sentence.length), sentence)
    for (const file of ['cli/serve.ts', 'cli/serve/roles.ts'])
      assert.deepEqual(importsOf(file, `import '${file.includes('serve/') ? '../..' : '..'}/workers/start.ts'`).map(broken), [undefined])
  })

  test('of types alone are seen, and a cycle is found', () => {
    assert.equal(importsOf('core/plan/x.ts', "type A = import('../admit/world.ts').World").length, 1)
    assert.deepEqual(
      cycleFrom(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
      ['b', 'c', 'b'],
    )
    assert.equal(
      cycleFrom(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
      undefined,
    )
  })
})

describe('core', () => {
  const impure: readonly RegExp[] = [
    /\bDate\.now\b/,
    /\bnew Date\(\s*\)/,
    /\bDate\(\s*\)/,
    /\bMath\.random\b/,
    /\bcrypto\./,
    /\bperformance\./,
    /\bset(Timeout|Interval|Immediate)\b/,
    /\bqueueMicrotask\b/,
    /\bconsole\b/,
    /\bprocess[.[]/,
    /\bfetch\(/,
    /\bglobalThis\b/,
  ]
  /** Comments may speak of them. */
  const code = (text: string): string =>
    text.replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')).replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')

  function impurities(text: string): { readonly offset: number; readonly found: string }[] {
    const bare = code(text)
    return impure.flatMap((pattern) =>
      [...bare.matchAll(new RegExp(pattern, 'g'))].map((match) => ({ offset: match.index, found: match[0] })),
    )
  }

  test('has no clock, no randomness, no timers, no console and no process', () => {
    const found = sourceFiles()
      .filter((file) => file.startsWith('core/'))
      .flatMap((file) => impurities(read(file)).map(({ offset, found: word }) => `${file}:${lineOf(read(file), offset)} ${word}`))
    assert.deepEqual(found, [])
  })

  test('is caught at each of them', () => {
    for (const text of [
      'const t = Date.now()',
      'new Date()',
      'Math.random()',
      'setTimeout(f, 1)',
      'console.log(1)',
      'process.env.A',
      'performance.now()',
    ])
      assert.equal(impurities(text).length > 0, true, text)
    for (const text of [
      'new Date(now)',
      '// Date.now() is for others',
      '/* process */',
      'const processed = 1',
      "'https://example.org/' // console",
    ])
      assert.deepEqual(impurities(text), [], text)
  })
})
