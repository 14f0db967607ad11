// A node with BESS and a node with Open vSwitch in one VNI: both speak VXLAN as RFC 7348 has it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { noNamespaces } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { ovs } from '../../agent/dataplanes/ovs.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { bessSkip, openTestNodes, pings, plug, segment, settle, signal, wantedOf, type BessNode, type TestNodes } from './test-nodes.ts'

const [vni, hereMac, thereMac] = [5001, '02:00:00:00:00:01', '02:00:00:00:00:02'] as const
const skip = bessSkip !== false ? bessSkip : ((await noNamespaces()) ?? false)

/** Frames of the pod at port 10 by MAC into the tunnel and back, and ARP answered for the one address that is elsewhere. */
async function wire(node: OvsNode, { tunnelAddress, far }: { readonly tunnelAddress: string; readonly far: string }): Promise<void> {
  await node.vsctl(
    'add-br',
    'br-int',
    '--',
    'set',
    'bridge',
    'br-int',
    'datapath_type=netdev',
    'fail-mode=secure',
    'protocols=OpenFlow13,OpenFlow14',
  )
  await node.vsctl(
    'add-port',
    'br-int',
    'vx0',
    '--',
    'set',
    'interface',
    'vx0',
    'type=vxlan',
    'options:remote_ip=flow',
    `options:local_ip=${tunnelAddress}`,
    'options:key=flow',
    'ofport_request=1',
  )
  await node.vsctl('add-port', 'br-int', 'tap0', '--', 'set', 'interface', 'tap0', 'ofport_request=10')
  const answer = `move:NXM_OF_ETH_SRC[]->NXM_OF_ETH_DST[],set_field:${hereMac}->eth_src,load:2->NXM_OF_ARP_OP[],move:NXM_NX_ARP_SHA[]->NXM_NX_ARP_THA[],move:NXM_OF_ARP_SPA[]->NXM_OF_ARP_TPA[],load:0x${hereMac.replaceAll(':', '')}->NXM_NX_ARP_SHA[],load:0x0a000001->NXM_OF_ARP_SPA[],in_port`
  const flows = [
    `priority=100,arp,in_port=10,arp_op=1,arp_tpa=10.0.0.1 actions=${answer}`,
    `priority=90,in_port=10,ip,dl_dst=${hereMac} actions=set_field:${vni}->tun_id,set_field:${far}->tun_dst,output:1`,
    `priority=90,in_port=1,tun_id=${vni},dl_dst=${thereMac} actions=output:10`,
  ]
  for (const flow of flows) await node.ofctl('add-flow', 'br-int', flow)
}

interface Both {
  readonly nodes: TestNodes
  readonly node: BessNode
  readonly ovs: OvsNode
}

async function both(): Promise<Both> {
  const nodes = await openTestNodes()
  const node = await nodes.node('a', '192.168.50.1')
  const ovs = await startOvsNode({ name: `${nodes.prefix}o`, folder: join(nodes.folder, 'o') })
  nodes.onClose(() => ovs.stop())
  await nodes.underlay.join(ovs, '192.168.50.2')
  return { nodes, node, ovs }
}

test('both data planes carry one VNI, each with the other as its remote, and route between its subnets', { skip }, async () => {
  const { nodes, node, ovs: switched } = await both()
  try {
    const far = await nodes.namespace('op')
    await plug(switched.namespace, far, { ifcName: 'mgz9', mac: thereMac, cidr: '10.0.1.2/24' })
    await far.ip('route', 'add', 'default', 'via', '10.0.1.254')
    const pod = await node.pod({ number: 1, vni, address: '10.0.0.1', mac: hereMac })
    await pod.namespace.ip('route', 'add', 'default', 'via', '10.0.0.254')
    const subnets = [
      { cidr: '10.0.0.0/24', gateway: '10.0.0.254' },
      { cidr: '10.0.1.0/24', gateway: '10.0.1.254' },
    ]
    // A tunnel packet is taken from those alone that have an address in its VNI.
    const segments = (hosts: readonly string[]) => [segment(vni, { subnets, hosts })]
    const port = { ...pod.port, uid: 'far', number: 9, ifcName: 'mgz9', mac: thereMac, addresses: ['10.0.1.2'] }
    const plane = ovs({
      node: 'o',
      db: switched.db,
      runDir: switched.folder,
      bridge: 'mgz-int',
      datapath: 'netdev',
      tunnelAddress: '192.168.50.2',
      tunnelL4Port: 4789,
      uplinks: {},
      clock: realClock,
      random: Math.random,
      log: silentLog(),
    })
    nodes.onClose(() => plane.close())
    await plane.open(signal)
    await settle(
      plane,
      wantedOf([port], {
        endpoints: [{ vni, address: '10.0.0.1', mac: hereMac, hostIP: '192.168.50.1' }],
        segments: segments(['192.168.50.1']),
      }),
    )
    await settle(
      await node.plane(),
      wantedOf([pod.port], {
        endpoints: [{ vni, address: '10.0.1.2', mac: thereMac, hostIP: '192.168.50.2' }],
        segments: segments(['192.168.50.2']),
      }),
    )
    assert.equal(await pings(pod.namespace, '10.0.1.2', { count: 6 }), true, 'from BESS')
    assert.equal(await pings(far, '10.0.0.1'), true, 'from Open vSwitch')
    await pod.namespace.ip('addr', 'add', '10.0.0.77/24', 'dev', 'eth0')
    assert.equal(await pings(pod.namespace, '10.0.1.2', { from: '10.0.0.77' }), false, 'a source that is not its own')
  } finally {
    await nodes.close()
  }
})

test('flows written by hand on Open vSwitch and a graph of ours reach each other over VXLAN, in their VNI alone', { skip }, async () => {
  const { nodes, node, ovs: switched } = await both()
  try {
    const far = await nodes.namespace('op')
    await plug(switched.namespace, far, { ifcName: 'tap0', mac: thereMac, cidr: '10.0.0.2/24' })
    await wire(switched, { tunnelAddress: '192.168.50.2', far: '192.168.50.1' })

    const pod = await node.pod({ number: 1, vni, address: '10.0.0.1', mac: hereMac })
    const stranger = await node.pod({ number: 2, vni: 5002, address: '10.0.0.1', mac: hereMac })
    const endpoints = [{ vni, address: '10.0.0.2', mac: thereMac, hostIP: '192.168.50.2' }]
    const segments = [segment(vni, { hosts: ['192.168.50.2'] }), segment(5002)]
    await settle(await node.plane(), wantedOf([pod.port, stranger.port], { endpoints, segments }))
    // The userspace datapath loses what is sent to a host that it has not asked for yet.
    assert.equal(await pings(pod.namespace, '10.0.0.2', { count: 6 }), true, 'from BESS')
    assert.equal(await pings(far, '10.0.0.1'), true, 'from Open vSwitch')
    assert.equal(await pings(stranger.namespace, '10.0.0.2'), false, 'from another VNI with the same address')
  } finally {
    await nodes.close()
  }
})
