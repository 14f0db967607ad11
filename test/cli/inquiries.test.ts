// A Port's node is asked by commands over REST: workers name the node, its agent answers, and nothing is left behind, whatever the answer.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Links } from '../../agent/links/links.ts'
import { memory } from '../../agent/dataplanes/memory.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { LoggedPacket } from '../../core/node/logged-packet.ts'
import type { TracedFrame } from '../../core/node/traced.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { eventually, openTestClusterWithNode, type TestNode } from '../agent/node.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

let cluster: TestCluster
let node: TestNode
let rest: Harness
let url = ''
let folder = ''
let port = ''
let address = ''
/** As the data plane tells what rules log. */
let log: (packet: LoggedPacket) => void = () => assert.fail('nobody listens')
/** What the data plane was asked. */
const traced: TracedFrame[] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-inspect-'))
  const plane: typeof memory = (of) => ({
    ...memory(of),
    onLogged: (take) => void (log = take),
    trace(_, frame) {
      traced.push(frame)
      const rule = { where: '0 only', match: 'everything', does: ['output'], owner: 'node', notes: [], because: 'it is there' } as const
      return Promise.resolve({
        rules: [rule, { ...rule, match: 'secret', owner: { mac: '0a:00:00:00:00:99' } }],
        outputs: frame.kind === 'packet' ? (['tunnel'] as const) : (['back'] as const),
        ...(frame.kind === 'who-has' && { mac: '0a:00:00:00:00:99' }),
      })
    },
  })
  // Nothing is looked after by itself: what a test has changed stays.
  ;({ cluster, node } = await openTestClusterWithNode({ plane, config: { auditMs: 3_600_000 } }))
  rest = await openHarness(() => cluster.store)
  url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
  await cluster.settle()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  await cluster.settle()
  const [made] = await cluster.all('Port')
  port = made!.metadata.name
  address = made!.status!.addresses![0]!
})
after(async () => {
  await node.close()
  await rest.close()
  await cluster.close()
  await rm(folder, { recursive: true })
})
afterEach(async () => assert.deepEqual(await cluster.all('Inquiry'), [], 'no question is left behind'))

/** Workers see to it meanwhile. */
async function megrez(args: readonly string[], token = rest.token): Promise<CommandOutput> {
  let output: CommandOutput | undefined
  void outputOf(args, { MEGREZ_URL: url, MEGREZ_TOKEN: token }).then((each) => (output = each))
  await eventually(
    async () => {
      await cluster.settle()
      return output !== undefined
    },
    `megrez ${args.join(' ')} has ended`,
  )
  return output!
}
const inspect = (...more: readonly string[]): Promise<CommandOutput> => megrez(['inspect', `port/${port}`, '-n', 'a', ...more])

test('how a Port is wired is one line', async () => {
  const { exit, out, err } = await inspect()
  assert.equal(exit, 0, err)
  assert.match(out, new RegExp(`^${port}: mgz[0-9a-v]{12}, [0-9a-f:]{17}, ${address}, vni \\d+\n$`))
})

test('explain --live asks the node through the server, and tells the story of the Port before it', async () => {
  const { exit, out, err } = await megrez(['explain', `port/${port}`, '-n', 'a', '--live'])
  assert.equal(exit, 0, err)
  assert.match(out, new RegExp(`^Port a/${port} is ready: `))
  assert.match(out, /\nOn n1, with memory, (\d+) of \1 are there:\n/)
  assert.match(out, new RegExp(`because .*: Port a/${port}\n {4}there`))
})

test('what explain --live finds otherwise on the node it says', async () => {
  const key = [...node.memory.things.keys()].find((each) => each.startsWith('guard/'))!
  const text = node.memory.things.get(key)!
  node.memory.things.set(key, 'from any')
  const { out } = await megrez(['explain', `port/${port}`, '-n', 'a', '--live'])
  node.memory.things.set(key, text)
  assert.match(out, /with memory, (\d+) of (?!\1)\d+ are there:[\s\S]*\n {4}different: from any\n/)
})

