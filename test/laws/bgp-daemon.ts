// The laws of BGP daemons (agent/bgp/daemon.ts), and what a speaker promises on any of them. Neighbours are real: a node of ours with
// BIRD, a gateway with FRR whose configuration is not ours.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Daemon } from '../../agent/bgp/daemon.ts'
import { lateMs, startAfterMs } from '../../core/bgp/start-after.ts'
import { BGPRefused } from '../../core/errors.ts'
import { makeNetwork, type BGPNode, type Network } from '../bgp/network.ts'
import { birdOf, follow, foreignFrr, group, meshed, session, spec, table, type Running } from '../bgp/speakers.ts'
import { until } from '../setup/until.ts'

export interface Tested {
  readonly name: string
  readonly of: (node: BGPNode) => Daemon
  /** The kernel's name of the protocol of its routes. */
  readonly protocol: string
  /** Of the process that speaks BGP. */
  readonly pidFile: string
}

/**
 * BFD that misses a daemon after it could have been started again (core/bgp/start-after.ts); the one of test/bgp/node-loss.test.ts also
 * takes a busy machine for a lost node.
 */
const patient = { ...meshed, bfd: { intervalMilliseconds: 300, multiplier: 6 } } as const

/** What it announces, wanted or not. */
const gateway = (node: BGPNode, neighbour: BGPNode): string => `
router bgp 64600
 bgp router-id ${node.ipv4}
 no bgp ebgp-requires-policy
 no bgp network import-check
 bgp graceful-restart
 coalesce-time 0
 neighbor ${neighbour.ipv4} remote-as 64512
 neighbor ${neighbour.ipv4} password s3cret'
 neighbor ${neighbour.ipv4} timers 3 9
 neighbor ${neighbour.ipv4} timers connect 1
 neighbor ${neighbour.ipv4} advertisement-interval 0
 address-family ipv4 unicast
  network 0.0.0.0/0
  network 10.9.0.128/25
  network 127.16.0.0/16
  network 198.51.100.0/24
  network 203.0.113.0/24
  neighbor ${neighbour.ipv4} activate
 exit-address-family
exit
`

