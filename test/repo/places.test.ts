// The repository stands alone: nothing in it points at the machine it was written on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, read, repoFiles } from './sources.ts'

// Written in pieces, so that this file does not find itself.
const before = '(?<![\\w.~-])'
const strange: Readonly<Record<string, RegExp>> = {
  'a path of one machine': new RegExp(`${before}/wo${'rk'}(?![\\w-])`, 'g'),
  'a hidden library': new RegExp(`\\.lib${'rary'}\\b`, 'g'),
  'a folder beside the checkout': new RegExp(`\\.\\./sha${'red'}\\b`, 'g'),
  'the host of a registry': new RegExp(`https?://[^/\\s'"\`]*(?:regis${'try'}\\.|artifac${'tory'}|npm${'js'}\\.org|nex${'us'}\\.)`, 'g'),
  'the number of an issue': new RegExp(`\\b[Ii]s${'sue'} #?\\d+`, 'g'),
}
/** CI looks for peers beside the checkout, and does without where there are none. */
const allowed = (path: string, line: string): boolean => path === '.ci/run' && line.includes('/peers')
const binary = /\.(png|ico|db|gz|tgz)$/

function findings(path: string, text: string): string[] {
  return Object.entries(strange).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)]
      .filter((match) => !allowed(path, lineAt(text, match.index)))
      .map((match) => `${path}:${lineOf(text, match.index)} ${match[0]}: ${what}`),
  )
}
const lineAt = (text: string, offset: number): string => text.slice(text.lastIndexOf('\n', offset) + 1).split('\n', 1)[0] ?? ''

test('no file names a place that only one machine has', () => {
  assert.deepEqual(
    repoFiles()
      .filter((path) => !binary.test(path))
      .flatMap((path) => findings(path, read(path))),
    [],
  )
})

test('such places would be found', () => {
  for (const text of [
    `see /wo${'rk'}/main`,
    `../sha${'red'}/facts`,
    `~/.lib${'rary'}/x`,
    `https://regis${'try'}.example.org/x`,
    `iss${'ue'} 3`,
  ])
    assert.equal(findings('x.md', text).length, 1, text)
  for (const text of ['megrez.io/workers', '../../workers/start.ts', 'a/shared/blue', "'/work-load'", 'the issue'])
    assert.deepEqual(findings('x.md', text), [], text)
  assert.deepEqual(findings('.ci/run', `if [ -d ../sha${'red'}/peers ]`), [])
})