test("a packet's way is told rule by rule, and of rules of others that they are there", async () => {
  const { exit, out, err } = await inspect(
    '--about',
    'trace',
    '--to',
    '10.0.0.99',
    '--protocol',
    'udp',
    '--l4-port',
    '53',
    '--from',
    '10.0.0.7',
  )
  assert.equal(exit, 0, err)
  assert.deepEqual(
    traced.splice(0).map(({ kind, from, to }) => [kind, from, to]),
    [
      ['who-has', address, '10.0.0.99'],
      ['packet', '10.0.0.7', '10.0.0.99'],
    ],
  )
  assert.equal(
    out,
    [
      'udp from 10.0.0.7 to 10.0.0.99 port 53, to MAC 0a:00:00:00:00:99',
      '  0 only\n    everything\n    → output\n    because it is there',
      '  0 only\n    a rule of another port\n    → output',
      'output: tunnel\n',
    ].join('\n'),
  )
})

test('trace --live asks the node too, and says so where it may not be asked', async () => {
  const line = ['trace', `port/a/${port}`, '10.0.0.99', '--udp', '53', '--live']
  const { exit, out, err } = await megrez(line)
  assert.equal(exit, 0, err)
  assert.deepEqual(
    traced.splice(0).map(({ kind, to }) => [kind, to]),
    [
      ['who-has', '10.0.0.99'],
      ['packet', '10.0.0.99'],
    ],
  )
  assert.match(out, /\n {6}tables: .*\n {6}its node says: it leaves by tunnel\n/)
  assert.match(out, /\n {8}of udp from [\d.]+ to 10.0.0.99 port 53, to MAC 0a:00:00:00:00:99\n {8}tables 0 only, 0 only\n/)
  const viewer = await rest.issuer.issue({ subject: 'v', scope: 'viewer', namespaces: ['a'] }, 3600)
  const seen = await megrez(line, viewer)
  assert.deepEqual([seen.exit, traced.length], [0, 0])
  assert.match(seen.out, /\n {6}its node does not say: .*may not do that/)
})

test('trace --live asks of what arrives where the sender is none of ours', async () => {
  const { out } = await megrez(['trace', '10.0.0.99', `port/a/${port}`, '--tcp', '80', '--live'])
  assert.match(out, /\n {6}its node does not say: 10.0.0.99 is on no other node that this one knows of\n/)
})

test('what rules have logged of a Port is told by inspect and by flows, and in its status', async () => {
  const spec = { podSelector: {}, ingress: [{ action: 'deny' as const, log: true, ports: [{ protocol: 'tcp', l4Port: 80 }] }] }
  await cluster.make('UnifiedNetworkPolicy', 'a/p', spec)
  await cluster.advance(10_000)
  const { ports, ruleSets } = node.agent.env
  const there = (): Resource<'Port'> => [...ports.values()].find((each) => each.metadata.name === port)!
  await eventually(() => ruleSets.get(there().status?.policy?.ruleSets[0] ?? '') !== undefined, 'its rules are on the node')
  await eventually(() => there().status?.node?.wired === true, 'it is told that it is wired')
  const { status, metadata } = there()
  const { vni, number, rules } = ruleSets.get(status!.policy!.ruleSets[0]!)!
  const { index } = rules.find(({ log: logs }) => logs)!
  assert.match((await inspect('--about', 'log')).out, /no rule has logged anything/)
  const local = [...node.agent.env.loop.pieces.of(portPiece).values()].find(({ uid }) => uid === metadata.uid)!
  const head = { from: '10.0.0.9', to: address, protocol: 6, l4Ports: { from: 40_000, to: 80 } }
  log({ vni, by: { set: number, rule: index }, number: local.number, direction: 'ingress', head })
  const line = new RegExp(`1x denied ingress tcp 10.0.0.9 to ${address} port 80 by UnifiedNetworkPolicy a/p /spec/ingress/0\\n$`)
  assert.match((await inspect('--about', 'log')).out, line)
  assert.match((await megrez(['flows', `port/${port}`, '-n', 'a', '--logged'])).out, line)
  await eventually(async () => {
    const logged = (await cluster.get('Port', `a/${port}`))?.status?.node?.logged
    return logged?.packets === 1 && logged.last.startsWith('denied by UnifiedNetworkPolicy a/p')
  }, 'its status says so')
  const told = async (): Promise<readonly string[]> =>
    (await cluster.all('Event')).filter(({ spec }) => spec.reason === 'PacketLogged').map(({ spec }) => spec.note)
  await eventually(async () => (await told()).length > 0, 'an Event says so')
  assert.deepEqual(await told(), [`denied by UnifiedNetworkPolicy a/p: tcp 10.0.0.9 to ${address} port 80`])
  await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'p' })
})

