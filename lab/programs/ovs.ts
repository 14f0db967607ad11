// Real Open vSwitch on one machine, as often as wanted: each node of the lab is a network namespace with an ovsdb-server and an
// ovs-vswitchd of its own, in a folder of its own, with the userspace datapath, which needs no kernel module.
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { until } from '../../platform/programs/until.ts'
import { run, type Outcome } from '../../platform/programs/run.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { makeNamespace, must, noNamespaces, type Namespace } from '../namespaces.ts'

const needed: Readonly<Record<string, string>> = {
  'ovs-vswitchd': 'openvswitch-switch',
  'ovsdb-server': 'openvswitch-switch',
  ip: 'iproute2',
  ethtool: 'ethtool',
  ping: 'iputils-ping',
  arping: 'iputils-arping',
  nft: 'nftables',
}
const schema = '/usr/share/openvswitch/vswitch.ovsschema'

/** Installs what a lab with Open vSwitch needs where that is allowed. @returns undefined when all is there, else what is missing */
export async function ovsMissing({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<string | undefined> {
  const missing = (): string[] => Object.keys(needed).filter((program) => onPath(program) === undefined)
  if (missing().length > 0 && install) {
    const why = await installPackages([...new Set(missing().map((program) => needed[program]!))], print)
    if (why !== undefined) return `Open vSwitch: ${why}`
  }
  if (missing().length > 0) return `Open vSwitch: ${missing().join(', ')} not on PATH, and installing was declined`
  return noNamespaces()
}

export interface OvsNode {
  readonly namespace: Namespace
  /** Holds the database, the logs, and the sockets `<bridge>.mgmt`. */
  readonly folder: string
  /** For the OVSDB client and for ovs-vsctl's --db. */
  readonly db: string
  /** ovs-vsctl on this node. @throws Error with what it said */
  vsctl(...args: readonly string[]): Promise<string>
  /** ovs-ofctl with OpenFlow 1.4, its bridge by name. @throws Error with what it said */
  ofctl(command: string, bridge: string, ...args: readonly string[]): Promise<string>
  /** ovs-appctl of ovs-vswitchd. */
  appctl(...args: readonly string[]): Promise<Outcome>
  /** kill -9, then started anew: all flows are gone, the database is not. */
  restartSwitch(): Promise<void>
  /** kill -9, then started anew. The userspace datapath forwards nothing in between. */
  restartOvsdb(): Promise<void>
  /** kill -STOP: it is there, and does nothing. @returns what lets it go on */
  hang(daemon: 'ovs-vswitchd' | 'ovsdb-server'): () => void
  /** Ends both, and takes the namespace and the folder away. Twice is once. */
  stop(): Promise<void>
}

interface OvsNodeOptions {
  readonly name: string
  readonly folder: string
  readonly inside?: Namespace
  readonly dpdk?: { readonly program: string; readonly otherConfig: readonly string[] }
}

/**
 * @param name    of the namespace, 8 characters at most where interfaces are named after it
 * @param inside  a namespace that is there already, and stays; `name` is its name
 * @param folder  made, and removed by `stop`; keep it short: a unix socket's path has room for 108 bytes
 * @param dpdk    another ovs-vswitchd, and what it is told
 */
export async function startOvsNode({ name, folder, inside, dpdk }: OvsNodeOptions): Promise<OvsNode> {
  await mkdir(folder, { recursive: true })
  const namespace = inside ?? (await makeNamespace(name))
  const db = `unix:${join(folder, 'db.sock')}`
  const env = { OVS_RUNDIR: folder, OVS_LOGDIR: folder, OVS_DBDIR: folder, OVS_SYSCONFDIR: folder }
  const start = (program: string, ...args: readonly string[]): Promise<KeptServer> =>
    keep('ip', ['netns', 'exec', name, program, ...args, '--no-chdir', '-vconsole:warn', '-vsyslog:off'], {
      log: join(folder, `${basename(program)}.log`),
      env,
    })
  const startOvsdb = async (): Promise<KeptServer> => {
    const kept = await start(
      'ovsdb-server',
      join(folder, 'conf.db'),
      `--remote=p${db}`,
      '--remote=db:Open_vSwitch,Open_vSwitch,manager_options',
      `--unixctl=${join(folder, 'ovsdb.ctl')}`,
    )
    await until(async () => (await run('ovs-vsctl', [`--db=${db}`, '--no-wait', 'init'])).code === 0, `ovsdb-server of ${name} answers`)
    return kept
  }
  const startSwitch = async (): Promise<KeptServer> => {
    const kept = await start(dpdk?.program ?? 'ovs-vswitchd', db, `--pidfile=${join(folder, 'ovs-vswitchd.pid')}`, '--disable-system')
    await until(
      async () =>
        (await run('ovs-vsctl', [`--db=${db}`, '--timeout=5', 'set', 'Open_vSwitch', '.', `external_ids:system-id=${name}`])).code === 0,
      `ovs-vswitchd of ${name} takes changes in`,
    )
    return kept
  }
  const again = async (kept: KeptServer, begin: () => Promise<KeptServer>): Promise<KeptServer> => {
    process.kill(kept.pid, 'SIGKILL')
    await kept.ended
    return begin()
  }
  await must('ovsdb-tool', 'create', join(folder, 'conf.db'), schema)
  let database = await startOvsdb()
  if (dpdk !== undefined)
    await must(
      'ovs-vsctl',
      `--db=${db}`,
      '--no-wait',
      'set',
      'Open_vSwitch',
      '.',
      ...dpdk.otherConfig.map((each) => `other_config:${each}`),
    )
  let vswitch = await startSwitch()
  const appctl = (...args: readonly string[]): Promise<Outcome> => run('ovs-appctl', args, { env })
  return {
    namespace,
    folder,
    db,
    vsctl: async (...args) => (await must('ovs-vsctl', `--db=${db}`, '--timeout=20', ...args)).stdout,
    ofctl: async (command, bridge, ...args) =>
      (await must('ovs-ofctl', '-O', 'OpenFlow14', command, `unix:${join(folder, `${bridge}.mgmt`)}`, ...args)).stdout,
    appctl,
    async restartSwitch() {
      vswitch = await again(vswitch, startSwitch)
    },
    async restartOvsdb() {
      database = await again(database, startOvsdb)
    },
    hang(daemon) {
      const { pid } = daemon === 'ovs-vswitchd' ? vswitch : database
      process.kill(pid, 'SIGSTOP')
      return () => void process.kill(pid, 'SIGCONT')
    },
    async stop() {
      await appctl('exit', '--cleanup')
      await vswitch.stop()
      await database.stop()
      if (inside === undefined) await namespace.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
