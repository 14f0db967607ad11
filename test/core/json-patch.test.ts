import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyPatch, PatchMismatch, type Operation } from '../../core/wire/json-patch.ts'

/** Cases of RFC 6902 appendix A, those of the operations that we use. */
const cases: Readonly<Record<string, readonly [document: unknown, patch: readonly Operation[], after: unknown]>> = {
  'A.1 a member is added': [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  'A.2 an element is put in': [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
  'A.3 a member is taken out': [{ baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  'A.4 an element is taken out': [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  'A.5 a value is replaced': [{ baz: 'qux', foo: 'bar' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo', foo: 'bar' }],
  'A.8 tests that hold change nothing': [
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  'A.10 a nested member is added': [
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  'A.14 ~0 and ~1 are ~ and /': [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  'A.16 an element is put at the end': [
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
  'add to a member that is there replaces it': [{ a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
  'the whole document': [{ a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
  'objects are equal in any order of members': [
    { a: { x: 1, y: [2] } },
    [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
    { a: { x: 1, y: [2] } },
  ],
}
const refused: Readonly<Record<string, readonly [unknown, Operation]>> = {
  'A.9 a test that does not hold': [{ baz: 'qux' }, { op: 'test', path: '/baz', value: 'bar' }],
  'A.12 a member of what is not there': [{ foo: 'bar' }, { op: 'add', path: '/baz/bat', value: 'qux' }],
  'A.15 a number is no text': [{ '/': 9 }, { op: 'test', path: '/~1', value: '9' }],
  'a place beyond the list': [[1], { op: 'add', path: '/2', value: 0 }],
  'a place with a leading zero': [[1, 2], { op: 'remove', path: '/01' }],
  'replacing what is not there': [{}, { op: 'replace', path: '/a', value: 1 }],
  'taking out what is not there': [{}, { op: 'remove', path: '/a' }],
  'a step into a text': [{ a: 'b' }, { op: 'add', path: '/a/b', value: 1 }],
  'a member that all objects inherit': [{}, { op: 'test', path: '/constructor/name', value: 'Object' }],
}

describe('JSON Patch', () => {
  for (const [name, [document, patch, after]] of Object.entries(cases)) {
    test(name, () => {
      const before = structuredClone(document)
      assert.deepEqual(applyPatch(document, patch), after)
      assert.deepEqual(document, before, 'the given document is left as it is')
    })
  }
  for (const [name, [document, operation]] of Object.entries(refused))
    test(`refuses: ${name}`, () => assert.throws(() => applyPatch(document, [operation]), PatchMismatch))
  test('a patch that fails half way changes nothing', () => {
    const document = { a: 1 }
    assert.throws(
      () =>
        applyPatch(document, [
          { op: 'add', path: '/b', value: 2 },
          { op: 'test', path: '/a', value: 3 },
        ]),
      /test \/a: found 1/,
    )
    assert.deepEqual(document, { a: 1 })
  })
})
