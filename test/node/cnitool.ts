// A runtime that is not ours: cnitool calls the real shim by libcni, keeps the results and hands them on, as containerd and CRI-O do.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { shimPath, type AgentNode, type Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { cniVersions, type CniResult, type CniVersion } from '../../core/wire/cni/cni.ts'
import type { Outcome } from '../../platform/programs/run.ts'
import { until } from '../setup/until.ts'
import type { Agents } from './agents.ts'

/** Where test/run.ts has put them. */
const [tool, plugins] = [process.env.MEGREZ_TEST_CNITOOL, process.env.MEGREZ_TEST_CNI_PLUGINS]
export const cnitoolSkip: string | false =
  tool === undefined || plugins === undefined
    ? 'MEGREZ_TEST_CNITOOL names no cnitool: start it by node bootstrap.mjs test/run.ts node'
    : false

type Verb = 'add' | 'check' | 'del' | 'gc' | 'status'
interface Chain {
  readonly version: CniVersion
  readonly before?: readonly object[]
  readonly after?: readonly object[]
}

interface Runtime {
  run(verb: Verb, sandbox: Sandbox): Promise<Outcome>
  /** @throws AssertionError with what it said where it fails */
  must(verb: Verb, sandbox: Sandbox): Promise<Outcome>
  close(): Promise<void>
}

