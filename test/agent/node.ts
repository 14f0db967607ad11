// A node of a test cluster: its agent on the memory data plane, called as the shim calls it, with a delegate that is a real program.
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memory, memoryNode, type MemoryNode } from '../../agent/dataplanes/memory.ts'
import { thisDisk } from '../../agent/ledger/disk.ts'
import { Ledger } from '../../agent/ledger/ledger.ts'
import { memoryLinks, type MemoryLinks } from '../../agent/links/memory.ts'
import type { Machine } from '../../agent/machine/machine.ts'
import { noAgentMeter, type AgentMeter } from '../../agent/metrics.ts'
import { startAgent, type Agent, type AgentDeps } from '../../agent/start.ts'
import { thisMachine } from '../../agent/machine/this-machine.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { PieceKinds } from '../../core/pieces/kind.ts'
import type { CniResult } from '../../core/wire/cni/cni.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { until } from '../../platform/programs/until.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'

/** Answers as a plugin does, and writes down how it was called. */
const delegate = (folder: string): string => `#!/bin/sh
read -r conf
echo "$CNI_COMMAND $CNI_CONTAINERID $CNI_IFNAME" >> ${folder}/calls
echo "$conf" > ${folder}/stdin-$CNI_COMMAND
if [ -e ${folder}/fail ]; then echo '{"cniVersion":"1.0.0","code":7,"msg":"told to fail"}'; exit 1; fi
if [ "$CNI_COMMAND" = ADD ]; then
  echo '{"cniVersion":"1.0.0","interfaces":[{"name":"'$CNI_IFNAME'","mac":"0a:00:00:00:00:01","sandbox":"'$CNI_NETNS'"}],"ips":[{"address":"10.244.0.5/24","interface":0,"gateway":"10.244.0.1"}],"dns":{}}'
fi
`

export interface Call {
  readonly containerID?: string
  readonly ifname?: string
  readonly netns?: string
  readonly pod?: Resource<'Pod'>
  readonly args?: string
  readonly conf?: object
  readonly version?: string
}
export interface Answer {
  readonly code: number
  readonly said: CniResult & { readonly msg?: string; readonly code?: number; readonly details?: string }
}

export interface TestNode {
  readonly folder: string
  readonly memory: MemoryNode
  readonly links: MemoryLinks
  readonly agent: Agent
  cni(command: string, call?: Call): Promise<Answer>
  /** What was sent as the shim sends it, whatever it is. */
  raw(bytes: Buffer): Promise<string>
  delegated(): Promise<readonly string[]>
  delegateFails(fails: boolean): Promise<void>
  /** A new agent on the same data plane, links and ledger. @param isReady false: it is not waited for until it is */
  restart(isReady?: boolean): Promise<void>
  /** As kill -9: nothing is said or written any more. */
  kill(): Promise<void>
  close(): Promise<void>
}

export interface NodeOptions {
  readonly store: Store
  readonly name: string
  readonly address: string
  readonly config?: Partial<Config>
  readonly meter?: AgentMeter
  readonly plane?: (memory: MemoryNode) => Dataplane
  readonly mtuMost?: number
  readonly uplink?: AgentDeps['uplink']
  readonly machine?: Partial<Machine>
  readonly kinds?: PieceKinds
}

export const sandboxArgs = ({ metadata }: Resource<'Pod'>): string =>
  `IgnoreUnknown=1;K8S_POD_NAMESPACE=${metadata.namespace ?? ''};K8S_POD_NAME=${metadata.name};K8S_POD_UID=${metadata.uid}`

