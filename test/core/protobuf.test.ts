import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { retryOf } from '../../core/errors.ts'
import {
  Any,
  bool,
  bytes,
  define,
  double,
  enumeration,
  float,
  int32,
  int64,
  map,
  message,
  oneof,
  optional,
  pack,
  repeated,
  safeInt64,
  safeUint64,
  scalar,
  string,
  uint32,
  uint64,
  unpack,
  type Message,
  type Nested,
} from '../../core/wire/protobuf/protobuf.ts'
import { trials } from '../setup/trials.ts'
import { secondTypes } from './protobuf-second.ts'

const Leaf = define('t.Leaf', { name: string(1), count: safeUint64(2) })
interface TreeRead {
  readonly label: string
  readonly children: readonly TreeRead[]
}
interface TreeWritten {
  readonly label?: string | undefined
  readonly children?: readonly TreeWritten[] | undefined
}
const Tree: Message<TreeRead, TreeWritten> = define('t.Tree', {
  label: string(1),
  children: repeated(message<TreeRead, TreeWritten>(2, (): Nested<TreeRead, TreeWritten> => Tree)),
})
const All = define('t.All', {
  text: string(1),
  raw: bytes(2),
  yes: bool(3),
  d: double(4),
  f: float(5),
  i32: int32(6),
  u32: uint32(7),
  s32: scalar<number>(8, 'sint32'),
  f32: scalar<number>(9, 'fixed32'),
  sf32: scalar<number>(10, 'sfixed32'),
  i64: int64(11),
  u64: uint64(12),
  s64: scalar<bigint>(13, 'sint64'),
  f64: scalar<bigint>(14, 'fixed64'),
  sf64: scalar<bigint>(15, 'sfixed64'),
  e: enumeration(16),
  maybe: optional(uint32(17)),
  leaf: message(18, Leaf),
  texts: repeated(string(19)),
  numbers: repeated(int32(20)),
  wides: repeated(safeInt64(21)),
  doubles: repeated(double(22)),
  leaves: repeated(message(23, Leaf)),
  limits: map<string, number, number, false>('string', safeInt64(24)),
  named: map<number, { readonly name: string; readonly count: number }, object, true>('uint32', message(25, Leaf)),
  ...oneof('pick', { a: string(26), b: bool(27), c: message(28, Leaf) }),
  far: string(20_000),
})

const proto = `syntax = "proto3"; package t;
enum E { ZERO = 0; ONE = 1; }
message Leaf { string name = 1; uint64 count = 2; }
message Tree { string label = 1; repeated Tree children = 2; }
message All {
  string text = 1; bytes raw = 2; bool yes = 3; double d = 4; float f = 5;
  int32 i32 = 6; uint32 u32 = 7; sint32 s32 = 8; fixed32 f32 = 9; sfixed32 sf32 = 10;
  int64 i64 = 11; uint64 u64 = 12; sint64 s64 = 13; fixed64 f64 = 14; sfixed64 sf64 = 15;
  E e = 16; optional uint32 maybe = 17; Leaf leaf = 18;
  repeated string texts = 19; repeated int32 numbers = 20; repeated int64 wides = 21; repeated double doubles = 22; repeated Leaf leaves = 23;
  map<string, int64> limits = 24; map<uint32, Leaf> named = 25;
  oneof pick { string a = 26; bool b = 27; Leaf c = 28; }
  string far = 20000;
}`
const second = secondTypes(proto)

