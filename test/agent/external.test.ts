// Interfaces in VLANs, as Multus has our plugin make them from NetworkAttachmentDefinitions.
import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { memory } from '../../agent/dataplanes/memory.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { definitionOf } from '../../core/plan/l2/definitions.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { eventually, openNode, sandboxArgs, shimBytes, thingsOf, type Answer, type Call, type NodeOptions, type TestNode } from './node.ts'

const plane: NonNullable<NodeOptions['plane']> = (there) => ({
  ...memory(there),
  open: () => Promise.resolve({ memory: true, 'vlan:physnet1': true }),
})
let cluster: TestCluster
let node: TestNode
beforeEach(async () => {
  cluster = await openTestCluster({ idle: true })
  await attachment('access', 100)
  node = await openNode({
    store: cluster.store,
    name: 'n1',
    address: '192.0.2.1',
    config: { cniConcurrency: 1 },
    plane,
  })
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const conf = (more: object = {}): object => ({
  name: 'signalling',
  attachment: 'a/signalling',
  interfaceType: 'kernel',
  physicalNetwork: 'physnet1',
  vlanType: 'access',
  vlans: [100],
  ...more,
})
/** As the runtime names the pod; its object is not asked for. */
const argsOf = (namespace: string): string => `IgnoreUnknown=1;K8S_POD_NAMESPACE=${namespace};K8S_POD_NAME=plain`
const net1 = (command: string, more: object = {}, call: Call = {}): Promise<Answer> =>
  node.cni(command, { ifname: 'net1', args: argsOf('a'), conf: conf(more), ...call })
const ports = (): string[] => thingsOf(node).filter((line) => line.startsWith('port/'))

type VlanType = Resource<'L2ServiceAttachment'>['spec']['vlanType']

/** An L2ServiceAttachment whose fabric is open, by workers' word. */
async function attachment(vlanType: VlanType, ...vlans: readonly number[]): Promise<Resource<'L2ServiceAttachment'>> {
  const ref = { kind: 'L2ServiceAttachment', namespace: 'a', name: 'signalling' } as const
  const there = await cluster.store.get(ref)
  const spec = { l2Services: ['s'], connectionPoint: 'cp', vlanType }
  const item =
    there === undefined ? await cluster.make('L2ServiceAttachment', 'a/signalling', spec) : await cluster.store.update({ ...there, spec })
  const definition = { vlans: [...vlans], physicalNetwork: 'physnet1', implementation: 'megrez', definition: 'signalling' }
  await cluster.store.patchStatus({ ref, uid: item.metadata.uid }, { definition, report: { phase: 'ready' } })
  return item
}

test('an interface is in its VLAN, and in no VPC', async () => {
  const { code, said } = await net1('ADD')
  assert.equal(code, 0, JSON.stringify(said))
  const [port] = ports()
  assert.match(port!, /^port\/external\/c1\/net1 mgz\w+ number 1 access physnet1 100 .* mtu 1500 kernel/)
  assert.deepEqual(
    said.interfaces?.map(({ name, sandbox }) => [name, sandbox]),
    [
      [port!.split(' ')[1], undefined],
      ['net1', '/var/run/netns/c1'],
    ],
  )
  assert.ok(thingsOf(node).includes('guard/external/c1/net1 from any'))
  assert.deepEqual(await node.delegated(), [])
  assert.deepEqual(await net1('ADD'), { code, said })
  assert.equal((await net1('CHECK', { prevResult: said })).code, 0)
})

test('its definition is what workers write', async () => {
  const item = await attachment('selectivetrunk', 200, 100)
  const { spec } = definitionOf({
    attachment: item,
    choice: { cni: { name: 'megrez', supportedInterfaceTypes: ['kernel'] }, podInterfaceType: 'kernel' },
    vlans: [200, 100],
    allowed: [100, 200],
    physicalNetwork: 'physnet1',
    ipam: undefined,
  })
  const written = JSON.parse(spec.config!) as { readonly cniVersion: string }
  const { code, said } = await node.cni('ADD', { ifname: 'net1', args: argsOf('a'), conf: written, version: written.cniVersion })
  assert.equal(code, 0, JSON.stringify(said))
  assert.match(ports()[0]!, /selectivetrunk physnet1 100,200/)
})

test('DEL takes it away, also twice and without its namespace, and leaves the other interfaces of the sandbox', async () => {
  await net1('ADD')
  assert.equal((await net1('ADD', {}, { ifname: 'net2' })).code, 0)
  assert.equal((await net1('DEL')).code, 0)
  assert.equal((await net1('DEL', {}, { netns: '' })).code, 0)
  await eventually(() => ports().length === 1, 'one port is left')
  assert.match(ports()[0]!, /net2/)
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.ifname),
    ['net2'],
  )
  assert.equal((await net1('CHECK')).code, 103)
})

