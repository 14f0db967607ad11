// docs/security.md against what there is: each door names a rule and a test that are there, and what an agent may ask is what the
// chart gives it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { read, repoFiles } from './sources.ts'

const page = read('docs/security.md')
const files = new Set(repoFiles())
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

interface Table {
  readonly under: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const tables: readonly Table[] = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section): Table[] => {
    const cells = section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
    const [columns, , ...rows] = cells
    return columns === undefined ? [] : [{ under: section.split('\n')[0]!, columns, rows }]
  })
const doors = tables.filter(({ columns }) => columns.at(-2) === 'rule' && columns.at(-1) === 'test')

test('every table has whole rows, and the searches find something', () => {
  assert.ok(doors.length > 5)
  for (const { under, columns, rows } of tables) for (const row of rows) assert.equal(row.length, columns.length, `${under}: ${row[0]}`)
})

describe('a door', () => {
  for (const { under, rows } of doors)
    for (const row of rows)
      test(`${under}: ${row[0]} has a rule and a test that are there`, () => {
        const [rules, tests] = [codeIn(row.at(-2)!), codeIn(row.at(-1)!)]
        assert.ok(rules.length > 0 && tests.length > 0, 'both are named')
        for (const rule of rules) {
          const [path = '', word] = rule.split('#')
          assert.ok(files.has(path), path)
          assert.ok(word !== undefined && read(path).includes(word), `${path} says ${word}`)
        }
        for (const path of tests) assert.ok(files.has(path) && path.endsWith('.test.ts'), path)
      })
})

test('an owned node: the table is what the chart gives its agent, no verb more and none less', () => {
  const rules = rulesOf(read('charts/megrez/templates/agents.yaml') + read('charts/megrez/files/agent-rules.yaml'))
  const given = rules.flatMap(({ resources, verbs }) => resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)))
  const { rows } = tables.find(({ under }) => under === 'An owned node')!
  const said = rows.flatMap(([resource = '', verbs = '']) => verbs.split(', ').map((verb) => `${verb} ${codeIn(resource).join()}`))
  assert.ok(given.length > 10)
  assert.deepEqual(said.sort(), given.sort())
})

/** The rules of all its roles; none of them is rendered from a value. */
function rulesOf(template: string): { readonly resources: readonly string[]; readonly verbs: readonly string[] }[] {
  return template
    .split('\n')
    .filter((line) => line.includes('verbs:'))
    .map((line) => parse(line.trim().replace(/^- /, '')) as { resources: string[]; verbs: string[] })
}
