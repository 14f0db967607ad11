// OVN: the databases and the translator that stand beside neutron-server, and what makes a node one of its chassis.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { must } from '../namespaces.ts'
import type { OvsNode } from '../programs/ovs.ts'

export interface OvnCentral {
  /** For OVSDB clients. */
  readonly northbound: string
  readonly southbound: string
  stop(): Promise<void>
}

const databases = { nb: 'ovn-nb.ovsschema', sb: 'ovn-sb.ovsschema' }
const quiet = ['-vconsole:warn', '-vsyslog:off']

/** @param folder its path is short: there are sockets in it */
export async function startOvnCentral(folder: string): Promise<OvnCentral> {
  await mkdir(folder, { recursive: true })
  const kept: KeptServer[] = []
  const env = { OVN_RUNDIR: folder, OVS_RUNDIR: folder, OVN_LOGDIR: folder }
  const socket = (name: string): string => `unix:${join(folder, `${name}.sock`)}`
  for (const [name, schema] of Object.entries(databases)) {
    await must('ovsdb-tool', 'create', join(folder, `${name}.db`), `/usr/share/ovn/${schema}`)
    const args = [
      join(folder, `${name}.db`),
      `--remote=p${socket(name)}`,
      `--unixctl=${join(folder, `${name}.ctl`)}`,
      '--no-chdir',
      ...quiet,
    ]
    kept.push(await keep('ovsdb-server', args, { log: join(folder, `${name}.log`), env }))
    await until(
      async () => (await run(`ovn-${name}ctl`, [`--db=${socket(name)}`, 'init'])).code === 0,
      `ovsdb-server of OVN's ${name} answers`,
    )
  }
  const northd = [
    `--ovnnb-db=${socket('nb')}`,
    `--ovnsb-db=${socket('sb')}`,
    `--unixctl=${join(folder, 'northd.ctl')}`,
    '--no-chdir',
    ...quiet,
  ]
  kept.push(await keep('ovn-northd', northd, { log: join(folder, 'northd.log'), env }))
  return {
    northbound: socket('nb'),
    southbound: socket('sb'),
    async stop() {
      for (const each of kept.toReversed()) await each.stop()
    },
  }
}

export interface Chassis {
  readonly southbound: string
  /** The node's, as Neutron names it in `binding:host_id`. */
  readonly host: string
  /** That other chassis tunnel to. */
  readonly address: string
}

/** Starts OVN's agent on a node, with Geneve between chassis. @returns what ends it */
export async function joinOvn(
  { namespace, folder, db, vsctl }: OvsNode,
  { southbound, host, address }: Chassis,
): Promise<() => Promise<void>> {
  const settings = {
    hostname: host,
    'ovn-remote': `"${southbound}"`,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': address,
    'ovn-bridge-datapath-type': 'netdev',
    'ovn-bridge': 'br-int',
  }
  await vsctl('set', 'Open_vSwitch', '.', ...Object.entries(settings).map(([name, value]) => `external_ids:${name}=${value}`))
  await vsctl('--may-exist', 'add-br', 'br-int', '--', 'set', 'bridge', 'br-int', 'datapath_type=netdev', 'fail-mode=secure')
  const kept = await keep('ip', ['netns', 'exec', namespace.name, 'ovn-controller', db, '--no-chdir', ...quiet], {
    log: join(folder, 'ovn-controller.log'),
    env: { OVS_RUNDIR: folder, OVN_RUNDIR: folder, OVN_LOGDIR: folder },
  })
  return () => kept.stop()
}
