// What workers and agents say to each other, of two versions: today's read what those of 2026-11-27 wrote (./2026-11-27/record.ts made it),
// and those read what is left of today's where the API server's definitions are still theirs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { check } from '../../core/admit/object/schema.ts'
import { schemaValidator } from '../../core/admit/object/schema-validator.ts'
import type { JsonSchema } from '../../core/admit/object/strict.ts'
import { definitionOf, type Resource } from '../../core/kinds/index.ts'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { endpointOf } from '../../core/plan/node/pieces.ts'
import { policyHere, policyNamed } from '../../core/plan/node/policy.ts'
import { verdictOn, type Judged } from '../../core/policy/verdict.ts'
import { renderer } from '../core/policy-frames.ts'
import { drawConnection, drawRuleSets, identities, macs } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'

const kinds = ['PolicyRuleSet', 'PolicyIdentity', 'IPLock', 'Port'] as const
type Between = (typeof kinds)[number]
interface Recorded {
  readonly objects: { readonly [K in Between]: readonly Resource<K>[] }
  readonly verdicts: readonly (Judged & { readonly isAllowed: boolean })[]
}
const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '2026-11-27', name), 'utf8'))
const { objects, verdicts } = read('between.json') as Recorded
const schemas = read('schemas.json') as { readonly [K in Between]: { readonly spec: JsonSchema; readonly status: JsonSchema } }

test('what was written then is what it has to be today, and today says the same of each connection', () => {
  for (const kind of kinds) for (const object of objects[kind]) assert.deepEqual(check(kind, object), [], kind)
  const sets = objects.PolicyRuleSet.map(({ spec }) => spec)
  assert.equal(sets.length, 4)
  for (const { isAllowed, ...judged } of verdicts) assert.equal(verdictOn(sets, judged).isAllowed, isAllowed, JSON.stringify(judged))
  assert.deepEqual(new Set(verdicts.map(({ isAllowed }) => isAllowed)).size, 2)
})

test('an agent of today takes their rule sets, also from its ledger, knows who has which address, and opens their Ports', () => {
  const sets = objects.PolicyRuleSet.map(({ spec, metadata: { namespace = '', name } }) => [name, { ...spec, namespace }] as const)
  const known = new Map<string, RuleSet>(sets)
  for (const set of known.values()) assert.equal(ruleSetPiece.isKept!(JSON.parse(JSON.stringify(set))), true)
  const unsupported = (set: RuleSet) => renderer.unsupported(ruleSetPiece, set)
  for (const port of objects.Port) {
    const named = policyNamed(port)!
    const { isClosed, identity } = policyHere(named, { ruleSet: (name) => known.get(name), unsupported })
    assert.deepEqual([isClosed, identity], [false, port.status?.policy?.identity])
    const lock = objects.IPLock.find(({ spec }) => spec.holder?.uid === port.metadata.uid)!
    assert.equal(endpointOf({ ...lock, spec: { ...lock.spec, hostIP: '192.0.2.9' } }, '192.0.2.1')?.identity, identity)
  }
})

/** What an API server keeps of a value: it drops fields that its definition does not have (structural schemas, pruning). */
function pruned(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((each) => pruned(each, schema['items'] as JsonSchema))
  const fields = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined
  if (typeof value !== 'object' || value === null || fields === undefined) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (Object.hasOwn(fields, name) ? [[name, pruned(inner, fields[name]!)]] : [])),
  )
}

/** As it is compiled: no rule is there for nobody. */
const specOf = ({ namespace: _, ...spec }: RuleSet): RuleSetSpec => ({
  ...spec,
  rules: spec.rules.filter(({ subjects }) => subjects?.length !== 0),
})

test('rule sets of today are rule sets to them, and let pass nothing more there', () => {
  const { spec: schema } = schemas.PolicyRuleSet
  const validator = schemaValidator(schema)
  let [differ, same] = [0, 0]
  for (let seed = 1; seed <= trials(3_000); seed++) {
    const random = seeded(seed)
    const today = drawRuleSets(random, 7).map(specOf)
    const theirs = today.map((spec) => pruned(spec, schema) as RuleSetSpec)
    for (const spec of theirs) assert.deepEqual(validator.problems(spec, ''), [])
    for (let n = 0; n < 10; n++) {
      const family = random() < 0.7 ? 4 : 6
      const peer = {
        identity: identities[Math.floor(random() * identities.length)]!,
        address: family === 4 ? '10.0.0.3' : '2001:db8::3',
        mac: macs[Math.floor(random() * macs.length)]!,
      }
      const judged: Judged = {
        subject: identities[Math.floor(random() * identities.length)]!,
        direction: random() < 0.5 ? 'ingress' : 'egress',
        peer,
        transport: drawConnection(random, family),
      }
      const [is, was] = [verdictOn(today, judged).isAllowed, verdictOn(theirs, judged).isAllowed]
      assert.ok(is || !was, `seed ${seed}: ${JSON.stringify({ judged, today })}`)
      if (is === was) same++
      else differ++
    }
  }
  assert.ok(differ > 0 && same > differ)
})

test('what either side reads of the other has the fields that it had, and asks for none that it did not', () => {
  for (const kind of kinds)
    for (const part of ['spec', 'status'] as const)
      assert.deepEqual(changesOf(schemas[kind][part], definitionOf(kind)[part] as unknown as JsonSchema, `${kind}.${part}`), [], kind)
})

/** What is otherwise than an addition. */
function changesOf(was: JsonSchema, is: JsonSchema | undefined, at: string): readonly string[] {
  if (is === undefined) return [`${at} is gone`]
  const fields = (schema: JsonSchema) => (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const list = (schema: JsonSchema, name: string) => (schema[name] ?? []) as readonly string[]
  const [items, itemsNow] = [was['items'], is['items']] as (JsonSchema | undefined)[]
  return [
    ...(was['type'] === is['type'] ? [] : [`${at} is of another type`]),
    ...list(is, 'required').flatMap((name) => (list(was, 'required').includes(name) ? [] : [`${at}.${name} is required now`])),
    ...list(was, 'enum').flatMap((word) => (list(is, 'enum').includes(word) ? [] : [`${at} may not be ${word} any more`])),
    ...Object.entries(fields(was)).flatMap(([name, inner]) => changesOf(inner, fields(is)[name], `${at}.${name}`)),
    ...(items === undefined ? [] : changesOf(items, itemsNow, `${at}[]`)),
  ]
}
