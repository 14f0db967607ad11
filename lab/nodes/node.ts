// A node of the lab without Kubernetes: a namespace with a data plane and an agent of its own, which talks to a standalone server over
// its socket, and pods that are namespaces, wired by the real CNI shim.
import { spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import { run } from '../../platform/programs/run.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import type { Lab } from '../lab.ts'
import { makeNamespace, type Namespace } from '../namespaces.ts'
import type { OvsNode } from '../programs/ovs.ts'
import { underlayMtu, type Underlay } from '../underlay.ts'
import { ovsCarrier, type Carrier, type CarrierPlace } from './carriers.ts'

const root = resolve(import.meta.dirname, '../..')
const readyMs = 30_000
/** Of Node.js, as the chart starts an agent. */
export const agentFlags = [
  '--disable-warning=ExperimentalWarning',
  '--optimize-for-size',
  '--no-concurrent-sparkplug',
  '--max-semi-space-size=2',
  '--max-old-space-size=256',
]

export interface NodeOptions {
  readonly lab: Lab
  readonly underlay: Underlay
  /** Of the Node object. */
  readonly name: string
  /** That others tunnel to. */
  readonly address: string
  /** Of the standalone server. */
  readonly store: string
  readonly shim: string
  readonly env?: Readonly<Record<string, string>>
}

/** A pod's sandbox, as a runtime would have it. */
export interface Sandbox {
  readonly containerID: string
  readonly namespace: Namespace
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string }
}
export interface CniAnswer {
  readonly code: number
  readonly said: { readonly msg?: string; readonly ips?: readonly { readonly address: string }[]; readonly [more: string]: unknown }
  readonly tookMs: number
}

export interface AgentNode {
  readonly name: string
  /** Its own. */
  readonly namespace: Namespace
  /** Of the agent that runs now. */
  readonly agentPid: number
  /** A sandbox for a pod: a namespace. */
  sandbox(pod: Sandbox['pod'], containerID?: string): Promise<Sandbox>
  /** Calls the shim as a runtime would, or for another interface than eth0 as Multus would. */
  cni(command: string, sandbox: Sandbox, more?: object, ifname?: string): Promise<CniAnswer>
  /** kill -9; resolves when it is gone. */
  killAgent(): Promise<void>
  /** @param more settings, of this life alone */
  startAgent(more?: Readonly<Record<string, string>>): Promise<void>
  /** Lines that the agent has logged, of all its lives. */
  log(): Promise<string>
  stop(): Promise<void>
}

/** A node with an Open vSwitch of its own. */
export interface LabNode extends AgentNode {
  readonly ovs: OvsNode
}

export async function startNode(options: NodeOptions): Promise<LabNode> {
  const node = await startNodeOn(options, ovsCarrier)
  return Object.assign(node, { ovs: node.carrier.ovs })
}

/** @param carry starts what carries the node's packets */
export async function startNodeOn<C extends Carrier>(
  { lab, underlay, name, address, store, shim, env = {} }: NodeOptions,
  carry: (place: CarrierPlace) => Promise<C>,
): Promise<AgentNode & { readonly carrier: C }> {
  const home = join(lab.folder, name)
  await mkdir(home)
  const carrier = await carry({ lab, underlay, name, address, home })
  const { namespace } = carrier
  const socket = join(home, 'cni.sock')
  const settings = {
    ...carrier.settings,
    MEGREZ_NODE: name,
    MEGREZ_AGENTS: 'true',
    MEGREZ_STORE_SOCKET: store,
    MEGREZ_TUNNEL_ADDRESS: address,
    MEGREZ_UNDERLAY_MTU: String(underlayMtu),
    MEGREZ_CNI_SOCKET: socket,
    MEGREZ_CNI_BIN: join(home, 'bin'),
    MEGREZ_CNI_CONF: join(home, 'conf'),
    MEGREZ_CNI_DELEGATE: join(home, 'delegate'),
    MEGREZ_LEDGER: join(home, 'ledger'),
    MEGREZ_LISTEN_HOST: '127.0.0.1',
    MEGREZ_HEALTH_L4PORT: '0',
    ...env,
  }
  const log = `agent-${name}`
  const logged = (): Promise<string> => readFile(join(lab.folder, `${log}.log`), 'utf8').catch(() => '')
  const timesReady = async (): Promise<number> => (await logged()).split('"msg":"the agent is ready"').length - 1
  let agent: KeptServer | undefined
  const startAgent = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const before = await timesReady()
    agent = await lab.start(process.execPath, [...agentFlags, join(root, 'agent/main.ts')], {
      log,
      space: { name: namespace.name, pid: 0, enter: ['ip', 'netns', 'exec', namespace.name] },
      env: { ...settings, ...more },
    })
    const ended = agent.ended.then((code) => Promise.reject(new Error(`the agent of ${name} ended with ${code}`)))
    ended.catch(() => undefined)
    const ready = until(async () => (await timesReady()) > before, `the agent of ${name} is ready`, readyMs)
    await Promise.race([ready, ended]).catch(async (err: unknown) => {
      throw new Error(`${(err as Error).message}\n${(await logged()).trim().split('\n').slice(-5).join('\n')}`)
    })
  }
  await startAgent()
  const inside = new Map<string, Namespace>()
  return {
    name,
    carrier,
    namespace,
    startAgent,
    log: logged,
    get agentPid() {
      return agent?.pid ?? 0
    },
    async sandbox(pod, containerID = pod.uid) {
      const own = inside.get(containerID) ?? (await makeNamespace(`${lab.id}-${containerID.slice(0, 8)}`))
      inside.set(containerID, own)
      return { containerID, namespace: own, pod }
    },
    cni: (command, { containerID, namespace: own, pod }, more = {}, ifname = 'eth0') => {
      const args = `IgnoreUnknown=1;K8S_POD_NAMESPACE=${pod.namespace};K8S_POD_NAME=${pod.name};K8S_POD_UID=${pod.uid}`
      const conf = { cniVersion: '1.0.0', name: 'megrez', type: 'megrez', socket, ...more }
      return callShim(
        shim,
        {
          CNI_COMMAND: command,
          CNI_CONTAINERID: containerID,
          CNI_NETNS: `/var/run/netns/${own.name}`,
          CNI_IFNAME: ifname,
          CNI_PATH: '/opt/cni/bin',
          CNI_ARGS: args,
        },
        JSON.stringify(conf),
      )
    },
    async killAgent() {
      process.kill(agent?.pid ?? 0, 'SIGKILL')
      await agent?.ended
    },
    async stop() {
      await agent?.stop()
      for (const own of inside.values()) await own.remove()
      await carrier.stop()
    },
  }
}

function callShim(shim: string, env: Readonly<Record<string, string>>, stdin: string): Promise<CniAnswer> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(shim, [], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code: code ?? -1, said: JSON.parse(text === '' ? '{}' : text) as CniAnswer['said'], tookMs: performance.now() - began }),
    )
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
  })
}

/** Where the shim is, built where it is not yet. */
export async function shimPath(): Promise<string> {
  const { code, stdout, stderr } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(root, 'agent/native/build.ts'),
  ])
  const path = stdout.trim().split('\n').at(-1)
  if (code !== 0 || path === undefined) throw new Error(`the shim cannot be built: ${stdout} ${stderr}`)
  return path
}
