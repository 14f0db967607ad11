// From the object to the route: BGPSpeakers in a store, followed as agents follow them, on a session over IPv6 that carries both families.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { followSpeaker, speakersOf, type SpeakerFollowed } from '../../agent/bgp/follow.ts'
import { Outbox } from '../../agent/outbox.ts'
import { refOf, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { until } from '../setup/until.ts'
import { makeNetwork, type BGPNode, type Network } from './network.ts'
import { birdOf, group, secret, session, spec, table } from './speakers.ts'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
const { namespace } = readConfig({})

describe('a BGPSpeaker in a store', { skip }, () => {
  const store = SqliteStore.open(':memory:')
  const outbox = new Outbox({ clock: realClock, random: () => 0.5, log: silentLog() })
  const followed: SpeakerFollowed[] = []
  let network: Network
  let [a, b]: BGPNode[] = []

  const speakerOf = (name: string): Promise<Resource<'BGPSpeaker'> | undefined> => store.get({ kind: 'BGPSpeaker', name })
  const speaks = (of: BGPNode, to: BGPNode): SpecOf<'BGPSpeaker'> => {
    const one = session(to, { address: to.ipv6, passwordSecret: secret, addressFamilies: ['ipv4', 'ipv6'] })
    return structuredClone(spec(of, group(of, [one]))) as SpecOf<'BGPSpeaker'>
  }
  const follow = (node: BGPNode, clock = realClock): SpeakerFollowed => {
    const config = readConfig({ MEGREZ_BGP: 'bird', MEGREZ_BGP_FOLDER: node.folder })
    const of = { store, config, node: node.name, outbox, clock, log: silentLog(), bgp: { host: node.host } }
    return followSpeaker({ ...of, speakers: speakersOf(of) })!
  }

  before(async () => {
    network = await makeNetwork(['a', 'b'])
    ;({ a, b } = network.nodes as Record<'a' | 'b', BGPNode>)
    followed.push(follow(a), follow(b))
    for (const [of, to] of [
      [a, b],
      [b, a],
    ] as const)
      await store.create({ kind: 'BGPSpeaker', metadata: { name: of.name }, spec: speaks(of, to) })
  })
  after(async () => {
    for (const each of followed) await each.stop()
    await network.remove()
    await store.close()
  })

  test('a session waits for its Secret, and its status says so', async () => {
    await until(async () => (await speakerOf('a'))?.status?.daemon?.problem !== undefined, 'it is told')
    assert.match((await speakerOf('a'))!.status!.daemon!.problem!, /sessions\/0: node-b: Secret peers has no key password/)
    const data = { [secret.key]: Buffer.from('s3cret').toString('base64') }
    await store.create({ kind: 'Secret', metadata: { namespace, name: secret.name }, spec: { data } })
    const up = async (): Promise<boolean> => (await speakerOf('a'))?.status?.sessions?.[0]?.state === 'established'
    await until(up, 'it is up', 40_000)
    const { daemon, addresses } = (await speakerOf('a'))!.status!
    assert.deepEqual([daemon?.program, daemon?.state, daemon?.problem, daemon?.generation], ['bird', 'running', undefined, 1])
    assert.deepEqual(addresses, [a!.ipv4, a!.ipv6])
  })

  test('routes of both families are in the kernel of the other node, those of IPv4 by an IPv6 next hop', async () => {
    await a!.namespace.ip('route', 'add', '10.9.0.5/32', 'dev', 'lo', 'table', String(table), 'proto', '77')
    await a!.namespace.ip('-6', 'route', 'add', 'fd09::5/128', 'dev', 'lo', 'table', String(table), 'proto', '77')
    await until(async () => (await b!.routes(table, 'bird')).join() === '10.9.0.5/32,fd09::5/128', 'both are there')
    const { stdout } = await b!.namespace.ip('route', 'show', 'table', String(table))
    assert.match(stdout, /^10\.9\.0\.5 via inet6 fe80::\S+ dev up0 proto bird/)
  })

  test('a route of the node is known from the kernel, also where it is never time to look', async () => {
    await followed[0]!.stop()
    followed[0] = follow(a!, { ...realClock, elapsed: () => 0 })
    for (const block of ['203.0.113.0/24', '203.0.114.0/24']) {
      await a!.namespace.ip('route', 'add', block, 'via', b!.ipv4)
      await until(async () => (await birdOf(a!).inForce())?.includes(`route ${block} via ${b!.ipv4}`) === true, `${block} is in force`)
    }
  })

  test('an agent that leaves for good takes sessions and routes along; without its BGPSpeaker likewise', async () => {
    const stopped = followed[0]!.stop({ forGood: true })
    const routesOfA = async (): Promise<string> =>
      (await b!.namespace.exec('birdc', '-r', '-s', `${b!.folder}/bird.ctl`, 'show route all table all')).stdout
    await until(
      async () => /BGP.community: \(65535,0\)\s+BGP.local_pref: 0|BGP.local_pref: 0[\s\S]*\(65535,0\)/.test(await routesOfA()),
      'it says so',
    )
    assert.equal((await b!.routes(table, 'bird')).length, 2, 'before they go')
    await stopped
    await until(async () => (await b!.routes(table, 'bird')).length === 0, 'the other node has nothing of it')
    assert.notEqual(await birdOf(a!).version(), undefined, 'its daemon is whoever started it to end')
    const { metadata, ...rest } = (await speakerOf('b'))!
    await store.delete(refOf({ metadata, ...rest }))
    await until(async () => !birdOf(b!).listens((await birdOf(b!).inForce()) ?? ''), 'it speaks with nobody')
  })
})
