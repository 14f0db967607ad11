import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPartOf, partOf } from '../../core/kinds/notify/nfv.ts'

const upf = {
  labels: {
    'megrez.io/vnf-instance-id': 'i1',
    'megrez.io/vnf-provider': 'Acme',
    'megrez.io/vnf-product': 'upf',
    'megrez.io/vnf-software-version': '2',
    tier: 'gold',
  },
  annotations: { 'megrez.io/vnf-instance-name': 'Core 5G, blue', 'megrez.io/vpc': 'blue' },
}

test('an object is part of what its labels say, or annotations where the words can be no label', () => {
  const right = [
    {},
    { vnfInstanceIds: ['i0', 'i1'] },
    { vnfInstanceNames: ['Core 5G, blue'] },
    { vnfProducts: [{ provider: 'Acme' }] },
    { vnfProducts: [{ provider: 'other' }, { provider: 'Acme', product: 'upf', softwareVersion: '2' }] },
    { vnfInstanceIds: ['i1'], vnfInstanceNames: ['Core 5G, blue'] },
  ]
  for (const filter of right) assert.equal(isPartOf(filter, upf), true, JSON.stringify(filter))
  const wrong = [
    { vnfInstanceIds: ['i2'] },
    { vnfdIds: ['d'] },
    { nsdIds: ['Acme'] },
    { vnfProducts: [{ provider: 'Acme', product: 'smf' }] },
    { vnfProducts: [{ provider: 'Acme', product: 'upf', softwareVersion: '2', vnfdVersion: '1' }] },
    { vnfInstanceIds: ['i1'], nsInstanceIds: ['n'] },
  ]
  for (const filter of wrong) {
    assert.equal(isPartOf(filter, upf), false, JSON.stringify(filter))
    assert.equal(isPartOf(filter, {}), false)
  }
})

test('what is made for it is part of the same, and of nothing else that it is labelled with', () => {
  const { tier: _, ...labels } = upf.labels
  assert.deepEqual(partOf(upf), { labels, annotations: { 'megrez.io/vnf-instance-name': 'Core 5G, blue' } })
  assert.deepEqual(partOf({ labels: { tier: 'gold' } }), {})
})
