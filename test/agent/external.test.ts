// Interfaces in VLANs, as Multus has our plugin make them from NetworkAttachmentDefinitions.
import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memory } from '../../agent/dataplanes/memory.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { definitionOf } from '../../core/plan/definitions.ts'
import { openHouse, type House } from '../workers/house.ts'
import { eventually, openNode, sandboxArgs, shimBytes, thingsOf, type Answer, type TestNode } from './node.ts'

let house: House
let node: TestNode
beforeEach(async () => {
  house = await openHouse({ idle: true })
  node = await openNode({
    store: house.store, name: 'n1', address: '192.0.2.1', config: { cniConcurrency: 1 },
    plane: (there) => ({ ...memory(there), open: () => Promise.resolve({ memory: true, 'vlan:physnet1': true }) }),
  })
})
afterEach(async () => {
  await node.close()
  await house.close()
})

const conf = (more: object = {}): object => ({ name: 'signalling', attachment: 'a/signalling', interfaceType: 'kernel', physicalNetwork: 'physnet1', vlanType: 'access', vlans: [100], ...more })
const net1 = (command: string, more: object = {}, call: { readonly containerID?: string; readonly netns?: string; readonly version?: string } = {}): Promise<Answer> => node.cni(command, { ifname: 'net1', conf: conf(more), ...call })
const ports = (): string[] => thingsOf(node).filter((line) => line.startsWith('port/'))

/** An L2ServiceAttachment whose fabric is open. */
async function attachment(vlanType: 'access' | 'trunk', ...vlans: readonly number[]): Promise<Resource<'L2ServiceAttachment'>> {
  const there = await house.get('L2ServiceAttachment', 'a/signalling')
  const item = there ?? (await house.make('L2ServiceAttachment', 'a/signalling', { l2Services: ['s'], connectionPoint: 'cp', vlanType }))
  await house.store.patchStatus({ ref: { kind: 'L2ServiceAttachment', namespace: 'a', name: 'signalling' }, uid: item.metadata.uid }, { definition: { vlans: [...vlans] }, report: { phase: 'ready' } })
  return item
}

test('an interface is in its VLAN, and in no VPC', async () => {
  const { code, said } = await net1('ADD')
  assert.equal(code, 0, JSON.stringify(said))
  const [port] = ports()
  assert.match(port!, /^port\/external\/c1\/net1 mgz\w+ number 1 access physnet1 100 .* mtu 1500 kernel/)
  assert.deepEqual(said.interfaces?.map(({ name, sandbox }) => [name, sandbox]), [[port!.split(' ')[1], undefined], ['net1', '/var/run/netns/c1']])
  assert.ok(thingsOf(node).includes('guard/external/c1/net1 from any'))
  assert.deepEqual(await node.delegated(), [])
  assert.deepEqual(await net1('ADD'), { code, said })
  assert.equal((await net1('CHECK', { prevResult: said })).code, 0)
})

test('its definition is what workers write', async () => {
  const item = await house.make('L2ServiceAttachment', 'a/signalling', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'selectivetrunk' })
  const { spec } = definitionOf({ attachment: item, choice: { cni: { name: 'megrez', supportedInterfaceTypes: ['kernel'] }, podInterfaceType: 'kernel' }, vlans: [200, 100], allowed: [100, 200], physicalNetwork: 'physnet1', ipam: undefined })
  const written = JSON.parse(spec.config!) as { readonly cniVersion: string }
  const { code, said } = await node.cni('ADD', { ifname: 'net1', conf: written, version: written.cniVersion })
  assert.equal(code, 0, JSON.stringify(said))
  assert.match(ports()[0]!, /selectivetrunk physnet1 100,200/)
})

test('DEL takes it away, also twice and without its namespace, and leaves the other interfaces of the sandbox', async () => {
  await net1('ADD')
  assert.equal((await node.cni('ADD', { ifname: 'net2', conf: conf({ vlans: [101] }) })).code, 0)
  assert.equal((await net1('DEL')).code, 0)
  assert.equal((await net1('DEL', {}, { netns: '' })).code, 0)
  await eventually(() => ports().length === 1, 'one port is left')
  assert.match(ports()[0]!, /net2/)
  assert.deepEqual([...node.links.there.values()].map(({ inside }) => inside.ifname), ['net2'])
  assert.equal((await net1('CHECK')).code, 103)
})

