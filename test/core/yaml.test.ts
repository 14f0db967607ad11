// YAML as REST and the command line read it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { YamlProblem, yamlIn } from '../../core/yaml.ts'

const bounds = { depth: 64, tokens: 20_000, documents: 1_000 }
const read = (text: string): unknown[] => yamlIn(text, bounds)
const refused = (text: string, says: RegExp): void =>
  assert.throws(
    () => read(text),
    (err) => err instanceof YamlProblem && says.test(err.message),
    text.slice(0, 200),
  )

describe('a text', () => {
  test('with escapes between double quotes means what they mean, an escaped backslash too', () => {
    assert.deepEqual(read(String.raw`{a: "x\\y", b: "\\", c: "\\q", "d\\e": "\"\\\"", f: "\x41\u00e9\U0001F600\/\e\_\N\L\P"}`), [
      { a: String.raw`x\y`, b: '\\', c: String.raw`\q`, 'd\\e': '"\\"', f: 'A\u00e9\u{1F600}/\u001b\u00a0\u0085\u2028\u2029' },
    ])
    assert.deepEqual(read('a: "one\\\n   line"'), [{ a: 'oneline' }])
    for (const text of [
      String.raw`"\q"`,
      String.raw`a: "\\\q"`,
      String.raw`"\q": 1`,
      String.raw`["\x4"]`,
      String.raw`"\u12"`,
      String.raw`- - "\'"`,
    ])
      refused(text, /is not YAML: .*\(line 1\)/)
  })

  test('of a megabyte of faults is refused at the first, and of one fault at its line', () => {
    refused(`a: "${'\\q'.repeat(500_000)}"`, /Invalid escape sequence \\q \(line 1\)/)
    refused(`"${'\\q'.repeat(500_000)}": 1`, /Invalid escape sequence/)
    refused('a: 1\nb: 2\nc: "\\q"\n', /\(line 3\)/)
    refused('a: 1\nb: [\n', /\(line \d\)/)
  })

  test('that is nested without end, or too long, is refused by its bounds', () => {
    for (const text of [
      '['.repeat(100_000),
      '{a: '.repeat(100_000),
      '- '.repeat(100_000),
      '? '.repeat(100_000),
      `${'['.repeat(65)}${']'.repeat(65)}`,
    ])
      refused(text, /nested more than 64 levels deep/)
    assert.equal(read(`${'['.repeat(64)}${']'.repeat(64)}`).length, 1)
    assert.throws(
      () => read('- a\n'.repeat(20_000)),
      (err) => err instanceof YamlProblem && err.tooLarge,
    )
    assert.throws(() => yamlIn('a\n---\nb\n', { ...bounds, documents: 1 }), /several YAML documents/)
    refused(
      `a: &a [${'x,'.repeat(100)}]\nb: &b [${'*a,'.repeat(100)}]\nc: &c [${'*b,'.repeat(100)}]\nd: [${'*c,'.repeat(100)}]`,
      /aliases make too much of it/,
    )
  })

  test('whose keys are no names, or stand there twice, is refused; one that is JSON is YAML', () => {
    for (const text of ['a: 1\na: 2', '{"a": 1, a: 2}', 'x: {b: 1, b: 1}', '? &k a\n: 1\n*k : 2']) refused(text, /is there twice/)
    for (const text of ['[a]: 1', '? {a: 1}\n: 2', '? &k [a]\n: 1', 'a: &k [1]\nb:\n  *k : 2'])
      refused(text, /only a text can be the name of a field/)
    assert.deepEqual(
      read('- !!set {a, b}\n- !!omap [a: 1]\n- !!binary aGk=\n- !mine x'),
      [[{ a: null, b: null }, [{ a: 1 }], 'aGk=', 'x']],
      "whatever a tag says, values are JSON's",
    )
    assert.deepEqual(read('\ufeff{"a": [1, null, true, "\\u0041"]}'), [{ a: [1, null, true, 'A'] }])
    assert.deepEqual(
      [read(''), read('# nothing\n'), read('---\n'), read('a: 1\n---\n---\nb: 2\n')],
      [[], [], [null], [{ a: 1 }, null, { b: 2 }]],
    )
  })
})
