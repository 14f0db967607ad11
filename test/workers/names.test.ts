// In which order names outside are asked for, where more wait than are asked at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResolvedAddress } from '../../core/contracts/name-lookup.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { Names } from '../../workers/policy/names.ts'

test('a tenant of many namespaces, all of whose names are slow, has no turn twice before another has had one', async () => {
  const open: { readonly name: string; readonly answer: (addresses: readonly ResolvedAddress[]) => void }[] = []
  const asked: string[] = []
  const lookup = {
    resolve(name: string): Promise<readonly ResolvedAddress[]> {
      asked.push(name)
      return new Promise((answer) => open.push({ name, answer }))
    },
  }
  const names = new Names({ lookup, clock: new TurnedClock(), onAnswer: () => undefined })
  const ask = (namespace: string, ...some: readonly string[]) => names.answersFor(some, { namespace, key: `${namespace}/p` })
  for (const n of [1, 2, 3, 4, 5, 6]) ask(`flood-${n}`, ...Array.from({ length: 32 }, (_, i) => `flood-${n}-${i}`))
  assert.equal(asked.length, 16)
  assert.ok(asked.every((name) => name.startsWith('flood-')))
  ask('other', 'wanted')
  // One after the other is answered: each leaves room for one.
  for (let n = 0; n < 7 && !asked.includes('wanted'); n++) {
    open.shift()!.answer([])
    await new Promise((then) => setImmediate(then))
  }
  assert.ok(asked.includes('wanted'), asked.join(' '))
})
