// BESS' data plane on the double: the laws, and what must never be called. test/bess does it on the real daemon.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { bess } from '../../agent/dataplanes/bess.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { piecesOf } from '../laws/node-wanted.ts'
import { planFor, segment, settle, signal, wantedOf } from '../bess/wants.ts'
import { bessLaws, underlay } from '../doubles/bess-laws.ts'
import { BessdDouble, doubleTarget } from '../doubles/bessd.ts'

// Cut off at each third step, others in each run, and without a tunnel, since that is quadratic; test/bess does it with one.
bessLaws('bess on the double, a node on its own', { tunnel: false, seeds: [1], transitions: 200, cutEach: 3 })
bessLaws('bess on the double', { tunnel: true, seeds: [] })
bessLaws('bess on the double, with VLANs', {
  tunnel: false,
  uplinks: { physnet1: 'up0' },
  seeds: [],
  transitions: 200,
  drawing: { vnis: [5000], portsMax: 4 },
})

describe('bess', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  const port = {
    uid: 'u1',
    of: { kind: 'Port', namespace: 'a', name: 'p' },
    number: 1,
    ifcName: 'mgz1',
    attachment: { kind: 'vni', vni: 5001 },
    mac: '02:00:00:00:00:01',
    addresses: ['10.0.0.1'],
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'kernel',
    mtu: 1450,
  } as const
  const endpoint = { vni: 5001, address: '10.0.0.2', mac: '02:00:00:00:00:02', hostIP: '192.0.2.1' }

  test('over gRPC too: put, seen, put again after a restart that was noticed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mgzd-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const daemon = new BessdDouble()
    const target = `unix:${join(folder, 's')}`
    let stop = await daemon.serve(target)
    closers.push(() => stop())
    const plane = bess({ target, underlay, socketFolder: folder })
    closers.push(() => plane.close())
    assert.equal((await plane.open(signal)).bess, 'double')
    const wanted = wantedOf([port], { endpoints: [endpoint] })
    await settle(plane, wanted)
    assert.equal(await settle(plane, wanted), false)
    let told = Promise.withResolvers<void>()
    plane.onDrift(() => told.resolve())
    await told.promise
    told = Promise.withResolvers()
    stop()
    await told.promise
    daemon.restart()
    told = Promise.withResolvers()
    stop = await daemon.serve(target)
    await told.promise
    assert.equal(await settle(plane, wanted), true)
    assert.equal(await settle(plane, wanted), false)
    assert.equal(daemon.ended, undefined)
  })

  test('a daemon that carries what others made is refused, with its name; beside others it may be told to be', async () => {
    const daemon = new BessdDouble()
    daemon.modules.set('source0', { mclass: 'Source', arg: undefined, outs: new Map(), tables: undefined, reached: false })
    const open = (besideOthers: boolean) =>
      bess({ target: doubleTarget, socketFolder: '/run/none', channel: daemon.channel(), besideOthers }).open(signal)
    await assert.rejects(open(false), /module source0 \(Source\)/)
    assert.equal((await open(true)).bess, 'double')
  })

  test('a change is one pause and one resume, with the check before it; ports are made before it and dropped after it', async () => {
    const daemon = new BessdDouble()
    const calls: string[] = []
    const channel = daemon.channel()
    const plane = bess({
      target: doubleTarget,
      underlay,
      socketFolder: '/run/none',
      channel: {
        ...channel,
        unary(method, asked) {
          const { cmd } = asked as { readonly cmd?: string }
          calls.push([method.path.split('/')[2]!, ...(cmd === undefined ? [] : [cmd])].join(' '))
          return channel.unary(method, asked)
        },
      },
    })
    await plane.open(signal)
    const wanted = wantedOf([port], { endpoints: [endpoint] })
    await settle(plane, wanted)
    const takes = (): readonly string[] => calls.splice(0).filter((name) => !/^(List|Get|ModuleCommand get)/.test(name))
    const around = (changing: readonly string[]): readonly string[] => {
      const [from, to] = [changing.indexOf('PauseAll'), changing.indexOf('ResumeAll')]
      assert.equal(changing[to - 1], 'CheckSchedulingConstraints')
      assert.ok(to - from > 5, 'the graph is changed in between')
      return [...changing.slice(0, from + 1), ...changing.slice(to)]
    }
    const all = [...calls]
    assert.deepEqual(around(takes()), ['CreatePort', 'CreatePort', 'PauseAll', 'ResumeAll'])
    await settle(plane, wantedOf([{ ...port, ifcName: 'mgz2' }], { endpoints: [endpoint] }))
    assert.deepEqual(around(takes()), ['PauseAll', 'ResumeAll'], 'another interface of one number')
    await settle(plane, wantedOf([]))
    assert.deepEqual(around(takes()), ['PauseAll', 'ResumeAll', 'DestroyPort'])
    for (const name of all) assert.doesNotMatch(name, /Reset|Kill|Worker$|SetPortConf/)
  })

  test('the way to a host is put with what needs it, follows its MAC, and goes with the last that needed it', async () => {
    const daemon = new BessdDouble()
    let mac: string | undefined = '02:00:00:00:0f:01'
    const plane = bess({
      target: doubleTarget,
      underlay: { ...underlay, macsOf: (hosts) => Promise.resolve(new Map(mac === undefined ? [] : hosts.map((host) => [host, mac!]))) },
      socketFolder: '/run/none',
      channel: daemon.channel(),
    })
    await plane.open(signal)
    const wanted = wantedOf([port], { endpoints: [endpoint] })
    const hops = (): string[] => [...daemon.modules.keys()].filter((name) => name.startsWith('mgz:hop.'))
    await settle(plane, wanted)
    assert.match(hops().join(), /^mgz:hop\.192\.0\.2\.1 .*ether_dst=020000000f01\)$/)
    mac = '02:00:00:00:0f:99'
    assert.equal(await settle(plane, wanted), true, 'it is seen')
    assert.match(hops().join(), /ether_dst=020000000f99\)$/)
    mac = undefined
    assert.match(JSON.stringify(planFor(plane, wanted, await plane.observe(undefined, signal)).steps), /no way to its host/)
    mac = '02:00:00:00:0f:99'
    await settle(plane, wantedOf([port]))
    assert.deepEqual(hops(), [])
  })

  test('a table that is made anew, its fields being elsewhere, keeps the rules that are as they were', async () => {
    const daemon = new BessdDouble()
    const plane = bess({
      target: doubleTarget,
      underlay,
      uplinks: { physnet1: 'up0' },
      socketFolder: '/run/none',
      channel: daemon.channel(),
    })
    closers.push(() => plane.close())
    await plane.open(signal)
    const inVni = { ...port, addresses: ['10.0.0.1', '2001:db8::1'] }
    const inVlan = { ...inVni, attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'access', vlans: [100] } } as const
    const texts = (of: LocalPort) => new Map([...itemsOf(plane.renderer, piecesOf(wantedOf([of])))].map(({ key, text }) => [key, text]))
    await settle(plane, wantedOf([inVlan]))
    // As an agent does it: what changes is worked out from the pieces, and what is in both is not spoken of.
    for (const [before, after] of [
      [inVlan, inVni],
      [inVni, inVlan],
    ] as const) {
      for (const { action } of planFor(plane, wantedOf([after]), texts(before)).steps) await (plane as Dataplane).apply(action, signal)
      assert.deepEqual([...(await plane.observe(undefined, signal))].sort(), [...texts(after)].sort())
    }
  })

  test('a limit is over the task of whoever has its role now, and is never twice over one; what it was is no matter', async () => {
    const daemon = new BessdDouble()
    const plane = bess({ target: doubleTarget, socketFolder: '/run/none', channel: daemon.channel() })
    await plane.open(signal)
    const limited = (traffic: NonNullable<LocalPort['policy']>['traffic'], ifcName = 'mgz1') =>
      wantedOf([{ ...port, ifcName, policy: { identity: 1, ruleSets: [], isClosed: false, ...(traffic !== undefined && { traffic }) } }])
    const limits = async () =>
      [...(await plane.observe(undefined, signal))].filter(([key]) => key.startsWith('limit/')).map(([key, text]) => `${key} ${text}`)
    await settle(plane, limited({ maxEgress: 1e6, maxIngress: 2e6 }))
    assert.deepEqual(await limits(), ['limit/in.1 1000000 bits a second', 'limit/out.1 2000000 bits a second'])
    // Its modules are made anew; of the limits the change says nothing.
    const { steps } = planFor(plane, limited({ maxEgress: 1e6, maxIngress: 2e6 }, 'mgz2'), await plane.observe(undefined, signal))
    assert.deepEqual(
      steps.flatMap(({ action }) => [...action.put, ...action.drop]).filter(({ key }) => key.startsWith('limit/')),
      [],
    )
    for (const { action } of steps) await (plane as Dataplane).apply(action, signal)
    assert.deepEqual(await limits(), ['limit/in.1 1000000 bits a second', 'limit/out.1 2000000 bits a second'])
    await settle(plane, limited({ maxEgress: 3e6 }))
    assert.deepEqual(await limits(), ['limit/in.1 3000000 bits a second'])
    await settle(plane, limited(undefined))
    assert.deepEqual(await limits(), [])
    await settle(plane, wantedOf([]))
    const last = { ...port, uid: 'u9', number: 9, policy: { identity: 1, ruleSets: [], isClosed: false, traffic: { maxIngress: 4e6 } } }
    await settle(plane, wantedOf([last]))
    assert.deepEqual(await limits(), ['limit/out.9 4000000 bits a second'])
    assert.deepEqual(daemon.classes.names(), ['mgz:limit.0', 'mgz:limit.1'], 'no more than were in use at once')
    assert.equal(await settle(plane, wantedOf([last])), false)
    assert.equal(daemon.ended, undefined)
  })

  test('paused workers are seen, and run again after the next change', async () => {
    const daemon = new BessdDouble()
    const plane = bess({ target: doubleTarget, socketFolder: '/run/none', channel: daemon.channel() })
    await plane.open(signal)
    const wanted = wantedOf([port], { segments: [segment(5001)] })
    await settle(plane, wanted)
    daemon.running = false
    assert.equal((await plane.observe(undefined, signal)).get('workers'), 'paused')
    await settle(plane, wanted)
    assert.equal(daemon.running, true)
  })
})
