// TAPs: what a VM's runtime is answered, what the Port tells, and which of the pod's Nics it may name.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openTestClusterWithNode, sandboxArgs, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
beforeEach(async () => {
  ;({ cluster, node } = await openTestClusterWithNode())
  await withNetwork(cluster)
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

async function vm(nics: readonly object[]): Promise<Resource<'Pod'>> {
  const annotations = { 'megrez.io/nic-type': 'tap', 'megrez.io/cluster-nic': 'none' }
  const pod = await makePod(cluster, 'a/vm', { node: 'n1', nics, metadata: { annotations } })
  await cluster.settle()
  return pod
}
const argsOf = (pod: Resource<'Pod'>, more: Readonly<Record<string, string>>): string =>
  [sandboxArgs(pod), ...Object.entries(more).map(([name, value]) => `${name}=${value}`)].join(';')
const portOf = async (nic: string): Promise<Resource<'Port'>> =>
  (await cluster.all('Port')).find(({ spec }) => spec.claim?.nic === nic) ?? assert.fail(`no Port of ${nic}`)

test('a TAP is on the node: the runtime is told its name without a sandbox, with MAC and address, and the Port says it', async () => {
  const pod = await vm([{ name: 'eth0', ip: '10.0.0.7' }])
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 0, JSON.stringify(said))
  const { metadata, status } = await portOf('eth0')
  const tap = hostInterfaceName(metadata.uid)
  assert.deepEqual(
    said.interfaces?.map(({ name, sandbox, mac }) => [name, sandbox, mac]),
    [[tap, undefined, status?.mac]],
  )
  assert.deepEqual(
    said.ips?.map(({ address, interface: of }) => [address, of]),
    [['10.0.0.7/24', 0]],
  )
  await eventually(async () => (await portOf('eth0')).status?.node?.tap === tap, 'the Port tells its TAP')
})

test('a Port that was made before as any other is a TAP for a VM, and stays one when the Port changes', async () => {
  const made = await cluster.make('Port', 'a/made', { subnet: 'one', portID: 'a2815656' })
  await cluster.settle()
  const pod = await vm([{ name: 'eth0', portID: 'a2815656' }])
  const { said } = await node.cni('ADD', { pod })
  const tap = hostInterfaceName(made.metadata.uid)
  assert.equal(said.interfaces?.[0]?.name, tap)
  const local = (): LocalPort | undefined => node.agent.env.loop.pieces.of(portPiece).get(made.metadata.uid)
  assert.equal(local()?.type, 'tap')
  const there = (await cluster.get('Port', 'a/made'))!
  await cluster.store.update({ ...there, spec: { ...there.spec, portSecurity: false } })
  await cluster.settle()
  await eventually(() => local()?.portSecurity === false, 'the agent has heard of the change')
  assert.equal(local()?.type, 'tap')
})

describe('CNI_ARGS of a runtime of VMs', () => {
  const asked = [{ name: 'eth0' }, { name: 'eth1' }]
  const addWith = async (args: Readonly<Record<string, string>>): Promise<{ readonly code: number; readonly said: string }> => {
    const pod = await vm(asked)
    const { code, said } = await node.cni('ADD', { pod, args: argsOf(pod, args) })
    return { code, said: code === 0 ? (said.interfaces ?? []).map(({ name }) => name).join() : `${said.msg} at ${said.details}` }
  }

  test("in Arktos's form choose among the pod's Nics, by the UID of its Port", async () => {
    const pod = await vm(asked)
    const { metadata } = await portOf('eth1')
    const list = JSON.stringify([{ name: 'eth1', portid: metadata.uid }])
    const { code, said } = await node.cni('ADD', { pod, args: argsOf(pod, { Tenant: 'default', VPC: 'blue', NICs: list }) })
    assert.equal(code, 0, JSON.stringify(said))
    assert.deepEqual(
      said.interfaces?.map(({ name }) => name),
      [hostInterfaceName(metadata.uid)],
    )
  })

  const refused: Readonly<Record<string, readonly [args: Readonly<Record<string, string>>, why: RegExp]>> = {
    'no JSON': [{ NICs: '[{' }, /is not JSON at CNI_ARGS\/NICs$/],
    'an empty list': [{ NICs: '[]' }, /must be a list of 1 to 64 NICs.* at CNI_ARGS\/NICs$/],
    'no objects': [{ NICs: '["eth0"]' }, /must be an object.* at CNI_ARGS\/NICs\/0$/],
    'a name that is no text': [{ NICs: '[{"name":7}]' }, /must be a text.* at CNI_ARGS\/NICs\/0\/name$/],
    'a Nic that the pod has not': [{ NICs: '[{"name":"eth9"}]' }, /the pod has no NIC eth9 at CNI_ARGS\/NICs\/0\/name$/],
    "another pod's Port": [
      { NICs: '[{"name":"eth0","portID":"another"}]' },
      /is another, and the Port of that NIC is .* at CNI_ARGS\/NICs\/0\/portID$/,
    ],
    'another Vpc': [{ VPC: 'red', NICs: '[{"name":"eth0"}]' }, /is red, and the pod asks for Vpc blue at CNI_ARGS\/VPC$/],
  }
  for (const [name, [args, why]] of Object.entries(refused))
    test(`${name} is refused at its place, and nothing is left`, async () => {
      const { code, said } = await addWith(args)
      assert.equal(code, 100)
      assert.match(said, why)
      assert.equal(node.links.there.size, 0)
    })
})
