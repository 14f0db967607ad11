// What the written pages name is there.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { test } from 'node:test'
import { allMetrics } from '../../core/metrics.ts'
import { settings } from '../../platform/config.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'charts/**/*.md'], { cwd: root }).sort()
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const variables = new Set<string>(Object.values(settings).map(({ env }) => env))

/** Files of the repository that a text names in code; names with a placeholder or a star are patterns. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|mjs|md))`/g)].map((match) => match[1]!).filter(isOurs)
const topFolders = /^(core|platform|webhooks|workers|agent|cli|openapi|charts|docs|test|examples|bin|\.ci)\//
const isOurs = (path: string): boolean => (path.includes('/') ? topFolders.test(path) : !path.startsWith('NNNN'))
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!).filter((link) => !/^[a-z]+:/.test(link))
const scriptsIn = (text: string): string[] => [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1]!)
const variablesIn = (text: string): string[] => [...text.matchAll(/\bMEGREZ_\w*[A-Z]\b/g)].map((match) => match[0])
const metrics: readonly string[] = Object.keys(allMetrics)
const metricsIn = (text: string): string[] => [...text.matchAll(/\bmegrez_\w+/g)].map((match) => match[0])
const reasons = globSync('core/{plan,contracts}/**/*.ts', { cwd: root }).map(read).join('\n')
/** The first column of a table of reasons. */
const reasonsIn = (text: string): string[] =>
  [...text.matchAll(/^\| (`[A-Z][a-z]\w+`(?:, `[A-Z][a-z]\w+`)*) \|/gm)].flatMap((match) =>
    match[1]!.split(', ').map((name) => name.slice(1, -1)),
  )
/** Of the tests and the CLI: the settings of no process. */
const others = /^MEGREZ_(TEST_\w+|TRIALS|PEERS|URL|TOKEN)$/

test('there are pages, and the searches find something on them', () => {
  const all = pages.map(read).join('\n')
  for (const found of [filesIn(all), linksIn(all), scriptsIn(all), variablesIn(all), metricsIn(all), reasonsIn(all)])
    assert.ok(found.length > 3)
})

for (const page of pages)
  test(`${page} names only what there is: files, links, scripts, settings, metrics, reasons`, () => {
    const text = read(page)
    assert.deepEqual(
      filesIn(text).filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(page), path))),
      [],
      'files',
    )
    assert.deepEqual(
      linksIn(text).filter((link) => !existsSync(join(root, normalize(join(dirname(page), link))))),
      [],
      'links',
    )
    assert.deepEqual(
      scriptsIn(text).filter((script) => !Object.hasOwn(scripts, script)),
      [],
      'scripts',
    )
    assert.deepEqual(
      metricsIn(text).filter((name) => !metrics.includes(name)),
      [],
      'metrics',
    )
    assert.deepEqual(
      reasonsIn(text).filter((name) => !reasons.includes(`'${name}'`)),
      [],
      'reasons',
    )
    assert.deepEqual(
      variablesIn(text).filter((name) => !variables.has(name) && !others.test(name)),
      [],
      'settings',
    )
  })

test('decisions are numbered without a gap, each with what was given up', () => {
  const decisions = pages.filter((page) => page.startsWith('docs/decisions/'))
  assert.deepEqual(
    decisions.map((page) => page.slice(15, 19)),
    decisions.map((_, i) => String(i + 1).padStart(4, '0')),
  )
  for (const page of decisions)
    assert.deepEqual(
      [...read(page).matchAll(/^## (.*)$/gm)].map((match) => match[1]),
      ['Context', 'Choice', 'What we gave up'],
      page,
    )
})
