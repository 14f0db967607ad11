// A running pod whose UnifiedNetworkPolicy names its network, under a real agent: it is moved, address included, and no packet of it is
// heard in a network that its address is not of.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents } from './agents.ts'
import { addressIn, shoutFrom, sourcesIn } from './moved-pod.ts'
import { listen, pythonSkip } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const apiVersion = 'megrez.io/v1alpha1'
/** What stood before: the cluster's own plugin has been asked by somebody else. */
const chained = { prevResult: { cniVersion: '1.0.0', interfaces: [], ips: [] } }

const [hexOfNet, hexOfOther] = ['0a0000', '0a0900']

describe('a pod whose network is its policy’s to say', { skip }, () => {
  let agents: Agents
  const policy = pathOf('UnifiedNetworkPolicy', 'a', 'slice')
  let vni = 0
  before(async () => {
    agents = await startAgents()
    const make = (kind: 'Vpc' | 'Subnet', name: string, spec: object): Promise<unknown> =>
      agents.rest.call('POST', pathOf(kind, 'b'), { apiVersion, kind, metadata: { name }, spec })
    await make('Vpc', 'other', { sharedWith: ['a'] })
    await make('Vpc', 'private', {})
    for (const [name, vpc] of [
      ['o', 'other'],
      ['p', 'private'],
    ] as const)
      await make('Subnet', name, { vpc, ipv4: { cidr: '10.9.0.0/24' } })
    await until(async () => {
      const { status } = (await agents.rest.call('GET', pathOf('Vpc', 'b', 'other'))).body as {
        readonly status?: { readonly vni?: number }
      }
      vni = status?.vni ?? 0
      const subnets = await Promise.all(['o', 'p'].map((name) => agents.rest.call('GET', pathOf('Subnet', 'b', name))))
      return vni > 0 && subnets.every(({ body }) => body.status?.phase === 'ready')
    }, 'the other networks are there')
  })
  after(() => agents.close())

  /** Made or edited. */
  async function name(network: string): Promise<void> {
    const item = { apiVersion, kind: 'UnifiedNetworkPolicy', metadata: { name: 'slice' }, spec: { podSelector: {}, network } }
    const { status, etag } = await agents.rest.call('GET', policy)
    const answer =
      status === 404
        ? await agents.rest.call('POST', pathOf('UnifiedNetworkPolicy', 'a'), item)
        : await agents.rest.call('PUT', policy, item, { 'if-match': etag ?? '' })
    assert.ok(answer.status < 300, answer.body.detail)
  }

  for (const [which, carrier] of [
    ['Open vSwitch', ovsCarrier],
    ['the kernel', linuxCarrier],
  ] as const)
    test(`by ${which}`, async () => {
      const tag = which === 'the kernel' ? 'l' : 'o'
      const node: AgentNode = await agents.node(`n${tag}`, carrier)
      const moved = await agents.pod(node, `moved-${tag}`, {
        'megrez.io/network': 'policy',
        'megrez.io/cluster-nic': 'delegate',
        'megrez.io/nics': '[{"name":"fast"}]',
      })
      const inNet = await agents.pod(node, `net-${tag}`)
      const inOther = await agents.pod(node, `other-${tag}`, {
        'megrez.io/vpc': 'b/other',
        'megrez.io/nics': '[{"name":"eth0","subnet":"o"}]',
      })
      const targets = [await agents.add(node, inNet), await agents.add(node, inOther)]
      const answer = await node.cni('ADD', moved, chained)
      assert.equal(answer.code, 0, answer.said.msg)
      const first = await addressIn(moved)
      assert.match(first ?? '', /^10\.0\.0\./)
      const isReached = (from: Sandbox, address: string): Promise<boolean> => reaches(from.namespace, address, { tries: 1 })
      await until(() => isReached(inNet, first!), 'it is reached in the first network')

      const [netEar, otherEar] = [await listen(inNet.namespace, '', 100), await listen(inOther.namespace, '', 100)]
      const shouting = shoutFrom(moved.namespace, targets)
      try {
        await until(() => Promise.resolve(sourcesIn(netEar.heard).length > 0), 'it is heard in the first network')
        await name('b/other')
        let second = ''
        await until(async () => (second = (await addressIn(moved)) ?? '').startsWith('10.9.0.'), 'it has an address of the other network')
        await until(() => isReached(inOther, second), 'it is reached in the other network')
        assert.equal(await isReached(inNet, first!), false, 'nobody answers at its former address')
        await until(() => Promise.resolve(sourcesIn(otherEar.heard).length > 0), 'it is heard in the other network')
        const status = async (): Promise<string> =>
          (await agents.rest.call('GET', pathOf('Pod', 'a', moved.pod.name))).body.metadata.annotations?.[
            'k8s.v1.cni.cncf.io/network-status'
          ] ?? ''
        await until(async () => (await status()).includes(second) && !(await status()).includes(first!), 'its pod is told')

        await name('b/private')
        await until(
          async () =>
            JSON.stringify((await agents.rest.call('GET', pathOf('Pod', 'a', moved.pod.name))).body).includes(
              'Vpc that its policy names, or its namespace, not found',
            ),
          'its pod is told that nobody gave it that network',
        )
        assert.equal(await addressIn(moved), second, 'it keeps what it has')

        await node.killAgent()
        await agents.rest.remove(policy)
        await node.startAgent()
        await until(async () => (await addressIn(moved))?.startsWith('10.0.0.') === true, 'without a policy it is where its namespace is')
        await name(`vni:${vni}`)
        await until(async () => (await addressIn(moved))?.startsWith('10.9.0.') === true, 'a VNI names the Vpc that has it')
        assert.deepEqual(new Set(sourcesIn(netEar.heard).map((each) => each.slice(0, 6))), new Set([hexOfNet]))
        assert.deepEqual(new Set(sourcesIn(otherEar.heard).map((each) => each.slice(0, 6))), new Set([hexOfOther]))
        const checked = await node.cni('CHECK', moved, { prevResult: answer.said })
        assert.equal(checked.code, 0, checked.said.msg)
      } finally {
        shouting.stop()
        for (const ear of [netEar, otherEar]) await ear.close()
        await agents.rest.remove(policy)
      }
      await agents.del(node, moved)
      await until(async () => (await addressIn(moved)) === undefined, 'its interface is gone')
    })
})