/** A runtime on a node, whose only network is a chain with our plugin in it. */
async function runtimeOn({ lab }: Agents, node: AgentNode, { version, before = [], after = [] }: Chain): Promise<Runtime> {
  const name = `megrez-${randomBytes(4).toString('hex')}`
  const folder = join(lab.folder, name)
  await mkdir(folder)
  await symlink(await shimPath(), join(folder, 'megrez'))
  const ours = { type: 'megrez', socket: join(lab.folder, node.name, 'cni.sock') }
  await writeFile(join(folder, '10-chain.conflist'), JSON.stringify({ cniVersion: version, name, plugins: [...before, ours, ...after] }))
  const run = (verb: Verb, { namespace, pod }: Sandbox): Promise<Outcome> =>
    node.namespace.exec(
      'env',
      `NETCONFPATH=${folder}`,
      `CNI_PATH=${folder}:${plugins!}`,
      `CNI_ARGS=IgnoreUnknown=1;K8S_POD_NAMESPACE=${pod.namespace};K8S_POD_NAME=${pod.name};K8S_POD_UID=${pod.uid}`,
      tool!,
      verb,
      name,
      `/var/run/netns/${namespace.name}`,
    )
  return {
    run,
    async must(verb, sandbox) {
      const done = await run(verb, sandbox)
      assert.equal(
        done.code,
        0,
        `cnitool ${verb}: ${done.stderr}${done.stdout}\n${(await node.log()).trim().split('\n').slice(-3).join('\n')}`,
      )
      return done
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const interfacesOf = async ({ namespace }: Sandbox): Promise<readonly string[]> =>
  [...(await namespace.ip('-o', 'link')).stdout.matchAll(/^\d+: ([^:@]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'lo')
    .sort()

/** An interface is taken away in its kernel a moment after DEL has answered. */
const emptied = (sandbox: Sandbox): Promise<void> =>
  until(async () => (await interfacesOf(sandbox)).length === 0, `nothing is left in ${sandbox.pod.name}`)

const filtering = (ifname: string): object => ({ type: 'tuning', sysctl: { [`net.ipv4.conf.${ifname}.arp_filter`]: '1' } })

/** The verbs of every version on one node, and chains with the standard plugins before and after ours. */
export function cnitoolTests(plane: string, place: () => { readonly agents: Agents; readonly node: AgentNode }): void {
  for (const version of cniVersions)
    test(`cnitool on ${plane}: ADD, CHECK, GC, STATUS and DEL in CNI ${version}`, async () => {
      const { agents, node } = place()
      const name = version.replaceAll('.', '-')
      const [one, two] = [await agents.pod(node, `${plane}-one-${name}`), await agents.pod(node, `${plane}-two-${name}`)]
      const runtime = await runtimeOn(agents, node, { version })
      try {
        const [first, second] = [await added(runtime, one), await added(runtime, two)]
        assert.equal(first.cniVersion, version)
        assert.deepEqual(
          first.interfaces?.map((each) => each.name),
          ['eth0'],
        )
        const [own, other] = [first, second].map(({ ips }) => ips![0]!.address) as [string, string]
        await until(() => reaches(one.namespace, other.replace(/\/.*/, ''), { tries: 1 }), 'one reaches the other', 20_000)
        assert.deepEqual(await added(runtime, one), first, 'asked twice, it is answered alike')
        await runtime.must('status', one)
        await runtime.must('check', one)
        await one.namespace.ip('addr', 'del', own, 'dev', 'eth0')
        const wrong = await runtime.run('check', one)
        assert.equal(wrong.code, 1, 'an address that is not there is seen')
        assert.match(wrong.stderr, new RegExp(own.replace(/\/.*/, '').replaceAll('.', '\\.')))
        for (let times = 0; times < 2; times++) await runtime.must('del', one)
        await emptied(one)
        assert.deepEqual(await interfacesOf(two), ['eth0'])
        await runtime.must('gc', two)
        await emptied(two)
      } finally {
        for (const sandbox of [one, two]) await runtime.run('del', sandbox)
        await runtime.close()
      }
    })

  test(`cnitool on ${plane}: in a chain the plugins before and after ours see each other's results`, async () => {
    const { agents, node } = place()
    const more = { 'megrez.io/cluster-nic': 'delegate', 'megrez.io/nics': '[{"name":"net1","subnet":"all"}]' }
    const pod = await agents.pod(node, `${plane}-chained`, more)
    const primary = {
      type: 'ptp',
      ipam: {
        type: 'host-local',
        dataDir: join(agents.lab.folder, `${plane}-ipam`),
        subnet: '10.99.0.0/24',
        routes: [{ dst: '0.0.0.0/0' }],
      },
    }
    const runtime = await runtimeOn(agents, node, { version: '1.0.0', before: [primary], after: [filtering('net1')] })
    try {
      const { interfaces = [], ips = [], routes = [] } = await added(runtime, pod)
      assert.deepEqual(
        ips.map(({ interface: at = -1 }) => interfaces[at]?.name),
        ['eth0', 'net1'],
      )
      assert.deepEqual(routes, [{ dst: '0.0.0.0/0' }], "the way out is the first plugin's")
      assert.deepEqual(await interfacesOf(pod), ['eth0', 'net1'])
      assert.equal((await pod.namespace.exec('sysctl', '-n', 'net.ipv4.conf.net1.arp_filter')).stdout.trim(), '1')
      await runtime.must('del', pod)
      await emptied(pod)
    } finally {
      await runtime.run('del', pod)
      await runtime.close()
    }
  })

  // Not with ptp, bridge or macvlan before ours: their CHECK looks for every address of the result on their own interface (plugins 1.1 to
  // 1.9).
  test(`cnitool on ${plane}: CHECK goes through a chain, and tells what its other plugin misses`, async () => {
    const { agents, node } = place()
    const pod = await agents.pod(node, `${plane}-checked`)
    const runtime = await runtimeOn(agents, node, { version: '1.0.0', after: [filtering('eth0')] })
    try {
      await added(runtime, pod)
      await runtime.must('check', pod)
      await pod.namespace.exec('sysctl', '-w', 'net.ipv4.conf.eth0.arp_filter=0')
      assert.match((await runtime.run('check', pod)).stderr, /arp_filter/)
      await runtime.must('del', pod)
      await emptied(pod)
    } finally {
      await runtime.run('del', pod)
      await runtime.close()
    }
  })

  test(`cnitool on ${plane}: while the agent is away STATUS says so, and afterwards all is well`, async () => {
    const { agents, node } = place()
    const pod = await agents.pod(node, `${plane}-away`)
    const runtime = await runtimeOn(agents, node, { version: '1.1.0' })
    try {
      await node.killAgent()
      const { code, stderr } = await runtime.run('status', pod)
      assert.equal(code, 1)
      assert.match(stderr, /agent of this node does not answer/)
      await node.startAgent()
      await runtime.must('status', pod)
      await added(runtime, pod)
      await runtime.must('del', pod)
      await emptied(pod)
    } finally {
      await runtime.run('del', pod)
      await runtime.close()
    }
  })
}

const added = async (runtime: Runtime, sandbox: Sandbox): Promise<CniResult> =>
  JSON.parse((await runtime.must('add', sandbox)).stdout) as CniResult
