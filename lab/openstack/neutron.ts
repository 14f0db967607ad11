// A neutron-server on loopback: its settings, its life, and its API as plain HTTP.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { killAll } from './descendants.ts'
import { serviceUser } from './service-user.ts'
import type { MariaDb } from './mariadb.ts'
import { novaSettings, type NovaPlace } from './nova.ts'
import type { OvnCentral } from './ovn.ts'
import { transportOf } from './rabbitmq.ts'
import { iniOf, merged, type Settings } from './settings.ts'

/** What carries its ports: OVN, or Open vSwitch with an agent of Neutron's on each node. */
export type Mechanism = { readonly is: 'ovn'; readonly central: OvnCentral } | { readonly is: 'ovs'; readonly rabbitL4Port: number }

export interface NeutronOptions {
  readonly folder: string
  readonly database: MariaDb
  readonly l4Port: number
  readonly mechanism: Mechanism
  /** With `/v3`; absent: the server asks for no token. */
  readonly keystoneUrl?: string | undefined
  /** Who is told of ports; absent: nobody. */
  readonly nova?: NovaPlace | undefined
}

export interface NeutronServer {
  /** Without `/v2.0`. */
  readonly url: string
  /** Files with its settings, which its agents read too. */
  readonly config: readonly string[]
  /** kill -9 of all its processes. */
  kill(): Promise<void>
  /** After `kill`. Resolves when it answers. */
  start(): Promise<void>
  stop(): Promise<void>
}

const common = ({ folder, database, l4Port }: NeutronOptions): Settings => ({
  DEFAULT: {
    core_plugin: 'ml2',
    bind_host: '127.0.0.1',
    bind_port: l4Port,
    rpc_workers: 0,
    rpc_state_report_workers: 0,
    state_path: join(folder, 'state'),
    log_file: join(folder, 'neutron-server.log'),
    notify_nova_on_port_status_changes: false,
    notify_nova_on_port_data_changes: false,
    dhcp_agent_notification: false,
    api_paste_config: '/etc/neutron/api-paste.ini',
    max_allowed_address_pair: 50,
  },
  quotas: { quota_port: -1, quota_network: -1, quota_subnet: -1, quota_security_group: -1, quota_security_group_rule: -1 },
  database: { connection: database.url('neutron') },
  oslo_concurrency: { lock_path: join(folder, 'lock') },
  oslo_messaging_notifications: { driver: 'noop' },
  ml2: { extension_drivers: 'port_security,qos' },
  ml2_type_flat: { flat_networks: 'physnet1' },
  ml2_type_vlan: { network_vlan_ranges: 'physnet1:100:2000' },
  securitygroup: { enable_security_group: true },
})

function settingsOf(mechanism: Mechanism): Settings {
  if (mechanism.is === 'ovs')
    return {
      // Without workers API and RPC are in one process: half the memory, half the start.
      DEFAULT: { api_workers: 0, service_plugins: 'trunk,qos,segments', transport_url: transportOf(mechanism.rabbitL4Port) },
      ml2: { type_drivers: 'flat,vlan,vxlan', tenant_network_types: 'vxlan', mechanism_drivers: 'openvswitch' },
      ml2_type_vxlan: { vni_ranges: '1:10000' },
    }
  return {
    // Its driver registers itself in forked workers only: without one, the first write hangs.
    DEFAULT: { api_workers: 1, service_plugins: 'ovn-router,trunk,qos,segments', transport_url: 'fake://' },
    ml2: {
      type_drivers: 'local,flat,vlan,geneve',
      tenant_network_types: 'geneve',
      mechanism_drivers: 'ovn',
      overlay_ip_version: 4,
    },
    ml2_type_geneve: { vni_ranges: '1:65535', max_header_size: 38 },
    ovn: {
      ovn_nb_connection: mechanism.central.northbound,
      ovn_sb_connection: mechanism.central.southbound,
      ovn_metadata_enabled: false,
    },
  }
}

const novaOf = ({ keystoneUrl, nova }: NeutronOptions): Settings =>
  keystoneUrl === undefined || nova === undefined ? {} : novaSettings(keystoneUrl, nova)

function authOf(url: string | undefined): Settings {
  if (url === undefined) return { DEFAULT: { auth_strategy: 'noauth' } }
  return {
    DEFAULT: { auth_strategy: 'keystone' },
    keystone_authtoken: {
      www_authenticate_uri: url,
      ...serviceUser(url),
      // What is revoked is no longer taken so soon.
      token_cache_time: 5,
    },
  }
}

export async function startNeutronServer(options: NeutronOptions): Promise<NeutronServer> {
  const { folder, l4Port, mechanism, keystoneUrl } = options
  for (const each of ['state', 'lock']) await mkdir(join(folder, each), { recursive: true })
  const config = [join(folder, 'neutron.conf')]
  await writeFile(config[0]!, iniOf(merged(common(options), settingsOf(mechanism), authOf(keystoneUrl), novaOf(options))))
  const url = `http://127.0.0.1:${l4Port}`
  let kept: KeptServer | undefined
  const start = async (): Promise<void> => {
    kept = await keep(
      'neutron-server',
      config.flatMap((file) => ['--config-file', file]),
      { log: join(folder, 'neutron-server.out') },
    )
    const ended = kept.ended.then((code) => Promise.reject(new Error(`neutron-server ended with ${code}: see ${folder}`)))
    ended.catch(() => undefined)
    await Promise.race([until(async () => (await fetch(url)).ok, 'neutron-server answers', 90_000), ended])
  }
  const kill = async (): Promise<void> => {
    await killAll(kept!.pid)
    await kept!.stop()
  }
  await start()
  return {
    url,
    config,
    start,
    kill,
    // Asked to end it takes a while, and what it would do then is of no worth.
    stop: kill,
  }
}
