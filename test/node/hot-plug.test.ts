// A pod that runs and is given NICs, and loses them, under a real agent: what the kernel says of its interfaces, and who reaches it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents } from './agents.ts'
import { addressIn } from './moved-pod.ts'

const skip = await ovsMissing({ install: false, print: () => undefined })
const apiVersion = 'megrez.io/v1alpha1'
const routed = '10.9.0.0/16'

interface Listening {
  readonly lines: () => readonly string[]
  readonly stop: () => void
}
/** What the kernel tells of a pod's interface: that it goes, and what of it, in order. */
async function deletions({ namespace: { name } }: Sandbox, ifname: string): Promise<Listening> {
  const child = spawn('ip', ['-n', name, '-4', '-o', 'monitor', 'link', 'address', 'route'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await new Promise((begun) => child.once('spawn', begun))
  return {
    lines: () => text.split('\n').filter((line) => line.startsWith('Deleted') && line.includes(ifname)),
    stop: () => void child.kill(),
  }
}

describe('hot plug', { skip }, () => {
  let agents: Agents
  before(async () => {
    agents = await startAgents()
    const spec = { vpc: 'net', ipv4: { cidr: '10.1.0.0/24' }, routes: [{ destination: routed, nextHop: '10.1.0.1' }] }
    await agents.rest.call('POST', pathOf('Subnet', 'a'), { apiVersion, kind: 'Subnet', metadata: { name: 'more' }, spec })
    await until(
      async () => (await agents.rest.call('GET', pathOf('Subnet', 'a', 'more'))).body.status?.phase === 'ready',
      'the other Subnet is validated',
    )
  })
  after(() => agents.close())

  for (const [which, carrier, tag] of [
    ['Open vSwitch', ovsCarrier, 'o'],
    ['the kernel', linuxCarrier, 'l'],
  ] as const)
    test(`by ${which}`, async () => {
      const node: AgentNode = await agents.node(`n${tag}`, carrier)
      const pod = await agents.pod(node, `hot-${tag}`)
      const peer = await agents.pod(node, `peer-${tag}`, { 'megrez.io/nics': '[{"name":"eth0","subnet":"more"}]' })
      const answer = await node.cni('ADD', pod)
      assert.equal(answer.code, 0, answer.said.msg)
      await agents.add(node, peer)
      const path = pathOf('Pod', 'a', pod.pod.name)
      const plug = async (...nics: readonly object[]): Promise<void> => {
        const body = { metadata: { annotations: { 'megrez.io/hot-nics': JSON.stringify(nics) } } }
        const { status, body: said } = await agents.rest.call('PATCH', path, body, {
          'if-match': '*',
          'content-type': 'application/merge-patch+json',
        })
        assert.equal(status, 200, JSON.stringify(said.errors))
      }
      const told = async (): Promise<string> =>
        (await agents.rest.call('GET', path)).body.metadata.annotations?.['k8s.v1.cni.cncf.io/network-status'] ?? ''
      const portsLeft = async (): Promise<number> =>
        (await agents.rest.call('GET', pathOf('Port', 'a'))).body.items?.filter(({ metadata }) => metadata.name.includes(`hot-${tag}`))
          .length ?? 0
      const wayOut = async (): Promise<string> => (await pod.namespace.ip('route', 'show', 'default')).stdout
      const [fast, out] = [{ name: 'fast', subnet: 'more' }, await wayOut()]
      assert.match(out, /dev eth0/)

      await plug(fast)
      let address = ''
      await until(async () => (address = (await addressIn(pod)) ?? '').startsWith('10.1.0.'), 'it has an interface more')
      await until(() => reaches(peer.namespace, address, { tries: 1 }), 'it is reached there')
      await until(async () => (await told()).includes(`"${address}"`), 'its pod is told')
      assert.match((await pod.namespace.ip('route', 'show', routed)).stdout, /via 10\.1\.0\.1 dev fast/)

      const kernel = await deletions(pod, 'fast')
      try {
        await plug()
        await until(async () => (await portsLeft()) === 1, 'its Port is gone')
        await until(() => Promise.resolve(kernel.lines().length >= 3), 'the kernel tells of it')
        const order = kernel.lines().map((line) => (line.includes(routed) ? 'route' : line.includes(`${address}/24`) ? 'address' : 'other'))
        assert.ok(order.indexOf('route') === 0 && order.indexOf('address') > 0, kernel.lines().join('\n'))
      } finally {
        kernel.stop()
      }
      assert.equal(await addressIn(pod), undefined)
      await until(async () => !(await told()).includes(`"${address}"`), 'its pod is told that it is gone')
      assert.equal(await reaches(peer.namespace, address, { tries: 1 }), false)

      await pod.namespace.ip('link', 'add', 'taken', 'type', 'veth', 'peer', 'name', 'other')
      await plug({ name: 'taken', subnet: 'more' })
      const message = async (): Promise<string> => JSON.stringify((await agents.rest.call('GET', pathOf('Port', 'a'))).body.items)
      await until(async () => /interface taken in [^"]* is somebody else's/.test(await message()), 'the Port says that the name is taken')
      assert.match((await pod.namespace.ip('link', 'show', 'taken')).stdout, /taken@other/)
      await pod.namespace.ip('link', 'del', 'taken')
      await until(async () => (await pod.namespace.ip('-4', 'addr', 'show')).stdout.includes(' taken'), 'it is wired once the name is free')

      await node.killAgent()
      await plug(fast)
      await node.startAgent()
      await until(async () => (address = (await addressIn(pod)) ?? '').startsWith('10.1.0.'), 'the next agent wires what came')
      await until(() => reaches(peer.namespace, address, { tries: 1 }), 'it is reached there')
      await node.killAgent()
      await plug()
      await node.startAgent()
      await until(async () => (await portsLeft()) === 1, 'the next agent lets go of what went')
      assert.equal(await addressIn(pod), undefined)
      assert.equal(await wayOut(), out, 'the way out is what it was all the time')
      const checked = await node.cni('CHECK', pod, { prevResult: answer.said })
      assert.equal(checked.code, 0, checked.said.msg)
      await agents.del(node, pod)
      await agents.rest.remove(path)
      await until(async () => (await portsLeft()) === 0, 'nothing is left of the pod')
    })
})
