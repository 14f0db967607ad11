import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge } from '../../core/admit/object/rules.ts'
import { check, withDefaults, type Problem } from '../../core/admit/object/schema.ts'
import { definitionOf, kinds, type OwnKind } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { metadataCases } from './metadata-cases.ts'
import { ruleCases, type RuleCase } from './rule-cases.ts'

const whole = (kind: OwnKind, spec: object) => withDefaults(kind, { apiVersion, kind, metadata: { name: 'x' }, spec })
/** `/spec/ips/0` as the API server writes it: `spec.ips[0]`. */
const path = ({ at }: Problem): string =>
  at
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')

const metadataPath = (problem: Problem): string => {
  const [, , field, ...rest] = problem.at.split('/')
  const key = rest.join('/').replaceAll('~1', '/')
  return field === 'labels' || field === 'annotations' ? ['metadata', field, ...(key === '' ? [] : [key])].join('.') : path(problem)
}

function problems({ kind, spec, was }: RuleCase): string[] {
  const object = whole(kind, spec)
  const problems = check(kind, object)
  return (problems.length > 0 ? problems : judge(kind, object, was === undefined ? undefined : whole(kind, was))).map(path)
}

describe('without an API server', () => {
  for (const [name, each] of Object.entries(ruleCases)) {
    const at = each.within ?? each.refused
    test(`${name}: ${at === undefined ? 'taken' : `refused at ${at}`}`, () => {
      if (each.was !== undefined) assert.deepEqual(problems({ kind: each.kind, spec: each.was }), [], 'what it was is itself refused')
      if (at === undefined) assert.deepEqual(problems(each), [])
      else assert.ok(problems(each).includes(at), JSON.stringify(problems(each)))
    })
  }
})

describe('metadata without an API server', () => {
  for (const [name, { metadata, refused }] of Object.entries(metadataCases)) {
    test(`${name}: ${refused === undefined ? 'taken' : `refused at ${refused}`}`, () => {
      const named = 'generateName' in metadata ? metadata : { name: 'x', ...metadata }
      const found = check('Vpc', withDefaults('Vpc', { apiVersion, kind: 'Vpc', metadata: named, spec: {} })).map(metadataPath)
      assert.deepEqual(found, refused === undefined ? [] : [refused])
    })
  }
})

test('what was stored before a field had its default is changed otherwise, and that field still is not', () => {
  const stored = { spec: { subnet: 'a', node: 'n1' } }
  const problems = (spec: object): readonly string[] => judge('Port', whole('Port', { ...stored.spec, ...spec }), stored).map(path)
  assert.deepEqual(problems({ retain: true }), [])
  assert.deepEqual(problems({ retain: true, addressed: true, type: 'dpdk' }), ['spec.type', 'spec.addressed'])
})

test('of every kind some case is good, and no change', () => {
  const good = new Set(
    Object.values(ruleCases).flatMap(({ kind, refused, was }) => (refused === undefined && was === undefined ? [kind] : [])),
  )
  assert.deepEqual(
    (Object.keys(kinds) as OwnKind[]).filter((kind) => !good.has(kind)),
    [],
  )
})

test('every rule and every immutable path is broken by some case', () => {
  const cases = Object.values(ruleCases)
  for (const kind of Object.keys(kinds) as OwnKind[]) {
    const { rules, immutable } = definitionOf(kind)
    const ofKind = cases.filter((each) => each.kind === kind && check(kind, whole(kind, each.spec)).length === 0)
    for (const rule of rules)
      assert.ok(
        ofKind.some(({ spec, was }) => !rule.holds(whole(kind, spec).spec as never, was as never)),
        `${kind}: nothing breaks "${rule.message}" at ${rule.at}`,
      )
    const choices = (at: string): number =>
      (definitionOf(kind).spec.properties[at] as { readonly enum?: readonly string[] } | undefined)?.enum?.length ?? 2
    for (const at of immutable.filter((each) => choices(each) > 1))
      assert.ok(
        ofKind.some((each) => each.was !== undefined && each.refused === `spec.${at}`),
        `${kind}: nothing changes ${at}`,
      )
  }
})