export function bgpDaemonLaws({ name, of, protocol, pidFile }: Tested): void {
  describe(`${name}: laws of BGP daemons`, () => {
    let network: Network
    let [a, b, g]: BGPNode[] = []
    let here: Running
    let there: Running
    const toB = (): ReturnType<typeof session> => session(b!, patient)
    const toGateway = (more: object = {}): ReturnType<typeof session> =>
      session(g!, {
        name: 'gateway',
        as: 64_600,
        external: true,
        passwordSecret: meshed.passwordSecret,
        import: [{ prefix: '0.0.0.0/0', le: 32, action: 'reject' }],
        ...more,
      })
    const named = { import: [{ prefix: '198.51.100.0/24', action: 'accept' }] } as const
    const announced = (): Promise<readonly string[]> => b!.routes(table, 'bird')
    const sinceOf = (which: string): string | undefined => here.status()?.sessions.find((each) => each.session === which)?.since

    before(async () => {
      network = await makeNetwork(['a', 'b', 'g'])
      ;({ a, b, g } = network.nodes as Record<'a' | 'b' | 'g', BGPNode>)
      await foreignFrr(g, gateway(g, a))
      there = follow(b, birdOf(b))
      there.want([group(b, [session(a, patient)])], 1)
      here = follow(a, of(a))
    })
    after(async () => {
      await here.end()
      await there.end()
      await network.remove()
    })

    test('sessions come up with MD5 and BFD, and are told of', async () => {
      here.want(
        [group(a!, [toB(), toGateway()], { advertise: [...group(a!, []).advertise, { cidr: '10.8.1.0/24', hostRoutes: false, vni: 5 }] })],
        1,
      )
      await here.isUp('node-b', 'gateway')
      const { daemon, addresses } = here.status()!
      assert.deepEqual([daemon.state, daemon.generation, daemon.problem], ['running', 1, undefined])
      assert.deepEqual(addresses, [a!.ipv4, a!.ipv6])
      assert.match(sinceOf('node-b') ?? '', /^20\d\d-/)
    })

    test('host routes of Ports and advertised blocks are announced, and nothing else of the table', async () => {
      await a!.namespace.ip('route', 'add', '10.9.0.5/32', 'dev', 'lo', 'table', String(table), 'proto', '77')
      await a!.namespace.ip('route', 'add', '10.9.0.6/32', 'dev', 'lo', 'table', String(table), 'proto', '99')
      await a!.namespace.ip('route', 'add', '10.99.0.7/32', 'dev', 'lo', 'table', String(table), 'proto', '77')
      await b!.namespace.ip('route', 'add', '10.9.0.9/32', 'dev', 'lo', 'table', String(table), 'proto', '77')
      await until(async () => (await announced()).join() === '10.8.1.0/24,10.9.0.5/32', 'both are on the other node')
      await until(async () => (await a!.routes(table, protocol)).includes('10.9.0.9/32'), "the other node's is here")
      await until(
        async () => (await g!.routes(254, 'bgp')).join() === '10.8.1.0/24,10.9.0.5/32,10.9.0.9/32',
        'all three are at the gateway',
      )
      assert.deepEqual(await a!.routes(254, protocol), [], 'the main table is not touched')
    })

    test('of what a gateway announces comes what somebody has named: no default, no prefix of ours, no bogon', async () => {
      assert.deepEqual(await a!.routes(table, protocol), ['10.9.0.9/32'])
      // Every filter lets everything in; the rules of safety hold.
      here.want([group(a!, [toB(), toGateway({ import: [{ prefix: '0.0.0.0/0', le: 32, action: 'accept' }] })])], 2)
      await until(async () => (await a!.routes(table, protocol)).includes('203.0.113.0/24'), 'what is named comes')
      assert.deepEqual(await a!.routes(table, protocol), ['10.9.0.9/32', '198.51.100.0/24', '203.0.113.0/24'])
      here.want([group(a!, [toB(), toGateway({ import: [{ prefix: '0.0.0.0/0', action: 'accept' }, ...named.import] })])], 3)
      await until(
        async () => (await a!.routes(table, protocol)).join() === '0.0.0.0/0,10.9.0.9/32,198.51.100.0/24',
        'a default route by its name',
      )
      here.want(
        [group(a!, [toB(), toGateway({ import: [{ prefix: '0.0.0.0/0', le: 32, action: 'accept' }] })], { own: ['203.0.113.0/24'] })],
        4,
      )
      await until(
        async () => (await a!.routes(table, protocol)).join() === '10.9.0.9/32,198.51.100.0/24',
        'nothing comes of what another node of the group advertises',
      )
      here.want([group(a!, [toB(), toGateway({ import: [{ prefix: '0.0.0.0/0', action: 'accept' }, ...named.import] })])], 5)
      await until(async () => (await a!.routes(table, protocol)).includes('0.0.0.0/0'), 'the default route is back')
      assert.ok(!(await g!.routes(254, 'bgp')).includes('198.51.100.0/24'), 'it does not go out again')
      await until(async () => (await announced()).includes('198.51.100.0/24'), 'the other node has it too')
    })

    test('what no Vpc has asked for stays out of the kernel', async () => {
      const imports = [{ vpc: 'a/blue', vni: 5, allow: [{ prefix: '198.51.100.0/24', le: 32 }], gateways: [] }]
      here.want([group(a!, [toB(), toGateway({ import: [{ prefix: '0.0.0.0/0', action: 'accept' }, ...named.import] })], { imports })], 4)
      await until(async () => (await a!.routes(table, protocol)).join() === '10.9.0.9/32,198.51.100.0/24', 'what was asked for')
      here.want([group(a!, [toB(), toGateway(named)], { imports: [] })], 5)
      await until(async () => (await a!.routes(table, protocol)).join() === '10.9.0.9/32', 'routes of nodes alone')
      here.want([group(a!, [toB(), toGateway(named)])], 6)
      await until(async () => (await a!.routes(table, protocol)).includes('198.51.100.0/24'), 'all that sessions let in')
    })

    test('a change of one session drops no other', async () => {
      const since = sinceOf('node-b')
      here.want([group(a!, [toB(), toGateway({ ...named, holdSeconds: 12, keepaliveSeconds: 4 })])], 7)
      await until(() => here.status()?.daemon.generation === 7, 'the change is in force')
      await here.isUp('node-b', 'gateway')
      here.want([group(a!, [toB()])], 8)
      await until(() => here.stateOf('gateway') === undefined && here.status()?.daemon.generation === 8, 'it is gone')
      await until(async () => (await a!.routes(table, protocol)).join() === '10.9.0.9/32', 'and so are its routes')
      here.want([group(a!, [toB(), toGateway(named)])], 9)
      await here.isUp('node-b', 'gateway')
      assert.equal(sinceOf('node-b'), since, 'the session with the other node has stayed')
    })

    test('it waits to be started again for as long as a neighbour needs to miss it, also one that was told of other times', async () => {
      const inForce = async (): Promise<string> => (await here.daemon.inForce()) ?? ''
      const missedAfter = async (): Promise<number | undefined> =>
        here.daemon.renderer.missedAfter(await here.daemon.showBfd(), await inForce()).get(b!.ipv4)
      const since = sinceOf('node-b')
      for (const [intervalMilliseconds, ms] of [
        [500, 3_000],
        [patient.bfd.intervalMilliseconds, 1_800],
      ] as const) {
        there.want([group(b!, [session(a!, { ...patient, bfd: { intervalMilliseconds, multiplier: 9 } })])], 2)
        await until(async () => (await missedAfter()) === ms, `both settle on ${ms} ms`)
        await until(async () => startAfterMs(await inForce()) === ms + lateMs, 'the configuration says so')
      }
      assert.equal(sinceOf('node-b'), since, 'the session stays up')
    })

    test('a configuration that is refused leaves the one before it in force', async () => {
      const text = await here.daemon.inForce()
      await assert.rejects(here.daemon.apply(`${text ?? ''}\nthis is no configuration\n`), BGPRefused)
      assert.equal(await here.daemon.inForce(), text)
      const wrong = group(a!, [toB(), toGateway({ communities: ['64512:1"; }'] })])
      here.want([wrong], 10)
      await until(() => here.status()?.daemon.state === 'refused', 'it is told')
      assert.match(here.status()!.daemon.problem ?? '', /^\/spec\/groups\/0\/sessions\/1\/communities\/0 must be a community/)
      assert.equal(here.status()!.daemon.generation, 9)
      assert.equal(await here.daemon.inForce(), text)
      await here.isUp('node-b', 'gateway')
      here.want([group(a!, [toB(), toGateway(named)])], 11)
      await until(() => here.status()?.daemon.state === 'running', 'the next one is taken')
    })

    test('a session whose Secret is away is left out, and said; the others stay', async () => {
      const since = sinceOf('node-b')
      const away = { ...named, passwordSecret: { name: 'away', key: 'password' } }
      here.want([group(a!, [toB(), toGateway(away)])], 12)
      await until(() => here.stateOf('gateway') === 'idle', 'it is closed')
      assert.match(here.status()!.daemon.problem ?? '', /^\/spec\/groups\/0\/sessions\/1: gateway: Secret away has no key password/)
      here.want([group(a!, [toB(), toGateway(named)])], 13)
      await here.isUp('node-b', 'gateway')
      assert.equal(sinceOf('node-b'), since)
    })

    test('an agent that comes anew finds the daemon, and changes nothing', async () => {
      const [since, pid] = [sinceOf('node-b'), await a!.host.read(`${a!.folder}/${pidFile}`)]
      await here.end()
      await until(async () => (await announced()).join() === '10.9.0.5/32,198.51.100.0/24', 'the daemon goes on')
      here = follow(a!, of(a!))
      here.want([group(a!, [toB(), toGateway(named)])], 13)
      await here.isUp('node-b', 'gateway')
      // FRR says it as seconds that have passed.
      assert.ok(Math.abs(Date.parse(sinceOf('node-b')!) - Date.parse(since!)) <= 1_000, `${sinceOf('node-b')}, and not ${since}`)
      assert.equal(await a!.host.read(`${a!.folder}/${pidFile}`), pid)
    })

    test('a daemon that is killed is started again, and no route is missing meanwhile, here or there', async () => {
      const [own, others] = [await a!.routes(table, protocol), await announced()]
      const killed = await a!.kill(pidFile, 'SIGKILL')
      const end = Date.now() + 8_000
      while (Date.now() < end) {
        assert.deepEqual(await a!.routes(table, protocol), own, 'here')
        assert.deepEqual(await announced(), others, 'there')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      await here.isUp('node-b', 'gateway')
      assert.notEqual(Number(await a!.host.read(`${a!.folder}/${pidFile}`)), killed)
    })

    test('a neighbour that announces too much is closed, and its routes go', async () => {
      const open = { import: [{ prefix: '0.0.0.0/0', le: 32, action: 'accept' }] } as const
      here.want([group(a!, [toB(), toGateway({ ...open, maximumPrefixes: { ipv4: 1 } })])], 14)
      await until(() => here.stateOf('gateway') !== 'established' && here.status()?.daemon.generation === 14, 'it is closed')
      await until(async () => (await a!.routes(table, protocol)).join() === '10.9.0.9/32', 'its routes are gone')
      here.want([group(a!, [toB(), toGateway({ ...open, maximumPrefixes: { ipv4: 9 } })])], 15)
      await here.isUp('node-b', 'gateway')
    })

    test('the same text is the same configuration', async () => {
      const render = (): string =>
        here.daemon.renderer.render(spec(a!, group(a!, [toB()])), {
          password: () => 'x',
          links: [],
          underlay: [],
          hostRoutes: () => [],
          leavingRoutes: () => [],
          missedAfterMs: () => 0,
        }).text
      assert.equal(render(), render())
    })

    test('with the group its sessions go, and its routes from the kernel', async () => {
      here.want([], 16)
      await until(async () => (await a!.routes(table, protocol)).length === 0, 'its table has nothing of the daemon')
      await until(async () => (await announced()).length === 0, 'nor has the other node')
      assert.deepEqual(await a!.routes(table, '77'), ['10.9.0.5/32', '10.99.0.7/32'], 'what is not its own stays')
    })
  })
}