export async function openNode(options: NodeOptions): Promise<TestNode> {
  const { store, name, address, meter = noAgentMeter, mtuMost = 1450 } = options
  const folder = await mkdtemp(join(tmpdir(), 'mz-agent-'))
  const at = (path: string): string => join(folder, path)
  await mkdir(at('bin'))
  await mkdir(at('conf'))
  await writeFile(at('bin/stub'), delegate(folder))
  await chmod(at('bin/stub'), 0o755)
  await writeFile(at('conf/10-cluster.conflist'), JSON.stringify({ cniVersion: '1.0.0', name: 'cluster', plugins: [{ type: 'stub' }] }))
  const config = readConfig(
    {},
    {
      agents: true,
      cniSocket: at('cni.sock'),
      cniBin: at('bin'),
      cniConf: at('conf'),
      cniDelegate: at('delegate'),
      ledger: at('ledger'),
      auditMs: 100,
      ...options.config,
    },
  )
  const memoryOf = memoryNode()
  const links = memoryLinks()
  const start = async (isReady = true): Promise<Agent> => {
    const ledger = await Ledger.open({
      disk: thisDisk,
      folder: config.ledger,
      node: name,
      log: silentLog(),
      now: () => Date.now(),
      boot: 'one',
    })
    const plane = options.plane?.(memoryOf) ?? memory(memoryOf)
    const agent = await startAgent({
      store,
      config,
      clock: realClock,
      random: Math.random,
      log: silentLog(),
      node: name,
      here: address,
      mtuMost,
      uplink: options.uplink ?? { why: 'it is of no matter here' },
      plane,
      links,
      machine: { ...thisMachine, ...options.machine },
      ledger,
      meter,
      ...(options.kinds && { kinds: options.kinds }),
    })
    if (isReady) await agent.ready
    return agent
  }
  const node = {
    folder,
    memory: memoryOf,
    links,
    agent: await start(),
    raw: (bytes: Buffer) => ask(config.cniSocket, bytes),
    async cni(
      command: string,
      { containerID = 'c1', ifname = 'eth0', netns = `/var/run/netns/${containerID}`, pod, args, conf = {}, version = '1.0.0' }: Call = {},
    ) {
      const env = {
        CNI_COMMAND: command,
        CNI_CONTAINERID: containerID,
        CNI_NETNS: netns,
        CNI_IFNAME: ifname,
        CNI_PATH: at('bin'),
        CNI_ARGS: args ?? (pod === undefined ? '' : sandboxArgs(pod)),
      }
      const text = await ask(
        config.cniSocket,
        shimBytes(env, JSON.stringify({ cniVersion: version, name: 'megrez', type: 'megrez', ...conf })),
      )
      const line = text.indexOf('\n')
      return { code: Number(text.slice(0, line)), said: JSON.parse(text.slice(line + 1) || '{}') as Answer['said'] }
    },
    delegated: async () => (await readFile(at('calls'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    delegateFails: (fails: boolean) => (fails ? writeFile(at('fail'), '') : rm(at('fail'), { force: true })),
    async restart(isReady = true) {
      await node.agent.stop()
      node.agent = await start(isReady)
    },
    async kill() {
      await node.agent.stop()
    },
    async close() {
      await node.agent.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return node
}

/** A test cluster with the Node n1, and its agent. */
export async function openTestClusterWithNode(
  more: Partial<NodeOptions> = {},
): Promise<{ readonly cluster: TestCluster; readonly node: TestNode }> {
  const [cluster, name, address] = [await openTestCluster(), 'n1', '192.0.2.1']
  await cluster.store.create({ kind: 'Node', metadata: { name }, spec: {} })
  await cluster.store.replaceForeignStatus({ kind: 'Node', name }, (await cluster.get('Node', name))!.metadata.uid, {
    addresses: [{ type: 'InternalIP', address }],
  })
  return { cluster, node: await openNode({ store: cluster.store, name, address, ...more }) }
}

/** Pod `a/web` on it, its NIC wired. */
export async function wireWeb(cluster: TestCluster, node: TestNode): Promise<void> {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
  await cluster.settle()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
}

export const shimBytes = (env: Readonly<Record<string, string>>, stdin: string): Buffer =>
  Buffer.from(
    `${Object.entries(env)
      .map(([key, value]) => `${key}=${value}\0`)
      .join('')}\0${stdin}`,
  )

function ask(path: string, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.end(bytes)
  })
}

/** Lines of what a node's data plane has of ours. */
export const thingsOf = ({ memory: { things } }: Pick<TestNode, 'memory'>): string[] =>
  [...things].map(([key, text]) => `${key} ${text}`).sort()
export const eventually = (holds: () => boolean | Promise<boolean>, what: string): Promise<void> => until(async () => holds(), what)
