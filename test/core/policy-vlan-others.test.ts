// Who stands for whom at the other end of an interface in a VLAN: blocks that rules name, each by an address in no narrower one.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { blocksApart, macsApart } from '../../core/policy/vlan/others.ts'
import { blockOf, isInBlock, parseCidr, printCidr } from '../../core/net/cidr.ts'
import { parseIp } from '../../core/net/ip.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'

const naming = (...blocks: readonly string[]): readonly RuleSetSpec[] => [
  unifiedSet({
    vni: 1,
    subjects: [1],
    rules: [
      {
        index: 0,
        level: 0,
        source: '/spec/ingress/0',
        direction: 'ingress',
        action: 'allow',
        peers: { identities: [], blocks: [...blocks] },
      },
    ],
  }),
]
const named = (...blocks: readonly string[]): readonly string[] =>
  blocksApart(naming(...blocks), 4).map(({ name, end }) => `${name} ${end.address}`)

test('a block stands without what is in a narrower one, and is not there where nothing is left of it', () => {
  assert.deepEqual(named(), ['0.0.0.0/0 0.0.0.0'])
  assert.deepEqual(named('10.0.0.0/24', '10.0.0.0/25', '2001:db8::/32'), [
    '0.0.0.0/0 0.0.0.0',
    '10.0.0.0/24 10.0.0.128',
    '10.0.0.0/25 10.0.0.0',
  ])
  assert.deepEqual(named('0.0.0.0/1', '128.0.0.0/1'), ['0.0.0.0/1 0.0.0.0', '128.0.0.0/1 128.0.0.0'])
})

test('whoever stands for a block is in it, and in no narrower one; each address is in one that stands', () => {
  const first = randomInt(2 ** 40)
  for (let seed = first; seed < first + trials(500); seed++) {
    const random = seeded(seed)
    const drawn = Array.from({ length: 8 }, () =>
      printCidr(blockOf({ family: 4, value: BigInt(Math.floor(random() * 2 ** 32)) & 0xf00000f0n }, Math.floor(random() * 33))),
    )
    const all = [...new Set([...drawn, '0.0.0.0/0'])]
    const others = blocksApart(naming(...drawn), 4)
    const narrowest = (address: string): string =>
      all.filter((block) => isInBlock(block, parseIp(address)!)).sort((a, b) => parseCidr(b)!.length - parseCidr(a)!.length)[0]!
    for (const { name, end } of others) assert.equal(narrowest(end.address), name, `seed ${seed}`)
    const anybody = `${[0, 0, 0, 0].map(() => Math.floor(random() * 256)).join('.')}`
    assert.ok(
      others.some(({ name }) => name === narrowest(anybody)),
      `seed ${seed}: ${anybody}`,
    )
  }
})

test('of thousands of blocks the first are told, and that there are more', () => {
  // Two halves of each, so that nothing is left of any: to hold each against each would take minutes.
  const covered = Array.from({ length: 5_000 }, (_, i) => `10.${i >> 8}.${i & 255}`).flatMap((at) => [
    `${at}.0/31`,
    `${at}.0/32`,
    `${at}.1/32`,
  ])
  assert.equal(named(...covered).length, 65)
})

test('a MAC that no rule names stands for all others', () => {
  assert.deepEqual(
    macsApart(new Set(['02:00:00:00:00:01'])).map(({ name, end }) => [name, end.mac]),
    [
      ['02:00:00:00:00:01', '02:00:00:00:00:01'],
      ['any other MAC', '00:00:5e:00:53:ff'],
    ],
  )
})
