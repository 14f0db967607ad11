// Routes by a reflector, and with a peer that is two hops away: what the kernels of BIRD's nodes have of them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { labPrefix, makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import { until } from '../setup/until.ts'
import { BGPHost } from '../../agent/bgp/host.ts'
import { makeNetwork, stopDaemons, type BGPNode, type Network } from './network.ts'
import { birdOf, follow, foreignFrr, group, session, table, type Running } from './speakers.ts'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
const far = { address: '10.72.0.2', near: '10.72.0.1', behind: '198.51.100.1' }

describe('BIRD', { skip }, () => {
  let network: Network
  let peer: Namespace
  let folder = ''
  const running = new Map<string, Running>()
  const nodeOf = (name: string): BGPNode => network.nodes[name]!
  const of = (name: string): Running => running.get(name)!
  const lead = (name: string, host: string) =>
    nodeOf(name).namespace.ip('route', 'add', `${host}/32`, 'dev', 'lo', 'table', String(table), 'proto', '77')
  const leads = async (name: string, host: string): Promise<string> =>
    (await nodeOf(name).namespace.ip('route', 'show', `${host}/32`, 'table', String(table))).stdout

  // r reflects; x is a router that speaks nothing, and what is behind it two hops away.
  before(async () => {
    network = await makeNetwork(['a', 'b', 'c', 'r', 'x'])
    peer = await makeNamespace(`${labPrefix()}far`)
    folder = `${nodeOf('x').folder}-far`
    const { namespace: router, ipv4: hop } = nodeOf('x')
    await router.ip('link', 'add', 'far0', 'type', 'veth', 'peer', 'name', 'near0', 'netns', peer.name)
    await router.ip('address', 'add', `${far.near}/24`, 'dev', 'far0')
    await router.ip('link', 'set', 'far0', 'up')
    await peer.ip('address', 'add', `${far.address}/24`, 'dev', 'near0')
    await peer.ip('address', 'add', `${far.behind}/24`, 'dev', 'lo')
    for (const link of ['near0', 'lo']) await peer.ip('link', 'set', link, 'up')
    await peer.ip('route', 'add', '10.71.1.0/24', 'via', far.near)
    await router.ip('route', 'add', '198.51.100.0/24', 'via', far.address)
    await router.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
    for (const name of ['a', 'b', 'c', 'r']) {
      running.set(name, follow(nodeOf(name), birdOf(nodeOf(name))))
      await nodeOf(name).namespace.ip('route', 'add', '10.72.0.0/24', 'via', hop)
    }
  })
  after(async () => {
    for (const each of running.values()) await each.end()
    await stopDaemons(folder, new BGPHost(peer.name))
    await network.remove()
    await peer.remove()
  })

  test('nodes that speak with a reflector alone have routes of each other by the nodes themselves', async () => {
    const clients = ['a', 'b', 'c']
    const reflects = (name: string) => session(nodeOf(name), { rrClient: true, clusterID: '192.0.2.9' })
    of('r').want([group(nodeOf('r'), clients.map(reflects))], 1)
    for (const name of clients) of(name).want([group(nodeOf(name), [session(nodeOf('r'))])], 1)
    await of('r').isUp('node-a', 'node-b', 'node-c')
    for (const [i, name] of clients.entries()) assert.equal((await lead(name, `10.9.0.${i + 1}`)).code, 0)
    for (const [i, name] of clients.entries())
      for (const other of clients.filter((each) => each !== name)) {
        const via = `via ${nodeOf(name).ipv4} `
        await until(async () => (await leads(other, `10.9.0.${i + 1}`)).includes(via), `${other} has ${name}'s by ${name}, not by r`)
      }
    await nodeOf('a').namespace.ip('route', 'del', '10.9.0.1/32', 'table', String(table))
    for (const other of ['b', 'c']) await until(async () => (await leads(other, '10.9.0.1')) === '', `${other} has it no more`)
  })

  test('two reflectors are two ways to hear of one route, and the end of one takes nothing', async () => {
    const clients = ['a', 'b']
    const asReflector = (name: string) =>
      group(
        nodeOf(name),
        clients.map((each) => session(nodeOf(each), { rrClient: true, clusterID: '192.0.2.9' })),
      )
    for (const name of ['r', 'c']) of(name).want([asReflector(name)], 2)
    for (const name of clients) of(name).want([group(nodeOf(name), [session(nodeOf('r')), session(nodeOf('c'))])], 2)
    for (const name of clients) await of(name).isUp('node-r', 'node-c')
    const way = (): Promise<boolean> => leads('a', '10.9.0.2').then((text) => text.includes(`via ${nodeOf('b').ipv4} `))
    await until(way, "a has b's")
    of('r').want([], 3)
    await until(() => of('a').stateOf('node-r') !== 'established', 'one of them has ended')
    assert.ok(await way())
  })

  test('a peer two hops away gives and takes routes, by the next hop on the way to it', async () => {
    const text = `
router bgp 64600
 bgp router-id ${far.address}
 no bgp ebgp-requires-policy
 neighbor ${nodeOf('a').ipv4} remote-as 64512
 neighbor ${nodeOf('a').ipv4} ebgp-multihop 2
 neighbor ${nodeOf('a').ipv4} timers 3 9
 neighbor ${nodeOf('a').ipv4} timers connect 1
 neighbor ${nodeOf('a').ipv4} advertisement-interval 0
 address-family ipv4 unicast
  network 198.51.100.0/24
 exit-address-family
exit
`
    await foreignFrr({ folder, host: new BGPHost(peer.name) }, text)
    const gateway = session(nodeOf('x'), {
      name: 'far',
      address: far.address,
      as: 64_600,
      external: true,
      multihop: 2,
      import: [{ action: 'accept', prefix: '198.51.100.0/24' }],
    })
    of('a').want([group(nodeOf('a'), [gateway, session(nodeOf('b'))])], 4)
    of('b').want([group(nodeOf('b'), [session(nodeOf('a'))])], 4)
    await of('a').isUp('far', 'node-b')
    const ways = async (name: string): Promise<string> =>
      (await nodeOf(name).namespace.ip('route', 'show', '198.51.100.0/24', 'table', String(table))).stdout
    for (const [name, hop] of [
      ['a', 'x'],
      ['b', 'a'],
    ] as const)
      await until(async () => (await ways(name)).includes(`via ${nodeOf(hop).ipv4} `), `${name} has it by ${hop}`)
    const heard = async (): Promise<string> => (await peer.exec('ip', 'route', 'show', 'proto', 'bgp')).stdout
    await until(async () => (await heard()).includes('10.9.0.2'), 'it has a route of the node')
    assert.match(await heard(), new RegExp(`^10\\.9\\.0\\.2 .*via ${far.near.replaceAll('.', '\\.')} `, 'm'))
    const takesBack = ['configure terminal', 'router bgp 64600', 'address-family ipv4 unicast', 'no network 198.51.100.0/24']
    await peer.exec('vtysh', '--vty_socket', folder, '-d', 'bgpd', ...takesBack.flatMap((each) => ['-c', each]))
    for (const name of ['b', 'a']) await until(async () => (await ways(name)) === '', `what it takes back ${name} has no more`)
  })
})
