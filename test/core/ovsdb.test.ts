import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonFrames } from '../../core/wire/ovsdb/json-frames.ts'
import { Replica } from '../../core/wire/ovsdb/replica.ts'
import { schemaOf } from '../../core/wire/ovsdb/schema.ts'
import { atomsOf, mapOf, numberOf, recordOf, resultsOf, setOf, stringsOf, textOf, uuid, uuidsOf } from '../../core/wire/ovsdb/ovsdb.ts'

const schema = schemaOf(
  {
    tables: {
      Port: {
        columns: {
          name: { type: 'string' },
          tag: { type: { key: { type: 'integer', minInteger: 0 }, min: 0, max: 1 } },
          trunks: { type: { key: 'integer', min: 0, max: 4096 } },
          external_ids: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } },
          up: { type: 'boolean' },
          unasked: { type: 'string' },
        },
      },
    },
  },
  { Port: ['name', 'tag', 'trunks', 'external_ids', 'up', 'unknown'] },
)

test('objects are found in a stream wherever it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (objects, steps) => {
        const stream = objects.map((each) => JSON.stringify(each)).join('')
        const frames = new JsonFrames()
        const found: unknown[] = []
        for (let at = 0; at < stream.length;) {
          const step = steps.next().value as number
          found.push(...frames.push(stream.slice(at, at + step)))
          at += step
        }
        assert.equal(JSON.stringify(found), JSON.stringify(objects))
      },
    ),
  )
})

test('a stream of something else is refused, and an object without end', () => {
  assert.throws(() => new JsonFrames().push('HTTP/1.1 400'), SyntaxError)
  assert.throws(() => new JsonFrames(10).push('{"a": "0123456789'), SyntaxError)
})

test('values are read whatever their spelling', () => {
  assert.deepEqual([atomsOf(5), atomsOf(setOf([5, 6])), atomsOf(undefined), atomsOf(uuid('a'))], [[5], [5, 6], [], [['uuid', 'a']]])
  assert.deepEqual(
    [numberOf(setOf([])), numberOf(7), textOf(setOf([])), textOf('x'), stringsOf(setOf(['a']))],
    [undefined, 7, '', 'x', ['a']],
  )
  assert.deepEqual([uuidsOf(uuid('a')), uuidsOf(setOf([uuid('a'), uuid('b')]))], [['a'], ['a', 'b']])
  assert.deepEqual([recordOf(mapOf({ a: 'b' })), recordOf('x')], [{ a: 'b' }, {}])
})

test('a failed operation and a failed commit are told apart', () => {
  assert.deepEqual(resultsOf([{}, { error: 'constraint violation', details: 'twice' }, null], 3), {
    error: 'constraint violation',
    details: 'twice',
    operation: 1,
  })
  assert.deepEqual(resultsOf([{}, { error: 'referential integrity violation' }], 1), {
    error: 'referential integrity violation',
    details: '',
  })
  assert.deepEqual(resultsOf([{ count: 1 }], 1), [{ count: 1 }])
  for (const bad of [null, {}, []]) assert.ok('error' in resultsOf(bad, 1))
})

test('columns that an insert leaves out have their defaults', () => {
  const replica = new Replica(schema)
  replica.update2({ Port: { 1: { initial: { name: 'a' } } } })
  assert.deepEqual(replica.rows('Port').get('1'), {
    name: 'a',
    tag: ['set', []],
    trunks: ['set', []],
    external_ids: ['map', []],
    up: false,
  })
})

test('a modify says what differs in sets and maps, and what is in optional columns', () => {
  const replica = new Replica(schema)
  replica.update2({ Port: { 1: { insert: { name: 'a', tag: 5, trunks: ['set', [1, 2]], external_ids: mapOf({ a: '1', b: '2' }) } } } })
  const [change] = replica.update2({
    Port: { 1: { modify: { tag: ['set', []], trunks: ['set', [2, 3]], external_ids: mapOf({ a: '1', b: '3', c: '4' }) } } },
  })
  assert.equal(change?.before?.tag, 5)
  assert.deepEqual(replica.rows('Port').get('1'), {
    name: 'a',
    tag: ['set', []],
    trunks: ['set', [1, 3]],
    external_ids: mapOf({ b: '3', c: '4' }),
    up: false,
  })
  replica.update2({ Port: { 1: { delete: null } } })
  assert.equal(replica.rows('Port').size, 0)
})

test('the older kind of update gives whole rows', () => {
  const replica = new Replica(schema)
  replica.update({ Port: { 1: { new: { name: 'a', tag: 5 } } } })
  replica.update({ Port: { 1: { old: { tag: 5 }, new: { name: 'a', tag: 6 } } } })
  assert.deepEqual(replica.rows('Port').get('1'), { name: 'a', tag: 6 })
  replica.update({ Port: { 1: { old: { name: 'a' } } } })
  assert.equal(replica.rows('Port').size, 0)
})
