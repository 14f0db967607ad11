// One address that two nodes announce: flows are spread over both, and go on by the other when one is lost without a word.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { echoesAt, lostIn } from '../../lab/nodes/ping.ts'
import { until } from '../setup/until.ts'
import { makeNetwork, type BGPNode, type Network } from './network.ts'
import { birdOf, follow, group, meshed, session, table, type Running } from './speakers.ts'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
const block = '10.9.0.0/24'
const shared = '10.9.0.50'
/** Of the client: each is a flow of its own. */
const sources = Array.from({ length: 16 }, (_, i) => `10.9.0.${100 + i}`)
const everyMs = 20

describe('an address of several nodes', { skip }, () => {
  let network: Network
  let [a, b, c]: BGPNode[] = []
  const running: Running[] = []

  before(async () => {
    network = await makeNetwork(['a', 'b', 'c'])
    ;({ a, b, c } = network.nodes as Record<'a' | 'b' | 'c', BGPNode>)
    const all = [a, b, c]
    for (const node of all) {
      await node.namespace.ip('link', 'set', 'lo', 'up')
      await node.namespace.ip('rule', 'add', 'to', block, 'table', String(table))
      for (const address of node === c ? sources : [shared]) {
        await node.namespace.ip('address', 'add', `${address}/32`, 'dev', 'lo')
        await node.namespace.ip('route', 'add', `${address}/32`, 'dev', 'lo', 'table', String(table), 'proto', '77')
      }
      const one = follow(node, birdOf(node))
      running.push(one)
      const sessions = all.filter((each) => each !== node).map((each) => session(each, meshed))
      const advertise = [{ cidr: block, hostRoutes: true, vni: 5 }]
      // With graceful restart a node that is silent is believed to come back.
      one.want([{ ...withoutRestart(group(node, sessions)), advertise }], 1)
    }
    const [, , client] = running
    await client!.isUp('node-a', 'node-b')
    const ways = async (): Promise<number> =>
      (await c!.namespace.ip('route', 'show', 'table', String(table), `${shared}/32`)).stdout.match(/nexthop via/g)?.length ?? 0
    await until(async () => (await ways()) === 2, 'both ways are in the kernel')
  })
  after(async () => {
    for (const each of running) await each.end()
    await network.remove()
  })

  const echoes = (): Promise<readonly number[]> => Promise.all([a!, b!].map(({ namespace }) => echoesAt(namespace)))

  test('is reached on both, each flow on one', async () => {
    const served = [0, 0]
    for (const source of sources) {
      const before = await echoes()
      assert.equal((await c!.namespace.exec('ping', '-q', '-c', '4', '-i', '0.01', '-W', '1', '-I', source, shared)).code, 0)
      const grown = (await echoes()).map((count, i) => count - before[i]!)
      assert.deepEqual(
        grown.toSorted((x, y) => x - y),
        [0, 4],
        `${source}: ${grown.join()}`,
      )
      served[grown.indexOf(4)]! += 1
    }
    assert.ok(
      served.every((count) => count > 0),
      `of ${sources.length} flows ${served.join(' and ')}`,
    )
  })

  test('goes on by the other node when one is lost: BFD tells long before a session would have ended', async (t) => {
    const source = sources[0]!
    const before = await echoes()
    const pinging = c!.namespace.exec('ping', '-c', '150', '-i', String(everyMs / 1000), '-w', '20', '-I', source, shared)
    const serving = async (): Promise<number> => (await echoes()).findIndex((count, i) => count - before[i]! > 20)
    await until(async () => (await serving()) >= 0, 'it is served')
    const lost = [a!, b!][await serving()]!
    await lost.namespace.ip('link', 'set', 'up0', 'down')
    const { lost: packets } = lostIn((await pinging).stdout, 150)
    t.diagnostic(`BFD of 3 x 100 ms: ${packets} packets lost, ${packets * everyMs} ms`)
    // The hold time is nine seconds.
    assert.ok(packets > 0 && packets * everyMs < 4_000, `${packets} packets`)
    await until(async () => (await nextHops()) === 1, 'one way is left')
  })

  const nextHops = async (): Promise<number> =>
    (await c!.namespace.ip('route', 'show', 'table', String(table), `${shared}/32`)).stdout.match(/via /g)?.length ?? 0
})

function withoutRestart<G extends { readonly gracefulRestartSeconds?: number | undefined }>({
  gracefulRestartSeconds: _,
  ...others
}: G): Omit<G, 'gracefulRestartSeconds'> {
  return others
}
