import { test } from 'node:test'
import assert from 'node:assert/strict'
import { memory, memoryNode } from '../../agent/dataplanes/memory.ts'
import { dataplaneLaws } from '../laws/dataplane.ts'

dataplaneLaws('memory', {
  seeds: [1, 2, 3],
  drawing: { types: ['kernel', 'dpdk'] },
  open() {
    const node = memoryNode()
    node.things.set('theirs/port', 'somebody else put this here')
    return Promise.resolve({
      instance: (through) => Promise.resolve(memory({ ...node, ...(through && { way: through.way }) })),
      theirs: () => Promise.resolve([...node.things].filter(([key]) => key.startsWith('theirs/')).map(([key, text]) => `${key} ${text}`)),
      spoil(random) {
        const ours = [...node.things.keys()].filter((key) => !key.startsWith('theirs/'))
        const key = ours[Math.floor(random() * ours.length)]
        if (key === undefined) return Promise.resolve(undefined)
        if (random() < 0.5) node.things.delete(key)
        else node.things.set(key, 'bent')
        return Promise.resolve(key)
      },
      close: () => Promise.resolve(),
    })
  },
})

test("a bridge that is another's is refused with its owner's name", async () => {
  await assert.rejects(memory(memoryNode({ owner: 'antrea' })).open(new AbortController().signal), /antrea/)
})