test('the end of the sandbox is the end of what Multus forgot', async () => {
  const pod = await cluster.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  await node.cni('ADD', { pod })
  await net1('ADD')
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  assert.equal(node.links.there.size, 0)
})

test("GC of its network takes what is not named, GC of the cluster's network only what is of no sandbox", async () => {
  const pod = await cluster.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  for (const containerID of ['c1', 'c2']) {
    await node.cni('ADD', { pod, containerID })
    await net1('ADD', {}, { containerID })
  }
  const valid = (...ids: readonly string[]) => ({
    'cni.dev/valid-attachments': ids.map((containerID) => ({ containerID, ifname: 'eth0' })),
  })
  assert.equal((await node.cni('GC', { conf: valid('c1', 'c2'), version: '1.1.0' })).code, 0)
  assert.equal(node.links.there.size, 2)
  assert.equal((await node.cni('GC', { conf: valid('c2'), version: '1.1.0' })).code, 0)
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.netns),
    ['/var/run/netns/c2'],
  )
  assert.equal((await node.cni('GC', { conf: conf({ 'cni.dev/valid-attachments': [] }), version: '1.1.0' })).code, 0)
  assert.equal(node.links.there.size, 0)
})

test('an agent that starts anew has it as it was, and takes it away when it is told to', async () => {
  await net1('ADD')
  const before = thingsOf(node)
  await node.restart()
  assert.deepEqual(thingsOf(node), before)
  assert.equal(node.links.there.size, 1)
  assert.equal((await net1('CHECK')).code, 0)
  assert.equal((await net1('DEL')).code, 0)
  assert.equal(node.links.there.size, 0)
})

test('VLANs of running pods follow their L2ServiceAttachment, over a restart too, and stay where it is being deleted', async () => {
  const item = await attachment('trunk', 100)
  await net1('ADD', { vlanType: 'trunk' })
  await attachment('trunk', 100, 200)
  await eventually(() => ports()[0]?.includes('trunk physnet1 100,200') === true, 'the trunk has both')
  await node.restart()
  assert.match(ports()[0]!, /trunk physnet1 100,200/)
  await attachment('trunk', 200)
  await eventually(() => ports()[0]?.includes('trunk physnet1 200 ') === true, 'the first is gone from it')
  // A definition of before: what is known by now counts.
  await net1('ADD', { vlanType: 'trunk' }, { ifname: 'net2' })
  await eventually(() => ports().every((line) => line.includes('trunk physnet1 200 ')), 'both have what counts now')
  assert.deepEqual(node.agent.env.externals.followed, ['a/signalling'])
  await cluster.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: item.metadata.name })
  for (const ifname of ['net1', 'net2']) {
    assert.match(ports()[0]!, /trunk physnet1 200 /)
    await net1('DEL', { vlanType: 'trunk' }, { ifname })
  }
  assert.deepEqual(node.agent.env.externals.followed, [])
})

