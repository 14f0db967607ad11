// Doubles of CNI plugins that Debian does not have, or that want a card: what their pages say that a configuration does, done on a real
// Open vSwitch. An unknown field is refused: a word that the plugin does not know would mean nothing.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { ovsFolder } from '../setup/ovs.ts'
import type { Space } from './kernel.ts'

const common = `#!/usr/bin/env python3
import json, os, subprocess, sys
conf = json.load(sys.stdin)
command, pod, ifname = (os.environ['CNI_' + each] for each in ('COMMAND', 'NETNS', 'IFNAME'))
def run(*args): subprocess.run(args, check=True)
def inside(*args): run('nsenter', '--net=' + pod, '--', *args)
def vsctl(*args):
    asked = ['ovs-vsctl', '--db=' + os.environ['MEGREZ_TEST_DB'], '--timeout=20', *args]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout
def known(*fields):
    unknown = set(conf) - {'cniVersion', 'name', 'type', 'ipam', *fields}
    if unknown: sys.exit('no such field: ' + ', '.join(unknown))
`
/** ovs-cni, docs/cni-plugin.md (2026-11): vlan is the tag of an access port, trunk the list of a trunk's; without both all VLANs pass. */
const ovs = `${common}
known('bridge', 'vlan', 'trunk', 'mtu', 'interface_type', 'ofport_request')
port = 'veth' + str(abs(hash(pod)) % 10**8)
if command == 'ADD':
    run('ip', 'link', 'add', port, 'type', 'veth', 'peer', 'name', ifname, 'netns', pod)
    run('ip', 'link', 'set', port, 'up')
    vlan = ['tag=%d' % conf['vlan'], 'vlan_mode=access'] if 'vlan' in conf else []
    trunk = ['trunks=' + ','.join(str(each['id']) for each in conf['trunk']), 'vlan_mode=trunk'] if 'trunk' in conf else []
    vsctl('add-port', conf['bridge'], port, *vlan, *trunk, '--', 'set', 'Port', port, 'external_ids:pod=' + ifname)
    print('{}')
else:
    for each in vsctl('--bare', '--columns=name', 'find', 'Port', 'external_ids:pod=' + ifname).split():
        vsctl('del-port', each)
        run('ip', 'link', 'del', each)
`
/**
 * sriov-cni, docs/configuration-reference.md (2026-11): the VF that Multus names goes into the pod; the card tags its frames, with 0 none.
 */
const sriov = `${common}
known('deviceID', 'vlan', 'vlanQoS', 'mac', 'spoofchk', 'trust')
vf = conf['deviceID']
if command == 'ADD':
    if conf['vlan'] != 0: vsctl('set', 'Port', vf + 'r', 'tag=%d' % conf['vlan'])
    run('ip', 'link', 'set', vf, 'netns', pod, 'name', ifname)
    print('{}')
else:
    inside('ip', 'link', 'set', ifname, 'down')
    inside('ip', 'link', 'set', ifname, 'netns', os.environ['MEGREZ_TEST_HOME'], 'name', vf)
    vsctl('clear', 'Port', vf + 'r', 'tag')
`
const plugins = { ovs, sriov } as const

export interface Doubles {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** The bridge br-data with the uplink, and for SR-IOV a VF that its card's switch, the same bridge, has the other end of. */
export async function openDoubles(node: Space, uplink: string): Promise<Doubles> {
  const folder = await mkdtemp(join(tmpdir(), 'mgz-plugins-'))
  for (const [name, text] of Object.entries(plugins)) await writeFile(join(folder, name), text, { mode: 0o755 })
  const ovsNode: OvsNode = await startOvsNode({ name: node.namespace.name, folder: ovsFolder(), inside: node.namespace })
  await node.namespace.ip('link', 'add', 'vf0', 'type', 'veth', 'peer', 'name', 'vf0r')
  await node.namespace.ip('link', 'set', 'vf0r', 'up')
  const ports = [uplink, 'vf0r'].flatMap((name) => ['--', 'add-port', 'br-data', name])
  await ovsNode.vsctl('add-br', 'br-data', '--', 'set', 'bridge', 'br-data', 'datapath_type=netdev', 'fail-mode=standalone', ...ports)
  return {
    folder,
    env: { MEGREZ_TEST_DB: ovsNode.db, MEGREZ_TEST_HOME: node.path, PATH: process.env['PATH'] ?? '' },
    async close() {
      await ovsNode.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
