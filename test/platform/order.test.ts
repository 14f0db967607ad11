import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { seeded } from '../workers/test-cluster.ts'

test('pages of a store that changes between them are those of a sorted list, in one namespace and in all', async () => {
  const random = seeded(3)
  const store = SqliteStore.open(':memory:')
  const there = new Set<string>()
  for (let step = 0; step < 600; step++) {
    const namespace = ['a', 'a-b', 'b'][Math.floor(random() * 3)]!
    const name = `n${Math.floor(random() * 40)}`
    const key = JSON.stringify([namespace, name])
    if (there.has(key)) await store.delete({ kind: 'SecurityGroup', namespace, name })
    else await store.create({ kind: 'SecurityGroup', metadata: { namespace, name }, spec: { rules: [] } })
    if (!there.delete(key)) there.add(key)
    if (step % 7 > 0) continue
    for (const within of [undefined, 'a', 'a-b', 'none']) {
      const limit = 1 + Math.floor(random() * 9)
      const seen: string[] = []
      for (let next: string | undefined = ''; next !== undefined;) {
        const page: Awaited<ReturnType<typeof store.list>> = await store.list('SecurityGroup', {
          limit,
          ...(within !== undefined && { namespace: within }),
          ...(next !== '' && { continue: next }),
        })
        assert.ok(page.items.length <= limit)
        seen.push(...page.items.map(({ metadata }) => JSON.stringify([metadata.namespace, metadata.name])))
        next = page.continue
      }
      const wanted = [...there].map((each) => JSON.parse(each) as [string, string]).filter(([of]) => within === undefined || of === within)
      assert.deepEqual(
        seen,
        wanted.sort(([a, b], [c, d]) => (a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1)).map((each) => JSON.stringify(each)),
      )
    }
  }
  await store.close()
})