test("a delegate that comes back to us, as Multus does, is served while its pod's own call waits for it", async () => {
  const pod = await cluster.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  const env = {
    CNI_COMMAND: '$CNI_COMMAND',
    CNI_CONTAINERID: 'c1',
    CNI_NETNS: '/var/run/netns/c1',
    CNI_IFNAME: 'net1',
    CNI_PATH: '/bin',
    CNI_ARGS: sandboxArgs(pod),
  }
  const bytes = (command: string): string =>
    shimBytes({ ...env, CNI_COMMAND: command }, JSON.stringify({ cniVersion: '1.0.0', type: 'megrez', ...conf() })).toString('hex')
  const call = `import socket,os
s=socket.socket(socket.AF_UNIX);s.connect("${node.agent.env.config.cniSocket}")
s.sendall(bytes.fromhex({"ADD":"${bytes('ADD')}","DEL":"${bytes('DEL')}"}[os.environ["CNI_COMMAND"]]));s.shutdown(socket.SHUT_WR)
assert s.recv(9)[:2]==b"0\\n"
print('{"cniVersion":"1.0.0"}' if os.environ["CNI_COMMAND"]=="ADD" else "")`
  await writeFile(join(node.folder, 'bin/stub'), `#!/usr/bin/env python3\n${call}\n`)
  await chmod(join(node.folder, 'bin/stub'), 0o755)
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 0, JSON.stringify(said))
  assert.equal(node.links.there.size, 1)
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  assert.equal(node.links.there.size, 0)
})

test('addresses come from the IPAM plugin of the definition, and go back to it', async () => {
  const ipam = { ipam: { type: 'stub', range: '10.1.0.0/24' } }
  const { code, said } = await net1('ADD', ipam)
  assert.equal(code, 0, JSON.stringify(said))
  assert.deepEqual(said.ips, [{ address: '10.244.0.5/24', interface: 1, gateway: '10.244.0.1' }])
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.addresses),
    [['10.244.0.5/24']],
  )
  assert.equal((await net1('CHECK', ipam)).code, 0)
  // Nobody who calls the end of a sandbox knows the plugin.
  const pod = await cluster.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  assert.equal((await node.cni('DEL', { pod, containerID: 'c1' })).code, 0)
  assert.deepEqual(await node.delegated(), ['ADD c1 net1', 'CHECK c1 net1', 'DEL c1 eth0', 'DEL c1 net1'])
})

test('what cannot be made is refused in words, and leaves nothing', async () => {
  const refused: readonly (readonly [object, number, RegExp])[] = [
    [{ vlans: [] }, 7, /vlans lists VLANs from 1 to 4094, one at least/],
    [{ vlans: [4095] }, 7, /vlans/],
    [{ vlans: [1, 2] }, 7, /one VLAN where vlanType is access/],
    [{ vlanType: 'all' }, 7, /vlanType is access, trunk or selectivetrunk/],
    [{ interfaceType: 'sriov' }, 7, /interfaceType is kernel or dpdk/],
    [{ runtimeConfig: { mac: '01:00:00:00:00:01' } }, 7, /no MAC address/],
    [{ ipam: { type: 'megrez' } }, 7, /ipam whereabouts/],
    [{ attachment: undefined }, 7, /attachment names no L2ServiceAttachment: namespace\/name of one is needed/],
  ]
  for (const [more, code, message] of refused) {
    const { code: got, said } = await net1('ADD', more)
    assert.equal(got, code, JSON.stringify(said))
    assert.match(said.msg ?? '', message)
  }
  assert.equal((await net1('STATUS', { physicalNetwork: 'elsewhere' }, { version: '1.1.0' })).code, 11)
  assert.equal((await net1('STATUS', {}, { version: '1.1.0' })).code, 0)
  assert.equal(node.links.there.size, 0)
  assert.deepEqual(ports(), [])
})