test('a capture is written to its file as it came', async () => {
  const links: Links = node.agent.env.links
  links.capture = (_, { packets }) =>
    Promise.resolve({ packets: packets ?? 0, bytes: 60, pcap: Buffer.from('a capture').toString('base64') })
  const file = join(folder, 'web.pcap')
  const { exit, out, err } = await inspect('--about', 'capture', '--packets', '3', '-w', file)
  delete links.capture
  assert.equal(exit, 0, err)
  assert.equal(out, `3 packets, 60 bytes in ${file}\n`)
  assert.equal(await readFile(file, 'utf8'), 'a capture')
})

test('what the node cannot tell, or nobody may ask, is one sentence and a code', async () => {
  const counters = await inspect('--about', 'counters')
  assert.deepEqual([counters.exit, counters.out], [1, ''])
  assert.match(counters.err, /counters: these links count nothing/)
  const nobody = await megrez(['inspect', 'port/other', '-n', 'a'])
  assert.deepEqual([nobody.exit, nobody.out], [1, ''])
  assert.match(nobody.err, /Port other not found in namespace a/)
  const everybody = await inspect('--about', 'trace', '--to', '255.255.255.255')
  assert.equal(everybody.exit, 1)
  assert.match(everybody.err, /packet\/to|packet\.to/)
  const viewer = await rest.issuer.issue({ subject: 'v', scope: 'viewer', namespaces: ['a'] }, 3600)
  const forbidden = await megrez(['inspect', `port/${port}`, '-n', 'a'], viewer)
  assert.deepEqual([forbidden.exit, forbidden.out], [1, ''])
  assert.match(forbidden.err, /this token may not do that/)
  const foreign = await megrez(['inspect', `port/${port}`, '-n', 'b'])
  assert.match(foreign.err, new RegExp(`Port ${port} not found in namespace b`))
})

test('what is asked wrongly is said before anybody is asked', async () => {
  for (const [args, says] of [
    [['--about', 'weather'], /a node is asked about wiring, counters, trace, capture, log, not "weather"/],
    [['--about', 'trace'], /--to ADDRESS/],
    [['--about', 'capture'], /--write FILE/],
    [['--about', 'capture', '-w', join(folder, 'x'), '--packets', 'many'], /--packets needs a number/],
  ] as const) {
    const { exit, err } = await inspect(...args)
    assert.equal(exit, 2, err)
    assert.match(err, says)
  }
})

test('flows of a Port are a table with counters, and a fault where one is not as it should be', async () => {
  const { exit, out, err } = await megrez(['flows', `port/${port}`, '-n', 'a', '--reasons'])
  assert.equal(exit, 0, err)
  assert.match(out, /^WHERE +PACKETS +STATE +MATCH +DOES +LAST USED +BECAUSE\n/)
  assert.match(out, /there/)
})

test('top ports says of each Port why its node counts nothing', async () => {
  assert.deepEqual(await megrez(['top', 'ports', '-n', 'a']), { exit: 0, out: '', err: `${port}: counters: these links count nothing\n` })
})
