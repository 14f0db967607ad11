// Agents as processes of their own, on a real Open vSwitch, called by the real shim: killed, restarted, and asked ten thousand times.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathOf } from '../../cli/demo/rest.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { pinged, reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { run } from '../../platform/programs/run.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { seeded } from '../workers/test-cluster.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'

type Node = NodeWith<OvsCarrier>

interface Memory {
  readonly heap: number
  readonly rss: number
}
const mib = 2 ** 20
const healthL4Port = 8080
const bench = join(import.meta.dirname, '../bench/main.ts')
const fetcher = `fetch('http://127.0.0.1:${healthL4Port}/metrics').then((answer) => answer.text()).then((text) => process.stdout.write(text))`

/** Bytes. The least that was seen is near to what is not garbage, whenever V8 collects. */
async function leastDuring(node: Node, run: () => Promise<unknown>): Promise<Memory> {
  const running = { done: false }
  const ended = run().finally(() => (running.done = true))
  const seen: Memory[] = []
  do {
    const { stdout } = await node.namespace.exec(process.execPath, '-e', fetcher)
    const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(stdout)?.[1])
    seen.push({ heap: of('nodejs_heap_size_used_bytes'), rss: of('process_resident_memory_bytes') })
    await pause(1_000)
  } while (!running.done)
  await ended
  return leastOf(seen)
}

const leastOf = (all: readonly Memory[]): Memory => ({
  heap: Math.min(...all.map(({ heap }) => heap)),
  rss: Math.min(...all.map(({ rss }) => rss)),
})

/** Runs it for each, so many at a time. */
async function atATime<T>(many: number, all: readonly T[], run: (each: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all]
  await Promise.all(
    Array.from({ length: many }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next)
    }),
  )
}

/** Open files of the node's agent. */
const filesOf = async (node: Node): Promise<number> => (await readdir(`/proc/${node.agentPid}/fd`)).length

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false