test('a dpdk interface is a socket in a folder of its pod, one a pod, where the data plane has DPDK; what the definition says of it does not count', async () => {
  await attachment('access', 100)
  const ref = { kind: 'L2ServiceAttachment', namespace: 'a', name: 'signalling' } as const
  const { uid } = (await cluster.store.get(ref))!.metadata
  await cluster.store.patchStatus(
    { ref, uid },
    {
      definition: {
        vlans: [100],
        physicalNetwork: 'physnet1',
        implementation: 'megrez',
        definition: 'signalling',
        podInterfaceType: 'dpdk',
      },
      report: { phase: 'ready' },
    },
  )
  const call = { args: `${argsOf('a')};K8S_POD_UID=uid-1` }
  assert.match((await net1('ADD', {}, call)).said.msg ?? '', /node n1 makes no dpdk interfaces/)
  await node.close()
  node = await openNode({
    store: cluster.store,
    name: 'n1',
    address: '192.0.2.1',
    plane: (there) => ({ ...memory(there), open: () => Promise.resolve({ memory: true, 'vlan:physnet1': true, dpdk: true }) }),
    config: { dpdkSockets: join(tmpdir(), `mgz-${process.pid}`) },
  })
  assert.match((await net1('ADD')).said.msg ?? '', /K8S_POD_UID/)
  const { code, said } = await net1('ADD', { interfaceType: 'kernel' }, { ...call, version: '1.1.0' })
  assert.equal(code, 0, said.msg)
  const socket = said.interfaces?.[1]?.socketPath ?? ''
  assert.match(socket, /\/uid-1\/net1\.sock$/)
  assert.equal(existsSync(dirname(socket)), true)
  assert.equal(node.links.there.size, 0)
  assert.match(ports().join(), / dpdk/)
  assert.equal((await net1('CHECK', {}, call)).code, 0)
  assert.match(
    (await net1('ADD', {}, { ...call, ifname: 'net2' })).said.msg ?? '',
    /has the dpdk interface net1 already, and one is the most/,
  )
  assert.equal((await net1('DEL', {}, call)).code, 0)
  assert.equal(existsSync(dirname(socket)), false)
  assert.deepEqual(ports(), [])
})

test("a MAC that the runtime asks for is the interface's", async () => {
  const { said } = await net1('ADD', { runtimeConfig: { mac: '02:AA:00:00:00:01' } })
  assert.equal(said.interfaces?.[1]?.mac, '02:aa:00:00:00:01')
})

test('a definition that somebody wrote by hand joins no VLAN but those of the attachment that it names', async () => {
  const { code, said } = await net1('ADD', { vlanType: 'trunk', vlans: [666], physicalNetwork: 'physnet2' })
  assert.equal(code, 0, JSON.stringify(said))
  assert.match(ports()[0]!, /access physnet1 100 /)
})

test("nor those of another namespace's attachment, unless the operator says that they are for all", async () => {
  const wrong = await net1('ADD', {}, { args: argsOf('b') })
  assert.equal(wrong.code, 7)
  assert.match(
    wrong.said.msg ?? '',
    /attachment a\/signalling is of another namespace than pod b\/plain: MEGREZ_ATTACHMENT_NAMESPACES would have to name it/,
  )
  assert.match((await net1('ADD', {}, { args: '' })).said.msg ?? '', /the runtime names none: CNI_ARGS should have K8S_POD_NAMESPACE/)
  assert.deepEqual(ports(), [])
  const allowing = await openNode({
    store: cluster.store,
    name: 'n2',
    address: '192.0.2.2',
    config: { attachmentNamespaces: ['a'] },
    plane,
  })
  try {
    const answer = await allowing.cni('ADD', { ifname: 'net1', args: argsOf('b'), conf: conf() })
    assert.equal(answer.code, 0, JSON.stringify(answer.said))
  } finally {
    await allowing.close()
  }
})

test("nor one whose attachment is not there, is going, has no VLAN yet, or is another plugin's", async () => {
  const ref = { kind: 'L2ServiceAttachment', namespace: 'a', name: 'signalling' } as const
  const { uid } = (await cluster.store.get(ref))!.metadata
  const says = async (pattern: RegExp, more: object = {}): Promise<void> => assert.match((await net1('ADD', more)).said.msg ?? '', pattern)
  await says(/L2ServiceAttachment a\/no-such is not there/, { attachment: 'a/no-such' })
  await cluster.store.patchStatus(
    { ref, uid },
    { definition: { vlans: [100], physicalNetwork: 'physnet1', implementation: 'ovs', definition: 'signalling' } },
  )
  await says(/is for plugin ovs, and this is megrez/)
  await cluster.store.patchStatus(
    { ref, uid },
    { definition: { vlans: [100], physicalNetwork: 'physnet2', implementation: 'megrez', definition: 'signalling' } },
  )
  await says(/node n1 has no uplink to the physical network physnet2/)
  await cluster.store.patchStatus({ ref, uid }, { definition: { progress: '1 of 2 switch ports' } })
  await says(/has no VLAN yet/)
  await cluster.store.commit([{ do: 'addFinalizer', ref, uid, finalizer: 'example.org/kept' }])
  await cluster.store.delete(ref)
  await says(/is being deleted/)
  assert.deepEqual(ports(), [])
})