test('the end of the sandbox is the end of what Multus forgot', async () => {
  const pod = await house.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  await node.cni('ADD', { pod })
  await net1('ADD')
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  assert.equal(node.links.there.size, 0)
})

test('GC of its network takes what is not named, GC of the cluster\'s network only what is of no sandbox', async () => {
  const pod = await house.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  for (const containerID of ['c1', 'c2']) {
    await node.cni('ADD', { pod, containerID })
    await net1('ADD', {}, { containerID })
  }
  const valid = (...ids: readonly string[]) => ({ 'cni.dev/valid-attachments': ids.map((containerID) => ({ containerID, ifname: 'eth0' })) })
  assert.equal((await node.cni('GC', { conf: valid('c1', 'c2'), version: '1.1.0' })).code, 0)
  assert.equal(node.links.there.size, 2)
  assert.equal((await node.cni('GC', { conf: valid('c2'), version: '1.1.0' })).code, 0)
  assert.deepEqual([...node.links.there.values()].map(({ inside }) => inside.netns), ['/var/run/netns/c2'])
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
  await node.cni('ADD', { ifname: 'net2', conf: conf({ vlanType: 'trunk' }) })
  await eventually(() => ports().every((line) => line.includes('trunk physnet1 200 ')), 'both have what counts now')
  assert.deepEqual(node.agent.env.externals.followed, ['a/signalling'])
  await house.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: item.metadata.name })
  for (const ifname of ['net1', 'net2']) {
    assert.match(ports()[0]!, /trunk physnet1 200 /)
    await node.cni('DEL', { ifname, conf: conf({ vlanType: 'trunk' }) })
  }
  assert.deepEqual(node.agent.env.externals.followed, [])
})

test('a delegate that comes back to us, as Multus does, is served while its pod\'s own call waits for it', async () => {
  const pod = await house.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  const env = { CNI_COMMAND: '$CNI_COMMAND', CNI_CONTAINERID: 'c1', CNI_NETNS: '/var/run/netns/c1', CNI_IFNAME: 'net1', CNI_PATH: '/bin', CNI_ARGS: sandboxArgs(pod) }
  const bytes = (command: string): string => shimBytes({ ...env, CNI_COMMAND: command }, JSON.stringify({ cniVersion: '1.0.0', type: 'megrez', ...conf() })).toString('hex')
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
  assert.deepEqual([...node.links.there.values()].map(({ inside }) => inside.addresses), [['10.244.0.5/24']])
  assert.equal((await net1('CHECK', ipam)).code, 0)
  // Nobody who calls the end of a sandbox knows the plugin.
  const pod = await house.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  assert.equal((await node.cni('DEL', { pod, containerID: 'c1' })).code, 0)
  assert.deepEqual(await node.delegated(), ['ADD c1 net1', 'CHECK c1 net1', 'DEL c1 eth0', 'DEL c1 net1'])
})

test('what cannot be made is refused in words, and leaves nothing', async () => {
  const refused: readonly (readonly [object, number, RegExp])[] = [
    [{ vlans: [] }, 7, /vlans lists VLANs from 1 to 4094, one at least/],
    [{ vlans: [4095] }, 7, /vlans/],
    [{ vlans: [1, 2] }, 7, /one VLAN where vlanType is access/],
    [{ vlanType: 'all' }, 7, /vlanType is access, trunk or selectivetrunk/],
    [{ interfaceType: 'dpdk' }, 7, /dpdk/],
    [{ runtimeConfig: { mac: '01:00:00:00:00:01' } }, 7, /no MAC address/],
    [{ ipam: { type: 'megrez' } }, 7, /ipam whereabouts/],
    [{ physicalNetwork: 'elsewhere' }, 11, /node n1 has no uplink to the physical network elsewhere/],
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

test('a MAC that the runtime asks for is the interface\'s', async () => {
  const { said } = await net1('ADD', { runtimeConfig: { mac: '02:AA:00:00:00:01' } })
  assert.equal(said.interfaces?.[1]?.mac, '02:aa:00:00:00:01')
})
