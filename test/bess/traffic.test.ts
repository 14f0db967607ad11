// How much pods may send and get on the real bessd, and how what they send is marked, by packets as they arrive; and the traffic classes
// behind that.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { daemonOn, type Daemon } from '../../agent/dataplanes/bess/daemon.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { openChannel } from '../../platform/grpc/channel.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { hexOf, hexOfBlock, hexOfV4 } from '../../core/graph/bytes.ts'
import { listen, pythonSkip, sendFrames, withChecksum } from '../node/raw-frames.ts'
import { until } from '../setup/until.ts'
import { bessSkip, filled, openTestNodes, segment, settle, signal, wantedOf, type BessNode, type TestNodes } from './test-nodes.ts'

const vni = 5001
type Pod = Awaited<ReturnType<BessNode['pod']>>
type Limits = ReadonlyMap<Pod, PolicyTraffic>

/** As fast as it goes, of 1,000 bytes each. */
const blast = `
import socket,sys,time
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
end=time.monotonic()+float(sys.argv[2])
while time.monotonic()<end:
    for i in range(8): s.sendto(b'x'*1000,(sys.argv[1],9000))
    time.sleep(0.0005)
`
/** What comes within 0.3 seconds, as packets a second. */
const count = `
import socket,time
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET,socket.SO_RCVBUF,8<<20)
s.bind(('',9000))
s.settimeout(5)
print('ready',flush=True)
s.recv(2048)
begun=time.monotonic(); n=0; now=begun
while now<begun+0.3:
    s.recv(2048); n+=1; now=time.monotonic()
print(n/(now-begun))
`
const seconds = 0.45
/** On the wire: 42 bytes of headers, 24 of preamble, gap and checksum. */
const bitsOf = (packets: number): number => packets * (1_000 + 42 + 24) * 8
const little = 2_000_000

/** No other frame has it. */
const mark = '6d656772657a2d6d61726b73'
const ethernet = (from: Pod, to: Pod): string => [to, from].map(({ port }) => port.mac.replaceAll(':', '')).join('')
const frame4 = (from: Pod, to: Pod, tos: number): string =>
  `${ethernet(from, to)}0800${withChecksum(`45${hexOf(tos, 1)}00200000400040fd0000${hexOfV4(from.port.addresses[0]!)}${hexOfV4(to.port.addresses[0]!)}`)}${mark}`
/** @param first version, class and flow label, without the version, and without the last sixteen bits of the label */
const frame6 = (from: Pod, to: Pod, first: number): string =>
  `${ethernet(from, to)}86dd6${first.toString(16).padStart(3, '0')}beef000c3b40${hexOfBlock(from.port.addresses[1]!).value}${hexOfBlock(to.port.addresses[1]!).value}${mark}`

interface Rates {
  readonly median: number
  readonly best: number
}

/** @returns bits a second that arrive, of three times: on a busy machine some bring less than they could */
async function rateOf(from: Namespace, to: Namespace, address: string): Promise<Rates> {
  const rates: number[] = []
  for (let times = 0; times < 3; times++) {
    const counted = to.exec('python3', '-c', count)
    await until(async () => (await to.exec('ss', '-Huln', 'sport', '=', ':9000')).stdout.includes(':9000'), 'somebody counts')
    const { code, stderr } = await from.exec('python3', '-c', blast, address, String(seconds))
    assert.equal(code, 0, stderr)
    const { stdout, stderr: why } = await counted
    rates.push(bitsOf(Number(stdout.split('\n')[1] ?? NaN)))
    assert.ok(rates.at(-1)! >= 0, why)
  }
  const [, middle, best] = rates.sort((a, b) => a - b)
  return { median: middle!, best: best! }
}

