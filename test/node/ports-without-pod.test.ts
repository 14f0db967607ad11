// Ports without a pod on real links: addresses of tenants in network namespaces of their own, and a node that knows nothing of them.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { linuxCarrier, ovsCarrier, type Carrier } from '../../lab/nodes/carriers.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { ownNamespace } from '../../agent/links/own-namespace.ts'
import { outputOf, type CommandOutput } from '../cli/command-output.ts'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? false
const apiVersion = 'megrez.io/v1alpha1'
const echo = '/bin/sh'
const planes = [
  ['Open vSwitch', ovsCarrier],
  ["the kernel's plane", linuxCarrier],
] as const

interface Port {
  readonly metadata: { readonly uid: string }
  readonly status?: {
    readonly phase?: string
    readonly node?: { readonly wired?: boolean; readonly message?: string; readonly postCreateExecReport?: { readonly stdOut: string } }
  }
}

describe('Ports without a pod on a node', { skip }, () => {
  let agents: Agents
  before(async () => {
    agents = await startAgents()
    await made('Vpc', 'other', 'net', {})
    await made('Subnet', 'other', 'all', { vpc: 'net', ipv4: { cidr: '10.0.0.0/24' } })
    await until(
      async () => (await agents.rest.call('GET', pathOf('Subnet', 'other', 'all'))).body.status?.phase === 'ready',
      'the Subnet is validated',
    )
  })
  /** Agents of a lab mount them for themselves alone: outside each is an empty file, which an agent that is killed leaves. */
  const marks = new Set<string>()
  after(async () => {
    await agents.close()
    for (const mark of marks) await rm(mark, { force: true })
  })

  async function made(kind: 'Vpc' | 'Subnet' | 'Port', space: string, name: string, spec: object): Promise<Port> {
    const answer = await agents.rest.call('POST', pathOf(kind, space), { apiVersion, kind, metadata: { name }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
    return answer.body
  }
  const portOf = async (space: string, name: string): Promise<Port> => (await agents.rest.call('GET', pathOf('Port', space, name))).body
  async function wired(key: string, node: NodeWith<Carrier>, spec: object): Promise<string> {
    const [space = '', name = ''] = key.split('/')
    const { metadata } = await made('Port', space, name, { subnet: 'all', node: node.name, ...spec })
    marks.add(ownNamespace(hostInterfaceName(metadata.uid)))
    await until(async () => (await portOf(space, name)).status?.node?.wired === true, `${name} is wired`)
    return ownNamespace(hostInterfaceName(metadata.uid))
  }
  /** The agents of a lab have mounts of their own: what they mount under /var/run/netns only they see. */
  const inside = (node: NodeWith<Carrier>, netns: string, ...command: string[]) =>
    run('nsenter', ['--target', String(node.agentPid), '--mount', '--', 'nsenter', `--net=${netns}`, '--', ...command])
  const reaches = async (node: NodeWith<Carrier>, netns: string, address: string): Promise<boolean> =>
    (await inside(node, netns, 'ping', '-c', '1', '-W', '1', address)).code === 0
  const ofNode = async ({ namespace }: NodeWith<Carrier>): Promise<string> =>
    `${(await namespace.exec('ip', '-o', 'addr')).stdout}${(await namespace.exec('ip', 'route', 'show', 'table', 'all')).stdout}${(await namespace.exec('ip', '-6', 'route', 'show', 'table', 'all')).stdout}`

  /** An Audit that repairs waits, and looks again: what it has said is looked at behind the other tests. */
  let audited: NodeWith<Carrier>
  let repairing: Promise<CommandOutput>
  const megrez = (...args: readonly string[]): Promise<CommandOutput> =>
    outputOf(args, { MEGREZ_URL: agents.server.url, MEGREZ_TOKEN: agents.server.token })
  const linksOf = async ({ namespace }: NodeWith<Carrier>): Promise<string> => (await namespace.exec('ip', '-o', 'link')).stdout

  test('an Audit finds on a node what nobody has and what is gone, and without repair it changes nothing', async () => {
    audited = await agents.node('audited', linuxCarrier, { MEGREZ_PORTS_WITHOUT_POD: 'bare' })
    await wired('a/kept', audited, {})
    const { out } = await megrez('audit')
    assert.match(out, /1 of 1 nodes have answered, 0 found/)
    // The group by which links know their own (agent/links/pod-namespace.ts).
    const add = (...args: readonly string[]) => audited.namespace.exec('ip', 'link', 'add', ...args)
    await add('mgzorphan', 'group', '28007', 'type', 'veth', 'peer', 'name', 'peer')
    await add('foreign', 'type', 'veth', 'peer', 'name', 'further')
    const found = await megrez('audit')
    assert.equal(found.exit, 1, found.err)
    assert.match(found.out, /^orphan: node audited has an interface mgzorphan .* \[node audited, mgzorphan\]\n.* 1 found, 1 left$/m)
    assert.match(await linksOf(audited), /mgzorphan.*[^]*foreign/)
    repairing = megrez('audit', '--repair')
  })

  for (const [plane, carry] of planes) {
    test(`two with one address in two Vpcs on ${plane} disturb neither each other nor the node, and leave nothing`, async () => {
      const env = { MEGREZ_PORTS_WITHOUT_POD: 'addressed', MEGREZ_EXEC_ALLOW: echo }
      const [n1, n2] = [
        await agents.node(`${plane[0]}1`.toLowerCase(), carry, env),
        await agents.node(`${plane[0]}2`.toLowerCase(), carry, env),
      ]
      // Its own addresses are looked for twice at first (RFC 4862, 5.4), and until then have no routes.
      await until(async () => !(await ofNode(n1)).includes(' tentative '), 'its own addresses are its own')
      const before = await ofNode(n1)
      const addressed = { addressed: true, ips: ['10.0.0.7'] }
      const program = { postCreateExec: [echo, '-c', 'ip -o -4 addr show dev ${ifname}'] }
      const [one, two] = [await wired('a/one', n1, { ...addressed, ...program }), await wired('other/two', n1, addressed)]
      const peer = await wired('a/peer', n2, { addressed: true, ips: ['10.0.0.8'] })
      await until(() => reaches(n1, one, '10.0.0.8'), 'it reaches its peer over the tunnel')
      await until(() => reaches(n2, peer, '10.0.0.7'), 'and is reached by it')
      assert.equal(await reaches(n1, two, '10.0.0.8'), false, "the other's peer is another Vpc's")
      assert.match(
        (await portOf('a', 'one')).status?.node?.postCreateExecReport?.stdOut ?? '',
        /10\.0\.0\.7\/24/,
        'its program runs where the address is',
      )
      assert.doesNotMatch(await ofNode(n1), /10\.0\.0\./, 'the node itself has neither address nor route of a tenant')
      assert.equal((await n1.namespace.exec('ping', '-c', '1', '-W', '1', '10.0.0.8')).code !== 0, true, 'nor reaches them')
      await agents.rest.remove(pathOf('Port', 'other', 'two'))
      await until(async () => (await ourLinks(n1)).length === 1, 'the other is gone')
      assert.equal(await reaches(n1, one, '10.0.0.8'), true, 'the one goes on')
      await agents.rest.remove(pathOf('Port', 'a', 'one'))
      await agents.rest.remove(pathOf('Port', 'a', 'peer'))
      for (const node of [n1, n2]) await until(async () => (await ourLinks(node)).length === 0, 'no interface is left')
      await until(async () => !(await run('ls', ['/var/run/netns'])).stdout.includes(one.split('/').at(-1)!), 'no namespace is left')
      let now = ''
      await until(async () => (now = stable(await ofNode(n1))) === stable(before), 'the node is as it was').catch(() =>
        assert.equal(now, stable(before), 'the node is as it was'),
      )
    })
  }

  for (const [plane, carry] of planes) {
    test(`a namespace that went with its agent is made anew on ${plane}, and reached again`, async () => {
      const env = { MEGREZ_PORTS_WITHOUT_POD: 'addressed' }
      const [n1, n2] = [
        await agents.node(`${plane[0]}3`.toLowerCase(), carry, env),
        await agents.node(`${plane[0]}4`.toLowerCase(), carry, env),
      ]
      try {
        const one = await wired('a/first', n1, { addressed: true, ips: ['10.0.0.17'] })
        await wired('a/second', n2, { addressed: true, ips: ['10.0.0.18'] })
        await until(() => reaches(n1, one, '10.0.0.18'), 'it reaches its peer')
        // A lab's agent takes its mounts along: the next finds the namespace gone.
        await n1.killAgent()
        await n1.startAgent()
        await until(() => reaches(n1, one, '10.0.0.18'), 'it is there again')
      } finally {
        for (const name of ['first', 'second']) await agents.rest.remove(pathOf('Port', 'a', name))
        for (const node of [n1, n2]) await until(async () => (await ourLinks(node)).length === 0, 'no interface is left')
      }
    })
  }

  test('where a node takes no addresses the interface has none, and its Port is refused with them', async () => {
    const node = await agents.node('bare', linuxCarrier, { MEGREZ_PORTS_WITHOUT_POD: 'bare' })
    const answer = await agents.rest.call('POST', pathOf('Port', 'a'), {
      apiVersion,
      kind: 'Port',
      metadata: { name: 'asks' },
      spec: { subnet: 'all', node: node.name, addressed: true },
    })
    assert.deepEqual([answer.status, /takes Ports without a pod only with MAC and name/.test(answer.body.detail ?? '')], [422, true])
    await wired('a/plain', node, {})
    // The kernel's multicast route comes with any interface that is up.
    const news = (await ofNode(node)).split('\n').filter((line) => /kos|10\.0\.0\./.test(line) && !line.startsWith('multicast ff00::/8'))
    assert.deepEqual(news, [], "an interface of a tenant has addresses or routes beside the node's own")
    const ifname = (await node.namespace.exec('ip', '-o', 'link')).stdout.match(/kos[0-9a-f]{12}/)?.[0]
    assert.deepEqual(
      [ifname !== undefined, (await node.namespace.exec('cat', `/proc/sys/net/ipv6/conf/${ifname}/accept_ra`)).stdout.trim()],
      [true, '0'],
      "no router of the tenant's gives the node routes",
    )
    await agents.rest.remove(pathOf('Port', 'a', 'plain'))
    await until(async () => (await ourLinks(node)).length === 0, 'no interface is left')
  })

  test('with --repair what nobody has goes from the node; what is wired and what is foreign stays', async () => {
    const { exit, out, err } = await repairing
    assert.deepEqual([exit, /^orphan: .* \[node audited, mgzorphan\]: gone$/m.test(out)], [0, true], `${out} ${err}`)
    const links = await linksOf(audited)
    assert.deepEqual(
      [/mgzorphan/, /foreign/, /mgz[0-9a-v]{12}|kos/].map((name) => name.test(links)),
      [false, true, true],
      links,
    )
    await agents.rest.remove(pathOf('Port', 'a', 'kept'))
  })
})

/** Numbers of interfaces, and times, are no matter. */
const stable = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/mgz|kos/.test(line))
    .map((line) => line.replace(/^\d+: /, '').replace(/ (valid_lft|preferred_lft) \S+/g, ''))
    .sort()
    .join('\n')
