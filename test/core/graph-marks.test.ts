// How what a port of bessd sends is marked, in the model of its graph: the class alone is another, and each header is right.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { hexOf, hexOfMac, hexOfV4 } from '../../core/graph/bytes.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { parseIp } from '../../core/net/ip.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { piecesOf } from '../laws/node-wanted.ts'
import { mirrored } from '../laws/rule-sets.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { segment, wantedOf } from '../bess/wants.ts'
import { trials } from '../setup/trials.ts'
import { GraphModel } from '../sim/world/planes/graph/model.ts'
import { run } from '../../core/graph/model/run.ts'
import { seeded } from '../workers/test-cluster.ts'
import { addressOf, macOf, portOf, vni } from './policy-frames.ts'

const allowed = (blocks: readonly string[]): RuleSet => {
  const rule = { source: '/spec/ingress', direction: 'ingress', level: 0 } as const
  return mirrored(
    unifiedSet({
      vni,
      rules: [
        { ...rule, index: 0, action: 'allow', peers: { identities: [], blocks: [...blocks] } },
        { ...rule, index: 1, level: 1, action: 'deny' },
      ],
    }),
  )
}

function modelOf(ports: readonly LocalPort[], sets: readonly RuleSet[]): GraphModel {
  const model = new GraphModel('192.0.2.1', () => true)
  const renderer = graphRenderer(model.options)
  const wanted = { ...wantedOf(ports, { segments: [segment(vni, { judged: ports.map(({ number }) => number) })] }), ruleSets: sets }
  const elements = [...renderer.base(), ...itemsOf(renderer, piecesOf(wanted))].map(({ value }) => value)
  model.graph.putAll(elements)
  return model
}

function outs(model: GraphModel, from: number, bytes: string): readonly string[] {
  const heard: string[] = []
  run(model.graph, `in.${from}`, { bytes, metadata: new Map() }, { port: (_, is) => void heard.push(is), tunnel: () => undefined })
  return heard
}

/** A word is 16 bits; over a header with its checksum they come to all ones (RFC 1071). */
function sumOf(header: string): number {
  let sum = (header.match(/.{4}/g) ?? []).reduce((all, word) => all + Number.parseInt(word, 16), 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return sum
}

const ether = (from: number, to: number, type: string): string => `${hexOfMac(macOf(to))}${hexOfMac(macOf(from))}${type}`
const v4 = (from: number, to: number, tos: number, words: number): string =>
  `${ether(from, to, '0800')}4${(5 + words).toString(16)}${hexOf(tos, 1)}${hexOf(28 + 4 * words, 2)}0000400040fd0000${hexOfV4(addressOf(from, 4))}${hexOfV4(addressOf(to, 4))}${'01010101'.repeat(words)}aabbccdd00112233`
const ip6 = (n: number): string => hexOf(BigInt(parseIp(addressOf(n, 6))!.value), 16)
const v6 = (from: number, to: number, first: number): string =>
  `${ether(from, to, '86dd')}${hexOf(0x60000000 + first, 4)}00083b40${ip6(from)}${ip6(to)}aabbccdd00112233`

test('of what a port sends the class alone is another one, whichever way it was allowed, and an IPv4 header has its checksum', (t) => {
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(500)} seeds from ${first}`)
  for (let seed = first; seed < first + trials(500); seed++) {
    const random = seeded(seed)
    const below = (n: number): number => Math.floor(random() * n)
    const dscps = [below(64), below(64)] as const
    const portSecurity = random() < 0.7
    const policy = { identity: 1, ruleSets: [], isClosed: false }
    const ports = [1, 2, 3].map((number) =>
      portOf(number, { portSecurity, policy: { ...policy, ...(number < 3 && { traffic: { dscp: dscps[number - 1]! } }) } }),
    )
    // By no rule, by one for all, and by tables of blocks.
    const sets = [[], [allowed(['0.0.0.0/0', '::/0'])], [allowed(['10.0.0.0/29', '2001:db8::/125'])]][below(3)]!
    const model = modelOf(ports, sets)
    for (const [from, to] of [
      [1, 2],
      [2, 3],
      [3, 1],
    ] as const) {
      const dscp = from === 3 ? undefined : dscps[from - 1]!
      const what = `seed ${seed}, from ${from}`
      const tos = below(256)
      const sent = v4(from, to, tos, below(3))
      const [got = '', ...more] = outs(model, from, sent)
      assert.deepEqual([more, got.length], [[], sent.length], what)
      const marked = dscp === undefined ? tos : (dscp << 2) | (tos & 3)
      assert.equal(got.slice(30, 32), hexOf(marked, 1), what)
      assert.equal(
        `${got.slice(0, 30)}${got.slice(32, 48)}${got.slice(52)}`,
        `${sent.slice(0, 30)}${sent.slice(32, 48)}${sent.slice(52)}`,
        what,
      )
      if (dscp !== undefined) assert.equal(sumOf(got.slice(28, 28 + Number.parseInt(got[29]!, 16) * 8)), 0xffff, what)
      // Class and flow label: eight bits and twenty.
      const class6 = below(2 ** 28)
      const want = dscp === undefined ? class6 : dscp * 2 ** 22 + (class6 % 2 ** 22)
      assert.deepEqual(outs(model, from, v6(from, to, class6)), [v6(from, to, want)], what)
    }
  }
})