describe('agents on Open vSwitch', { skip }, () => {
  let agents: Agents
  const nodes: Node[] = []
  const podOn = (node: Node, name: string): Promise<Sandbox> => agents.pod(node, name)
  const added = (node: Node, sandbox: Sandbox): Promise<string> => agents.add(node, sandbox)

  before(async () => {
    agents = await startAgents()
    for (const name of ['n1', 'n2']) nodes.push(await agents.node(name, ovsCarrier, { MEGREZ_HEALTH_L4PORT: String(healthL4Port) }))
  })
  after(() => agents.close())

  const ourPorts = async ({ carrier: { ovs } }: Node): Promise<string[]> =>
    (await ovs.vsctl('--bare', '--columns=name', 'list', 'Interface')).split('\n').filter((name) => /^mgz[0-9a-v]{12}$/.test(name))
  const bare = (node: Node): Promise<void> =>
    until(
      async () => (await ourPorts(node)).length + (await ourLinks(node)).length === 0,
      'nothing of a pod is left in switch and kernel',
      30_000,
    )

  test('agents that are killed and started anew, again and again, lose no packet of those who are wired', async () => {
    const [n1, n2] = nodes as [Node, Node]
    const [one, two] = [await podOn(n1, 'one'), await podOn(n2, 'two')]
    await added(n1, one)
    const address = await added(n2, two)
    assert.ok(await reaches(one.namespace, address, { tries: 10 }))
    let going = true
    const loss = (async () => {
      let [sent, lost] = [0, 0]
      while (going) {
        const each = await pinged(one.namespace, address, { count: 200, everyMs: 10 })
        sent += each.sent
        lost += each.lost
      }
      return { sent, lost }
    })()
    const restarts = trials(100)
    const killed = async (node: Node): Promise<void> => {
      await node.killAgent()
      await node.startAgent()
    }
    // Both at once: a restart each.
    for (let i = 0; i < restarts; i += 2) await Promise.all(nodes.map(killed))
    going = false
    const { sent, lost } = await loss
    for (const [node, sandbox] of [
      [n1, one],
      [n2, two],
    ] as const)
      assert.equal((await node.cni('DEL', sandbox)).code, 0)
    await Promise.all(nodes.map(bare))
    assert.ok(sent >= 200)
    assert.equal(lost, 0, `${lost} of ${sent} packets in ${restarts} restarts`)
  })

  test('killed in the middle of an ADD, what follows leaves nothing: DEL, GC, or another ADD and its DEL', async () => {
    const node = nodes[0]!
    const random = seeded(5)
    const sandbox = await podOn(node, 'mid')
    for (let trial = 0; trial < trials(20); trial++) {
      const adding = node.cni('ADD', sandbox)
      await pause(random() * 60)
      await node.killAgent()
      await node.startAgent()
      await adding
      const then = ['DEL', 'GC', 'ADD'][trial % 3]!
      const { code, said } = await node.cni(then, sandbox, then === 'GC' ? { cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] } : {})
      assert.equal(code, 0, `${then}: ${said.msg ?? ''}`)
      if (then === 'ADD') assert.equal((await node.cni('DEL', sandbox)).code, 0)
      await bare(node)
    }
  })

  test('a node of 250 pods, come and gone again and again: no file, interface, namespace, flow and no memory stays', async (t) => {
    const node = nodes[0]!
    const many = {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Subnet',
      metadata: { name: 'many' },
      spec: { vpc: 'net', ipv4: { cidr: '10.9.0.0/23' } },
    }
    await agents.rest.call('POST', pathOf('Subnet', 'a'), many)
    const isReady = async (): Promise<boolean> =>
      (await agents.rest.call('GET', pathOf('Subnet', 'a', 'many'))).body.status?.phase === 'ready'
    await until(isReady, 'the Subnet is validated')
    const nics = { 'megrez.io/nics': '[{"name":"eth0","subnet":"many"}]' }
    const sandboxes = await Promise.all(Array.from({ length: 250 }, (_, i) => agents.pod(node, `churned-${i}`, nics)))
    const flows = async (): Promise<number> => (await node.carrier.ovs.ofctl('dump-flows', 'mgz-int')).split('\n').length
    const flowsBefore = await flows()
    const leftBehind = async (): Promise<{ files: number; flows: number; namespaces: string[] }> => {
      await bare(node)
      await until(async () => (await flows()) === flowsBefore, 'as many flows as before')
      return {
        files: await filesOf(node),
        flows: await flows(),
        namespaces: (await readdir('/var/run/netns')).filter((name) => name.startsWith(agents.lab.id)).sort(),
      }
    }
    /** All come, then all go, a kubelet's number at a time; milliseconds of a middling ADD. */
    const round = async (): Promise<number> => {
      const took: number[] = []
      await atATime(16, sandboxes, async (sandbox) => {
        const { code, said, tookMs } = await node.cni('ADD', sandbox)
        assert.equal(code, 0, said.msg)
        took.push(tookMs)
      })
      await atATime(16, sandboxes, (sandbox) => agents.del(node, sandbox))
      return took.sort((a, b) => a - b)[took.length / 2]!
    }
    const rounds = Math.max(4, trials(16))
    // What is loaded and compiled with the first calls is no leak.
    for (let warm = 0; warm < rounds / 4; warm++) await round()
    const before = await leftBehind()
    const [memory, adds]: [Memory[], number[]] = [[], []]
    // Another switch of the machine is worked hard meanwhile.
    const beside = run(process.execPath, ['--disable-warning=ExperimentalWarning', bench, 'ovs-ports'])
    for (let n = 0; n < rounds; n++) memory.push(await leastDuring(node, async () => void adds.push(await round())))
    t.diagnostic(`a middling ADD took ${adds.map((ms) => ms.toFixed(1)).join(', ')} ms`)
    const { code, stderr } = await beside
    assert.equal(code, 0, stderr)
    const now = await leftBehind()
    assert.deepEqual({ ...now, files: 0 }, { ...before, files: 0 })
    // Connections to the store are kept for some seconds after their last use; what has leaked stays.
    await until(async () => (await filesOf(node)) <= before.files + 2, `no more files than ${before.files}`, 30_000)
    const [first, last] = [leastOf(memory.slice(0, rounds / 2)), leastOf(memory.slice(rounds / 2))]
    const said = JSON.stringify(memory)
    // A KiB a cycle would be seen at the full number.
    assert.ok(last.heap <= first.heap + 3 * mib, `the heap grows: ${said}`)
    assert.ok(last.rss <= first.rss * 1.05 + 8 * mib, `resident memory grows: ${said}`)
  })

  test('what an operator deletes in the switch is put back within five seconds, and counted', async () => {
    const node = nodes[0]!
    const sandbox = await podOn(node, 'kept')
    await added(node, sandbox)
    const [port] = await ourPorts(node)
    await node.carrier.ovs.vsctl('del-port', port!)
    await until(async () => (await ourPorts(node)).includes(port!), 'the port is back', 5_000)
    await node.carrier.ovs.ofctl('del-flows', 'mgz-int')
    await until(async () => (await node.carrier.ovs.ofctl('dump-flows', 'mgz-int')).split('\n').length > 5, 'the flows are back', 5_000)
    await until(async () => (await node.log()).includes('was not as it should be: repaired'), 'the agent tells')
    assert.equal((await node.cni('CHECK', sandbox)).code, 0)
    assert.equal((await node.cni('DEL', sandbox)).code, 0)
    await bare(node)
  })
})
