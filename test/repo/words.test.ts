import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { kinds } from '../../core/kinds/index.ts'
import { namesIn, type Name } from './names.ts'
import { read, repoFiles, sourceFiles } from './sources.ts'

interface Entry {
  readonly words: readonly string[]
  readonly never: readonly string[]
}

const glossary: readonly Entry[] = read('GLOSSARY.md')
  .split('\n')
  .filter((line) => line.startsWith('| **'))
  .map((line) => {
    const [words = '', , never = ''] = line.split('|').slice(1)
    return {
      words: [...words.matchAll(/\*\*(.+?)\*\*/g)].map((match) => match[1]!),
      never: [...never.matchAll(/`(.+?)`/g)].map((match) => match[1]!),
    }
  })
const banned = new Map(glossary.flatMap(({ words, never }) => never.map((each) => [each, words.join(', ')] as const)))

/** Words from before there was a dictionary: no part of a name is one, whatever its case. */
const retired = /^(errand|ground|house|lane|look|lull|newborn|standing|stray|turn|vigil)s?$/
/** Of a type alone they say nothing that one can search for. */
const noNouns = /^(Asked|Found|Given|Heard|Kept|Known|Made|Place|Placed|Said|Seen|Sent|Taken|Told|Wanted)$/
/** Of a function or variable alone: who says what to whom is left to guess. */
const verbsAlone = /^(asked|heard|said|tell|told)$/i
/** Of a file: what it holds has a name. */
const filesAlone = /^(asked|found|heard|said|seen|tell|told)[-.]/i
const partsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Whether a name has a word in it: `NIC` in `parseNIC`, `NICs` and `NICList`, not in `UNICODE`. */
function has(name: string, word: string): boolean {
  const before = /^[A-Z]/.test(word) ? '(?<![A-Z])' : '(?<![A-Za-z])'
  return new RegExp(`${before}${word}s?(?![a-z])`).test(name)
}

const nobody = /(Manager|Helpers?|Utils?|Utilities)$/
const nothing = ['data', 'info', 'obj', 'res']
const ourServices = /(L2|Network)Services?$/

function complaint(name: Name): string | undefined {
  for (const [word, right] of banned) if (has(name.name, word)) return `say ${right} in place of ${word}`
  const { file } = name
  return oldWordIn(name) ?? emptyWordIn(name) ?? (file.startsWith('test/') ? undefined : strictComplaint(name))
}

function oldWordIn({ name, of, file, isTop }: Name): string | undefined {
  if (partsOf(name).some((part) => retired.test(part))) return 'the word is retired: GLOSSARY.md has the one in its place'
  if (of === 'type' && noNouns.test(name)) return 'a type is a noun that can be searched for'
  const isWithinTest = file.startsWith('test/') && !isTop
  return of === 'value' && verbsAlone.test(name) && !isWithinTest ? 'a name is what it holds or does' : undefined
}

function emptyWordIn({ name, number }: Name): string | undefined {
  if (nobody.test(name)) return 'name the thing or the answer'
  return number && name === 'port' ? "a Port is the Vpc's: say l4Port" : undefined
}

/** Tests speak of services that they need, and of the data lines of event streams. */
function strictComplaint({ name, of }: Name): string | undefined {
  if (of === 'value' && nothing.includes(name)) return 'the domain has words'
  return of === 'type' && /Services?$/.test(name) && !ourServices.test(name) ? "a Service is Kubernetes'" : undefined
}
const complaints = (names: readonly Name[]): string[] =>
  names.flatMap((each) => {
    const why = complaint(each)
    return why === undefined ? [] : [`${each.file}:${each.line} ${each.name}: ${why}`]
  })

describe('the glossary', () => {
  test('has every kind', () => {
    const words = glossary.flatMap((each) => each.words)
    for (const kind of Object.keys(kinds)) assert.ok(words.includes(kind), kind)
  })

  test('has each word once, and never a word that it wants', () => {
    const words = glossary.flatMap((each) => each.words)
    assert.deepEqual(
      words.filter((word, i) => words.indexOf(word) !== i),
      [],
    )
    assert.deepEqual(
      [...banned.keys()].filter((word) => words.includes(word)),
      [],
    )
  })

  test('is kept by every name that is declared', () => assert.deepEqual(complaints(sourceFiles().flatMap((file) => namesIn(file))), []))

  test('is kept by the names of files', () => {
    const paths = repoFiles().filter((path) => path.endsWith('.ts'))
    assert.deepEqual(
      paths.filter((path) => /(^|[/-])(utils?|helpers?|managers?|common|misc)[-./]/.test(path) || filesAlone.test(basename(path))),
      [],
    )
  })

  test('is kept by the names of tests, and by what pages and messages say', () => {
    // A decision is of its day, the glossary says what is retired, and a law of the land is no word of ours.
    const kept = repoFiles().filter(
      (path) => /\.(ts|md|ya?ml)$/.test(path) && !/^(docs\/decisions\/|CHANGELOG\.md|GLOSSARY\.md|test\/repo\/words)/.test(path),
    )
    const words = /\b(errands?|lanes?|lulls?|newborns?|vigils?)\b/gi
    assert.deepEqual(
      kept.flatMap((path) => [...read(path).matchAll(words)].map(([word]) => `${path}: ${word}`)),
      [],
    )
  })

  test('has teeth', () => {
    const bad = {
      'const subNetOf = 1; function makeSubNet() {}': ['makeSubNet'],
      'interface VPCPlan { readonly NICs: 1 }': ['VPCPlan', 'NICs'],
      'const dueLanes = 1; class ReLook {}; interface Told { readonly a: 1 }; const outlook = 2': ['dueLanes', 'ReLook', 'Told'],
      'class PortManager {}': ['PortManager'],
      'class PortService {}; class L2Service {}; type NetworkServices = 1': ['PortService'],
      'const f = (port: number, l4Port: number, data: string) => 1': ['port', 'data'],
      'const told = 1; function Said() { let asked } const toldOf = 2; interface X { readonly told: 1 }': ['told', 'Said', 'asked'],
      'const UNICODE = 1; const { data: body } = x; y.obj = 1; const information = 2; type X = { info: 1 }': [],
    }
    for (const [text, names] of Object.entries(bad))
      assert.deepEqual(
        complaints(namesIn('x.ts', text)).map((each) => each.split(' ')[1]?.slice(0, -1)),
        names,
        text,
      )
  })
})
