// A pod of Alcor on the node that has pods of Neutron too, and of a builtin Vpc: our agent waits for the interface that Alcor's host agent
// makes there, late and with others beside it, moves it into the pod, and gives it back. Alcor and its host agent are doubles.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { interfaceOf } from '../../workers/drivers/cloud/alcor/host-interface.ts'
import { AlcorDouble, serveAlcor } from '../drivers/alcor-double.ts'
import { until } from '../setup/until.ts'
import { namespace, type PodsOfCloud } from './pods.ts'

const pattern = 'veth{portID}'
const router = '10.8.0.1'

/** What Alcor's agent on a node does for a port: one end for whoever waits, the other with what is behind it. */
async function made(node: Namespace, name: string, peer: string): Promise<void> {
  await node.ip('link', 'add', name, 'type', 'veth', 'peer', 'name', peer)
  // The userspace of the test has no hardware that fills in checksums.
  await node.exec('ethtool', '-K', name, 'tx', 'off')
  await node.ip('link', 'set', peer, 'up')
}
const isThere = async (node: Namespace, name: string): Promise<boolean> => (await node.exec('ip', 'link', 'show', name)).code === 0

const alcor = new AlcorDouble()

/** Once nothing that was asked of it can be under way. */
export const alcorsEnd = (): void =>
  void test('and in the end nothing of ours is at Alcor', () =>
    until(
      () => (['ports', 'subnets', 'vpcs'] as const).every((plural) => alcor.all(plural).length === 0),
      'nothing is left there',
      180_000,
    ))

export function alcorTests(cloud: PodsOfCloud): void {
  const stops: (() => void)[] = []
  after(() => stops.forEach((stop) => stop()))

  test('beside pods of Neutron a pod of Alcor has the interface that its host agent makes, and gives it back', async () => {
    const [agents, [node]] = [cloud.agents(), cloud.nodes()]
    const { endpoint, server } = await serveAlcor(alcor)
    stops.push(() => {
      server.close()
      server.closeAllConnections()
    })
    await cloud.make('Cloud', '/v1/clouds', 'al', { provider: 'alcor', endpoint, hostInterface: pattern, timeoutSeconds: 15 })
    await cloud.make('Vpc', pathOf('Vpc', namespace), 'alcor', { provider: 'alcor', cloud: 'al' })
    await cloud.make('Subnet', pathOf('Subnet', namespace), 'at-alcor', { vpc: 'alcor', ipv4: { cidr: '10.8.0.0/24', gateway: router } })
    const nics = JSON.stringify([{ name: 'eth0', subnet: 'at-alcor' }])
    const sandbox = await agents.pod(node!, 'of-alcor', { 'megrez.io/vpc': 'alcor', 'megrez.io/nics': nics })
    let isAnswered = false
    const adding = agents.add(node!, sandbox).finally(() => (isAnswered = true))
    const port = () => alcor.all('ports').find((each) => each['binding:host_id'] === node!.name)
    await until(() => port() !== undefined, 'the port is bound to the node', 30_000)
    const name = interfaceOf({ id: port()!.id }, pattern)
    await made(node!.namespace, 'vethsomebody', 'peersomebody')
    await pause(1_500)
    assert.equal(isAnswered, false, "another's interface is not taken for it")
    await made(node!.namespace, name, 'alcor-peer')
    await node!.namespace.ip('addr', 'add', `${router}/24`, 'dev', 'alcor-peer')
    const address = await adding
    assert.match((await sandbox.namespace.exec('ip', '-o', 'addr', 'show', 'eth0')).stdout, new RegExp(`inet ${address}/24`))
    assert.ok(await reaches(sandbox.namespace, router, { tries: 5 }), "what is behind Alcor's interface is reached")
    const [client, other] = cloud.pods
    assert.ok(await reaches(client!.sandbox.namespace, other!.address, { tries: 5 }), "pods of Neutron's are as they were")

    await agents.del(node!, sandbox)
    assert.ok(await isThere(node!.namespace, name), 'it is back on the node, under its own name')
    const again = await node!.sandbox({ namespace, name: 'of-alcor', uid: sandbox.pod.uid }, 'second')
    await agents.add(node!, again)
    // Its host agent takes it away, in the pod.
    await again.namespace.ip('link', 'del', 'eth0')
    await agents.del(node!, again)
    assert.equal(await isThere(node!.namespace, name), false)
    await agents.rest.remove(pathOf('Pod', namespace, 'of-alcor'))
    for (const [kind, of] of [
      ['Subnet', 'at-alcor'],
      ['Vpc', 'alcor'],
    ] as const)
      await agents.rest.remove(pathOf(kind, namespace, of))
    await node!.namespace.ip('link', 'del', 'vethsomebody')
  })
}
