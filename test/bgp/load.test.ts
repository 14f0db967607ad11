// Many prefixes, several ways to one, and daemons that are not ours.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ForeignDaemon } from '../../agent/bgp/foreign.ts'
import type { SpeakerStatus } from '../../agent/bgp/status.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { realClock } from '../../platform/clock.ts'
import { makeLog } from '../../platform/log.ts'
import { until } from '../setup/until.ts'
import { makeNetwork, type BGPNode, type Network } from './network.ts'
import { birdOf, follow, group, session, spec, table, type Running } from './speakers.ts'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
const most = 10_000
const prefixOf = (i: number): string => `100.64.${i >> 8}.${i & 255}/32`

/** Announces what its standard input says; a folder's `lines` is followed. */
const follower = (lines: string): string => `
import sys, time
sent = 0
while True:
    with open('${lines}') as file:
        all = file.read().splitlines()
    for line in all[sent:]:
        sys.stdout.write(line + '\\n')
    sys.stdout.flush()
    sent = len(all)
    time.sleep(0.1)
`

async function startExabgp(node: BGPNode, neighbour: BGPNode): Promise<(lines: readonly string[]) => Promise<void>> {
  const [lines, script, config] = ['lines', 'follow.py', 'exabgp.conf'].map((name) => `${node.folder}/${name}`) as [string, string, string]
  await node.host.makeFolder(node.folder)
  const text = `process inject { run /usr/bin/python3 ${script}; encoder text; }
neighbor ${neighbour.ipv4} { router-id ${node.ipv4}; local-address ${node.ipv4}; local-as 64599; peer-as 64512; hold-time 30;
  api { processes [ inject ]; } }
`
  for (const [path, content] of [
    [lines, ''],
    [script, follower(lines)],
    [config, text],
  ] as const)
    await node.host.write(path, content)
  const settings = ['daemonize=false', 'user=root', `pid=${node.folder}/exabgp.pid`].map((each) => `exabgp.daemon.${each}`)
  node.host.startApart(`${node.folder}/exabgp.log`, 'env', ...settings, 'exabgp.api.cli=false', 'exabgp.log.level=ERR', 'exabgp', config)
  let all = ''
  return async (more) => {
    all += more.map((each) => `${each}\n`).join('')
    await node.host.replace(lines, all)
  }
}

describe('BIRD and what is around it', { skip }, () => {
  let network: Network
  let [a, e, g, f]: BGPNode[] = []
  let here: Running
  let foreign: Running
  let announce: (lines: readonly string[]) => Promise<void>
  const outside = { external: true, import: [{ prefix: '0.0.0.0/0', le: 32, action: 'accept' as const }] }
  const routes = (): Promise<readonly string[]> => a!.routes(table, 'bird')

  before(async () => {
    network = await makeNetwork(['a', 'e', 'g', 'f'])
    ;({ a, e, g, f } = network.nodes as Record<'a' | 'e' | 'g' | 'f', BGPNode>)
    announce = await startExabgp(e, a)
    foreign = follow(g, birdOf(g))
    const toA = session(a, { as: 64_512, external: true })
    foreign.want([group(g, [toA], { as: 64_600, advertise: [{ cidr: '198.51.100.0/24', hostRoutes: false, vni: 5 }] })], 1)
    here = follow(a, birdOf(a))
    const loader = session(e, { name: 'loader', as: 64_599, ...outside, maximumPrefixes: { ipv4: most } })
    here.want([group(a, [loader, session(g, { name: 'gateway', as: 64_600, ...outside })])], 1)
    await here.isUp('loader', 'gateway')
  })
  after(async () => {
    await here.end()
    await foreign.end()
    await network.remove()
  })

  test('two gateways with one prefix are two ways to it', async () => {
    await announce(['announce route 198.51.100.0/24 next-hop self'])
    const shown = async (): Promise<string> => (await a!.namespace.ip('route', 'show', 'table', String(table), '198.51.100.0/24')).stdout
    await until(async () => (await shown()).match(/nexthop via/g)?.length === 2, 'both are in the kernel')
    assert.ok((await shown()).includes(e!.ipv4) && (await shown()).includes(g!.ipv4))
  })

  test(`${most} prefixes at a maximum of ${most} come, and one more closes the session`, async () => {
    await announce(Array.from({ length: most - 1 }, (_, i) => `announce route ${prefixOf(i)} next-hop self`))
    await until(async () => (await routes()).length === most, 'all are in the kernel', 60_000)
    await here.isUp('loader')
    await announce([`announce route ${prefixOf(most)} next-hop self`])
    await until(() => here.stateOf('loader') === 'idle', 'it is closed')
    await until(async () => (await routes()).join() === '198.51.100.0/24', 'its routes are gone, those of others are not')
    await here.isUp('gateway')
    assert.match(here.status()!.sessions.find((each) => each.session === 'loader')?.lastError ?? '', /limit/i)
  })

  test("somebody else's BIRD keeps the port: ours is refused, and says by whom; its routes are read", async () => {
    const text = `router id ${f!.ipv4};
protocol device { }
protocol kernel { ipv4 { export all; }; }
protocol static { ipv4; route 203.0.113.0/24 blackhole; }
protocol bgp { local ${f!.ipv4} as 64700; neighbor ${a!.ipv4} as 64512; ipv4 { import none; export none; }; }
`
    const theirs = birdOf({ ...f!, folder: `${f!.folder}/theirs` })
    await theirs.apply(text)
    await theirs.start()
    const ours = follow(f!, birdOf(f!))
    ours.want([group(f!, [session(a!)])], 1)
    await until(() => ours.status()?.daemon.state === 'refused', 'it is told')
    const pid = Number(await f!.host.read(`${f!.folder}/theirs/bird.pid`))
    assert.equal(ours.status()!.daemon.problem, `TCP port 179 belongs to bird (process ${pid})`)
    assert.equal(await ours.daemon.inForce(), undefined)
    await ours.end()
    let told: SpeakerStatus | undefined
    const daemon = (protocol: string): ForeignDaemon =>
      new ForeignDaemon({
        kernel: f!.kernel,
        table: 254,
        protocol,
        report: (status) => void (told = status),
        clock: realClock,
        log: makeLog('silent'),
      })
    for (const [protocol, state, problem] of [
      ['bird', 'running', undefined],
      ['12', 'running', undefined],
      ['bgp', 'absent', 'table 254 of the kernel has no route of protocol bgp'],
      ['calico', 'absent', 'the kernel refuses routes of calico: it knows no protocol of that name: say its number'],
    ] as const) {
      const one = daemon(protocol)
      one.want(spec(f!))
      await one.observe()
      assert.deepEqual(told?.daemon, { program: 'foreign', state, ...(problem !== undefined && { problem }) })
    }
    assert.equal(await theirs.inForce(), text)
    assert.deepEqual(await f!.routes(254, 'bird'), ['203.0.113.0/24'])
    process.kill(pid, 'SIGKILL')
  })
})
