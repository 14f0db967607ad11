import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allKinds,
  definitionOf,
  isOwnKind,
  keyOf,
  kinds,
  pluralOf,
  refFromKey,
  refOf,
  resolveReference,
  scopeOf,
  type OwnKind,
  type Resource,
} from '../../core/kinds/index.ts'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** The schema at `.spec.claim.pod`; undefined where there is no such field. */
function schemaAt(kind: OwnKind, path: string): Schema | undefined {
  const { spec, status } = definitionOf(kind)
  const metadata = { properties: { creationTimestamp: { type: 'string' } } }
  let found: Schema | undefined = { properties: { spec: spec, status: status, metadata } }
  for (const step of path.split('.').filter((each) => each !== '')) found = found?.properties?.[step]
  return found
}

for (const kind of Object.keys(kinds) as OwnKind[]) {
  describe(kind, () => {
    const definition = definitionOf(kind)
    const { sections, writers } = definition

    test('has each field of its status in one section, and each section has one writer', () => {
      assert.deepEqual(Object.values(sections).flat().sort(), Object.keys(definition.status.properties).sort())
      assert.deepEqual(Object.keys(writers).sort(), Object.keys(sections).sort())
    })

    test('shows, selects by, keeps and judges fields that it has', () => {
      for (const { path, name } of definition.columns) assert.ok(schemaAt(kind, path), `column ${name}`)
      for (const path of definition.selectable) assert.ok(['string', 'integer', 'boolean'].includes(schemaAt(kind, path)?.type ?? ''), path)
      for (const path of definition.immutable) assert.ok(schemaAt(kind, `.spec.${path}`), path)
      for (const { at } of definition.rules) assert.ok(schemaAt(kind, `.${at}`), at)
    })

    test('says of each column what the field is', () => {
      for (const { path, type } of definition.columns)
        if (type !== 'date') assert.ok([type, type === 'string' ? 'array' : type].includes(schemaAt(kind, path)?.type ?? ''), path)
    })
  })
}

describe('the table of kinds', () => {
  test('has no plural and no short name twice', () => {
    const names = [
      ...allKinds.map(pluralOf),
      ...(Object.keys(kinds) as OwnKind[]).flatMap((kind) => [definitionOf(kind).singular, ...definitionOf(kind).shortNames]),
    ]
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
  })

  test('tells our kinds from those of others', () => {
    assert.deepEqual(['Port', 'Pod', 'toString', 'constructor'].map(isOwnKind), [true, false, false, false])
    assert.deepEqual(
      [scopeOf('Port'), scopeOf('SegmentLock'), scopeOf('Node'), scopeOf('Pod')],
      ['Namespaced', 'Cluster', 'Cluster', 'Namespaced'],
    )
  })
})

describe('references', () => {
  const item = (metadata: object) => ({ apiVersion: 'v', kind: 'Port', metadata, spec: {} }) as unknown as Resource<'Port'>
  test('become keys and come back', () => {
    for (const [metadata, key] of [
      [{ namespace: 'a', name: 'b' }, 'a/b'],
      [{ name: 'b' }, 'b'],
    ] as const) {
      const ref = refOf(item({ ...metadata, uid: 'u' }))
      assert.equal(keyOf(ref), key)
      assert.deepEqual(refFromKey('Port', key), ref)
    }
  })
  test('are seen from the namespace they are written in, unless they name one', () => {
    assert.deepEqual(resolveReference('blue', 'a'), { namespace: 'a', name: 'blue' })
    assert.deepEqual(resolveReference('b/blue', 'a'), { namespace: 'b', name: 'blue' })
  })
})