describe('traffic that a policy limits and marks, on bessd', { skip: bessSkip || pythonSkip }, () => {
  let cluster: TestNodes
  let node: BessNode
  let plane: Dataplane
  let daemon: Daemon
  let pods: readonly [sender: Pod, getter: Pod, other: Pod]
  beforeEach(async () => {
    cluster = await openTestNodes()
    node = await cluster.node('a', '192.168.50.1')
    plane = await node.plane()
    const channel = openChannel({ target: node.daemon.target })
    cluster.onClose(() => Promise.resolve(channel.close()))
    daemon = daemonOn(channel, signal)
    const pod = (number: number) =>
      node.pod({
        number,
        vni,
        address: `10.0.0.${number}`,
        mac: `02:00:00:00:00:0${number}`,
        more: { addresses: [`10.0.0.${number}`, `2001:db8::${number}`] },
      })
    pods = [await pod(1), await pod(2), await pod(3)]
  })
  afterEach(() => cluster.close())

  /** All that the node is to have. @returns whether anything was to be done */
  function limit(limits: Limits, of: readonly Pod[] = pods): Promise<boolean> {
    const judged = of.map(({ port }) => port.number)
    const ports = of.map((pod) => {
      const traffic = limits.get(pod)
      return { ...pod.port, policy: { identity: 1, ruleSets: [], isClosed: false, ...(traffic !== undefined && { traffic }) } }
    })
    const wanted = wantedOf(ports, { segments: [segment(vni, { judged, subnets: [{ cidr: '10.0.0.0/24' }] })] })
    return settle(plane, { ...wanted, ruleSets: [unifiedSet({ vni, rules: [] })] })
  }
  const rate = (from: Pod, to: Pod): Promise<Rates> => rateOf(from.namespace, to.namespace, to.port.addresses[0]!)
  const near = ({ median, best }: Rates, limited: number, what: string): void =>
    assert.ok(
      best > limited * 0.4 && median < limited * 1.5,
      `${what}: ${Math.round(median)} and ${Math.round(best)} bits a second of ${limited}`,
    )
  const free = ({ best }: Rates, what: string): void => assert.ok(best > little * 5, `${what}: ${best} bits a second`)

  test('is as much as it says, each way, also after bessd was killed; another rate counts at once, and nobody else has one', async (t) => {
    const [sender, getter, other] = pods
    await limit(new Map())
    const found = await rate(sender, getter)
    t.diagnostic(`${Math.round(found.median / 1e6)} Mbit/s without a limit`)
    free(found, 'without a limit')
    await limit(new Map([[sender, { maxEgress: little }]]))
    assert.equal(await limit(new Map([[sender, { maxEgress: little }]])), false, 'it is read back as put')
    near(await rate(sender, getter), little, 'what it sends')
    free(await rate(other, sender), 'what it gets of another')
    await limit(new Map([[sender, { maxEgress: little * 10 }]]))
    const more = await rate(sender, getter)
    assert.ok(more.best > little * 2 && more.median < little * 15, `a higher rate: ${more.median} and ${more.best}`)
    await limit(new Map([[getter, { maxIngress: little }]]))
    near(await rate(sender, getter), little, 'what one gets that gets no more')
    const drift = Promise.withResolvers<void>()
    plane.onDrift(() => drift.resolve())
    await node.daemon.restart()
    await drift.promise
    await filled(node, () => limit(new Map([[getter, { maxIngress: little }]])))
    near(await rate(sender, getter), little, 'after it was killed')
  })

  test('is marked, in IPv4 and IPv6, with all that stands beside its class as it was; what it is sent is not, nor is it then', async () => {
    const [sender, getter] = pods
    const all = Array.from({ length: 64 }, (_, bits) => bits)
    const frames = (from: Pod, to: Pod, dscp: number): readonly string[] => [
      ...all.slice(0, 4).map((ecn) => frame4(from, to, dscp * 4 + ecn)),
      ...all.map((bits) => frame6(from, to, dscp * 64 + bits)),
    ]
    /** As they arrive, of those that came with the class 9. */
    const arrives = async (from: Pod, to: Pod): Promise<readonly string[]> => {
      const ear = await listen(to.namespace, 'eth0')
      const sent = frames(from, to, 9)
      // Whoever gets one of the unassigned protocol says so, in a longer frame.
      const ours = (): readonly string[] => ear.heard.filter((frame) => frame.endsWith(mark) && frame.length <= sent.at(-1)!.length)
      await sendFrames(from.namespace, 'eth0', sent)
      await until(() => Promise.resolve(ours().length >= sent.length), `${sent.length} frames`)
      await ear.close()
      return ours().toSorted()
    }
    for (const dscp of [46, 11]) {
      await limit(new Map([[sender, { dscp }]]))
      assert.equal(await limit(new Map([[sender, { dscp }]])), false, 'it is read back as put')
      assert.deepEqual(await arrives(sender, getter), frames(sender, getter, dscp).toSorted(), `${dscp}`)
    }
    assert.deepEqual(await arrives(getter, sender), frames(getter, sender, 9).toSorted(), 'what it is sent')
    await limit(new Map())
    assert.deepEqual(await arrives(sender, getter), frames(sender, getter, 9).toSorted(), 'without a mark')
  })

  test('goes with its Port, and who has the number next has nothing of it; its class is put right where somebody has emptied it', async () => {
    const [sender, getter, other] = pods
    /** Limits of ours, of which modules. */
    const classes = async (): Promise<readonly string[]> => {
      const all = await daemon.classes()
      return all
        .filter(({ class: its }) => its?.name.startsWith('mgz:') === true)
        .map(({ class: { name, limit: most } = { name: '', limit: new Map() } }) => {
          const below = all.find(({ parent }) => parent === name)?.class?.leafModuleName.split('(')[0]
          return `${name} ${most.get('bit')} ${below ?? 'nothing'}`
        })
        .sort()
    }
    const both: PolicyTraffic = { maxEgress: little, maxIngress: 25_000_000_000 }
    await limit(new Map([[sender, both]]))
    assert.deepEqual(await classes(), ['mgz:limit.0 2000000 mgz:in.1 PortInc', 'mgz:limit.1 25000000000 mgz:out.1 Queue'])
    await limit(new Map(), [getter, other])
    assert.deepEqual(await classes(), ['mgz:limit.0 2000000 nothing', 'mgz:limit.1 25000000000 nothing'])
    await limit(new Map())
    assert.deepEqual(await classes(), ['mgz:limit.0 2000000 nothing', 'mgz:limit.1 25000000000 nothing'], 'another Port of the number')
    free(await rate(sender, getter), 'of the number')
    const limits: Limits = new Map([[sender, { maxEgress: little * 2 }]])
    await limit(limits)
    assert.deepEqual(await classes(), ['mgz:limit.0 4000000 mgz:in.1 PortInc', 'mgz:limit.1 25000000000 nothing'])
    const seen = async (): Promise<string | undefined> => (await plane.observe(undefined, signal)).get('limit/in.1')
    assert.equal(await seen(), '4000000 bits a second')
    const module = (await daemon.modules()).find(({ name }) => name.startsWith('mgz:in.1 '))!.name
    await daemon.moveTask(module, '')
    assert.equal(await seen(), undefined)
    await daemon.setClass({ name: 'mgz:limit.0', resource: 'bit', maxBurst: new Map([['bit', 1]]) })
    await limit(limits)
    assert.equal(await seen(), '4000000 bits a second')
    await limit(new Map([[other, { maxIngress: little }], ...limits]))
    assert.deepEqual(await classes(), ['mgz:limit.0 4000000 mgz:in.1 PortInc', 'mgz:limit.1 2000000 mgz:out.3 Queue'], 'given out again')
    const counts = await plane.counts!(new Set(['limit/in.1']), signal)
    assert.ok((counts.get('limit/in.1')?.packets ?? 0) > 0, 'what its task has taken is counted')
  })
})