const leaf = fc.record({ name: fc.string({ unit: 'grapheme' }), count: fc.maxSafeNat() }, { noNullPrototype: true })
const anyAll = fc
  .record(
    {
      text: fc.string({ unit: 'grapheme' }),
      raw: fc.uint8Array(),
      yes: fc.boolean(),
      d: fc.double(),
      f: fc.float(),
      i32: fc.integer(),
      u32: fc.nat(),
      s32: fc.integer(),
      f32: fc.nat(),
      sf32: fc.integer(),
      i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      u64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      s64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      f64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      sf64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      e: fc.constantFrom(0, 1),
      leaf,
      maybe: fc.nat(),
      texts: fc.array(fc.string()),
      numbers: fc.array(fc.integer()),
      wides: fc.array(fc.maxSafeInteger()),
      doubles: fc.array(fc.double()),
      leaves: fc.array(leaf),
      limits: fc.array(fc.tuple(fc.string(), fc.maxSafeInteger())).map((entries) => new Map(entries)),
      named: fc.array(fc.tuple(fc.nat(), leaf)).map((entries) => new Map(entries)),
      a: fc.string(),
      b: fc.boolean(),
      c: leaf,
      far: fc.string(),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map(({ a, b, c, ...rest }) => ({ ...rest, ...(c !== undefined ? { c } : b !== undefined ? { b } : a !== undefined ? { a } : {}) }))

/** What protobufjs takes and gives: maps as objects, 64 bits as strings. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === 'count' ? String(each) : plain(each)]))
  return value
}
const asSecond = (draft: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { raw, wides, limits, ...rest } = draft
  const texts = (list: unknown): unknown =>
    list instanceof Map
      ? Object.fromEntries([...list].map(([key, each]) => [key, String(each)]))
      : (list as number[] | undefined)?.map(String)
  return {
    ...(plain(rest) as object),
    ...(raw !== undefined && { raw }),
    ...(wides !== undefined && { wides: texts(wides) }),
    ...(limits !== undefined && { limits: texts(limits) }),
  }
}
const shown = (bytesOf: Uint8Array): Record<string, unknown> => {
  const read = second('t.All').toObject(second('t.All').decode(bytesOf), {
    longs: String,
    enums: Number,
    defaults: true,
    arrays: true,
    objects: true,
    bytes: Array,
  })
  return { ...read, raw: Buffer.from(read.raw as number[]).toString('hex') }
}

describe('protobuf from a field table', () => {
  test('reads back what it wrote', () => {
    fc.assert(
      fc.property(anyAll, (draft) => {
        const read = All.decode(All.encode(draft)) as Readonly<Record<string, unknown>>
        for (const [key, value] of Object.entries(draft)) assert.deepEqual(read[key], value, key)
      }),
      { numRuns: trials(2000) },
    )
  })

  test('is read by another implementation as it was meant', () => {
    fc.assert(
      fc.property(anyAll, (draft) => {
        const read = shown(All.encode(draft))
        const wanted = shown(
          second('t.All')
            .encode(second('t.All').fromObject(asSecond(draft)))
            .finish(),
        )
        assert.deepEqual(read, wanted)
      }),
      { numRuns: trials(2000) },
    )
  })

  test('reads what another implementation wrote', () => {
    fc.assert(
      fc.property(anyAll, (draft) => {
        const read = All.decode(
          Uint8Array.from(
            second('t.All')
              .encode(second('t.All').fromObject(asSecond(draft)))
              .finish(),
          ),
        ) as Readonly<Record<string, unknown>>
        for (const [key, value] of Object.entries(draft)) assert.deepEqual(read[key], value, key)
      }),
      { numRuns: trials(2000) },
    )
  })

  test('fills in defaults, and leaves absent what has presence', () => {
    const { raw, limits, named, ...rest } = All.decode(new Uint8Array())
    assert.deepEqual([raw.length, limits.size, named.size], [0, 0, 0])
    assert.deepEqual(rest, {
      text: '',
      yes: false,
      d: 0,
      f: 0,
      i32: 0,
      u32: 0,
      s32: 0,
      f32: 0,
      sf32: 0,
      i64: 0n,
      u64: 0n,
      s64: 0n,
      f64: 0n,
      sf64: 0n,
      e: 0,
      texts: [],
      numbers: [],
      wides: [],
      doubles: [],
      leaves: [],
      far: '',
    })
    assert.deepEqual(All.encode({ text: '', i32: 0, texts: [] }).length, 0)
  })

  test('tells what has presence apart from its default', () => {
    const read = All.decode(All.encode({ maybe: 0, a: '', leaf: {} }))
    assert.deepEqual([read.maybe, read.a, read.leaf], [0, '', { name: '', count: 0 }])
    assert.equal('b' in read, false)
  })

  test('keeps the last of a oneof, and refuses to write two', () => {
    const both = Buffer.concat([All.encode({ a: 'first' }), All.encode({ b: false })])
    const read = All.decode(both)
    assert.deepEqual([read.a, read.b], [undefined, false])
    assert.throws(() => All.encode({ a: 'x', b: true }), /t\.All: b and a exclude each other/)
  })

  test('merges a message that comes twice, and reads packed and unpacked alike', () => {
    const twice = Buffer.concat([All.encode({ leaf: { name: 'x' } }), All.encode({ leaf: { count: 7 } })])
    assert.deepEqual(All.decode(twice).leaf, { name: 'x', count: 7 })
    const unpacked = Uint8Array.of(0xa0, 1, 5, 0xa0, 1, 6)
    assert.deepEqual(All.decode(unpacked).numbers, [5, 6])
  })

  test('skips what a newer peer sends', () => {
    const Newer = define('t.Leaf', {
      name: string(1),
      count: safeUint64(2),
      more: string(3),
      deep: message(4, Leaf),
      wide: scalar<bigint>(5, 'fixed64'),
      count32: scalar<number>(6, 'fixed32'),
    })
    assert.deepEqual(Leaf.decode(Newer.encode({ name: 'x', count: 3, more: 'y', deep: { name: 'z' }, wide: 4n, count32: 5 })), {
      name: 'x',
      count: 3,
    })
    assert.deepEqual(Leaf.decode(define('t.Leaf', { name: uint32(1) }).encode({ name: 9 })), { name: '', count: 0 }, 'another wire type')
  })

  test('refuses numbers that are not exact, by name', () => {
    assert.throws(() => Leaf.encode({ count: 2 ** 53 }), /t\.Leaf\.count: .*not exact/)
    assert.throws(() => Leaf.encode({ name: 5 as unknown as string }), /t\.Leaf\.name/)
    assert.throws(() => Leaf.decode(define('t.Leaf', { count: uint64(2) }).encode({ count: 2n ** 60n })), /more than a number holds/)
  })

  test('holds a table that names itself, to a depth', () => {
    const tree: TreeWritten = { label: 'a', children: [{ label: 'b', children: [{ label: 'c' }] }, { label: 'd' }] }
    assert.deepEqual(Tree.decode(Tree.encode(tree)), {
      label: 'a',
      children: [
        { label: 'b', children: [{ label: 'c', children: [] }] },
        { label: 'd', children: [] },
      ],
    })
    let deep: TreeWritten = {}
    for (let i = 0; i < 200; i++) deep = { children: [deep] }
    assert.throws(() => Tree.decode(Tree.encode(deep)), /more than 100 messages/)
  })

  test('answers bytes that are no message with its own error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          All.decode(noise)
        } catch (err) {
          assert.equal((err as { code?: string }).code, 'undecodable', String(err))
        }
      }),
      { numRuns: trials(20_000) },
    )
    assert.throws(
      () => Leaf.decode(Uint8Array.of(0x0a, 5, 1)),
      (err) => retryOf(err) === 'later',
    )
  })

  test('a message cut anywhere is no other message unless it ends between fields', () => {
    const whole = All.encode({ text: 'some text', leaf: { name: 'x', count: 300 }, numbers: [1, 2, 300], limits: new Map([['packet', 5]]) })
    for (let end = 0; end < whole.length; end++) {
      try {
        const read = All.decode(whole.subarray(0, end))
        assert.ok(read.text === '' || read.text === 'some text')
      } catch (err) {
        assert.equal((err as { code?: string }).code, 'undecodable')
      }
    }
  })

  test('Any carries a message by name', () => {
    const any = pack(Leaf, { name: 'x', count: 1 })
    assert.equal(any.typeUrl, 'type.googleapis.com/t.Leaf')
    assert.deepEqual(unpack(Leaf, Any.decode(Any.encode(any))), { name: 'x', count: 1 })
    assert.equal(unpack(All, any), undefined)
    assert.equal(unpack(Leaf, undefined), undefined)
  })
})
