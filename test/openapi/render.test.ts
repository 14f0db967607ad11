import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { defineKind } from '../../core/kinds/kind.ts'
import { OneOf } from '../../core/kinds/meta.ts'
import { crd } from '../../openapi/schemas/crd.ts'
import { render, type Schema } from '../../openapi/schemas/render.ts'
import { validations } from '../../openapi/schemas/rules.ts'

const closed = { additionalProperties: false }
const both = (schema: unknown): [Schema, Schema] => [render(schema as Schema, '2020-12', 'K'), render(schema as Schema, 'structural', 'K')]

describe('a schema that can be said in both', () => {
  test('is closed in OpenAPI and pruned in a CRD', () => {
    const [open, structural] = both(
      Type.Object({ a: Type.String({ maxLength: 3 }), b: Type.Optional(OneOf(['x', 'y'], { default: 'x' })) }, closed),
    )
    const said = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', maxLength: 3 }, b: { type: 'string', enum: ['x', 'y'], default: 'x' } },
    }
    assert.deepEqual(structural, said)
    assert.deepEqual(open, { ...said, additionalProperties: false })
  })

  test('names sets and maps as each knows them', () => {
    const [open, structural] = both(Type.Array(Type.String(), { 'x-kubernetes-list-type': 'set' }))
    assert.deepEqual(open, { type: 'array', items: { type: 'string' }, uniqueItems: true })
    assert.deepEqual(structural, { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' })
  })

  test('may have any key, or keep what it does not know', () => {
    const [open, structural] = both(Type.Record(Type.String(), Type.Integer()))
    assert.deepEqual(open, { type: 'object', additionalProperties: { type: 'integer' } })
    assert.deepEqual(structural, open)
    const kept = both(Type.Unknown({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }))
    assert.deepEqual(kept, [
      { type: 'object', additionalProperties: true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ])
  })
})

describe('what cannot be said in both is refused with its path', () => {
  const inner = (schema: unknown) =>
    Type.Object({ list: Type.Array(Type.Object({ field: schema as ReturnType<typeof Type.String> }, closed)) }, closed)
  const cases: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'a const': [Type.Literal('x'), /^K\.list\[\]\.field cannot be said .*use OneOf/],
    'a union': [Type.Union([Type.String(), Type.Integer()]), /^K\.list\[\]\.field .*anyOf/],
    'a null': [Type.Null(), /^K\.list\[\]\.field .*one type/],
    anything: [Type.Unknown(), /^K\.list\[\]\.field .*one type/],
    'an enum without a type': [{ enum: ['x'] }, /^K\.list\[\]\.field .*one type/],
    'a reference': [Type.Ref('Other'), /^K\.list\[\]\.field .*no \$ref/],
    'a tuple': [Type.Tuple([Type.String()]), /^K\.list\[\]\.field .*is not a keyword of both/],
    uniqueItems: [Type.Array(Type.String(), { uniqueItems: true }), /^K\.list\[\]\.field .*list-type set/],
    'an exclusive bound': [Type.Integer({ exclusiveMinimum: 1 }), /^K\.list\[\]\.field .*minimum/],
    'a look-ahead': [Type.String({ pattern: '^(?=a)' }), /^K\.list\[\]\.field .*RE2/],
    'a back-reference': [Type.String({ pattern: '(a)\\1' }), /^K\.list\[\]\.field .*RE2/],
    'an open object': [Type.Object({ a: Type.String() }), /^K\.list\[\]\.field .*must be closed/],
    'an object of nothing': [{ type: 'object' }, /^K\.list\[\]\.field .*needs properties/],
    'keys by pattern': [Type.Record(Type.String({ pattern: '^a' }), Type.String()), /^K\.list\[\]\.field .*by pattern/],
    'a list of what?': [{ type: 'array' }, /^K\.list\[\]\.field .*needs items/],
  }
  for (const [name, [schema, message]] of Object.entries(cases)) {
    test(name, () => {
      for (const dialect of ['2020-12', 'structural'] as const)
        assert.throws(() => render(inner(schema) as unknown as Schema, dialect, 'K'), { message })
    })
  }
})

describe('a kind', () => {
  const kind = (more: object) =>
    defineKind({
      kind: 'Star',
      plural: 'stars',
      description: 'One of the Dipper.',
      spec: Type.Object(
        {
          name: Type.String(),
          orbit: Type.Optional(Type.Object({ namespace: Type.String(), days: Type.Optional(Type.Integer()) }, closed)),
        },
        closed,
      ),
      status: Type.Object({}, closed),
      ...more,
    }) as unknown as Parameters<typeof crd>[0]

  test('keeps immutable fields as they were, absent ones absent', () => {
    const rules = validations(kind({ immutable: ['name', 'orbit', 'orbit.namespace', 'orbit.days'] })).map(({ rule, fieldPath }) => [
      fieldPath,
      rule,
    ])
    assert.deepEqual(rules, [
      ['.name', 'self.name == oldSelf.name'],
      ['.orbit', 'has(self.orbit) == has(oldSelf.orbit) && (!has(self.orbit) || (self.orbit == oldSelf.orbit))'],
      [
        '.orbit.namespace',
        'has(self.orbit) == has(oldSelf.orbit) && (!has(self.orbit) || (self.orbit.__namespace__ == oldSelf.orbit.__namespace__))',
      ],
      [
        '.orbit.days',
        'has(self.orbit) == has(oldSelf.orbit) && (!has(self.orbit) || (has(self.orbit.days) == has(oldSelf.orbit.days) && (!has(self.orbit.days) || (self.orbit.days == oldSelf.orbit.days))))',
      ],
    ])
  })

  test('cannot keep a field that it does not have', () =>
    assert.throws(() => crd(kind({ immutable: ['orbit.years'] })), { message: 'Star.orbit has no field years that could be immutable' }))

  test('cannot be selected by more than eight fields', () =>
    assert.throws(() => crd(kind({ selectable: Array.from({ length: 9 }, (_, i) => `.spec.f${i}`) })), /Star has 9 selectable fields/))
})
