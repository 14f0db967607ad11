// Ports without a pod: wired as soon as they are ready, with a program of their maker's that runs once, whoever is killed when.
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { thisDisk } from '../../agent/ledger/disk.ts'
import { Ledger } from '../../agent/ledger/ledger.ts'
import type { Wired } from '../../agent/ledger/record.ts'
import { ownNamespace } from '../../agent/links/own-namespace.ts'
import type { Machine } from '../../agent/machine/machine.ts'
import { thisMachine } from '../../agent/machine/this-machine.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { portsWithoutPodLabel } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { silentLog } from '../../platform/log.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { withNetwork } from '../workers/network.ts'
import { eventually, openNode, type TestNode } from './node.ts'

describe('a Port without a pod', () => {
  let folder: string
  let program: string
  let cluster: TestCluster
  let node: TestNode
  /** Network namespaces that a program was run in: in memory there are none to enter. */
  let entered: string[]
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-alone-'))
    program = join(folder, 'program')
    await writeFile(program, `#!/bin/sh\necho "$@" >> ${folder}/ran\nif [ -e ${folder}/slow ]; then sleep 0.3; fi\necho well\n`)
    await chmod(program, 0o755)
  })
  after(() => rm(folder, { recursive: true }))
  beforeEach(async () => {
    for (const name of ['ran', 'slow']) await rm(join(folder, name), { force: true })
    cluster = await openTestCluster()
    await withNetwork(cluster)
    await cluster.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
    await cluster.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await cluster.get('Node', 'n1'))!.metadata.uid, {
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
    })
    entered = []
    const run: Machine['run'] = (command, netns) =>
      netns === undefined
        ? thisMachine.run(command)
        : Promise.resolve({ exitStatus: entered.push(netns) - entered.length, stdOut: '', stdErr: '' })
    node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1', config: { execAllow: [program] }, machine: { run } })
  })
  afterEach(async () => {
    await node.close()
    await cluster.close()
  })

  const ran = async (): Promise<string[]> =>
    (await readFile(join(folder, 'ran'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  const made = (more: object = {}): Promise<Resource<'Port'>> =>
    cluster.make('Port', 'a/p', {
      subnet: 'one',
      node: 'n1',
      postCreateExec: [program, 'up', '${ifname}'],
      postDeleteExec: [program, 'down', '${ifname}'],
      ...more,
    })
  const statusOf = async () => (await cluster.get('Port', 'a/p'))?.status
  const wired = (): Wired[] => [...node.agent.env.ledger.wired()]
  const told = (): Promise<void> => eventually(async () => (await statusOf())?.node?.wired === true, 'it is told of')

  test('runs a program when it is there, reports how it ended, and runs another when it has gone', async () => {
    const port = await made()
    await told()
    const { ifcName, node: { postCreateExecReport: report } = {} } = (await statusOf())!
    assert.deepEqual([report?.exitStatus, report?.stdOut, report?.command], [0, 'well\n', [program, 'up', ifcName]])
    await node.restart()
    await cluster.store.delete(refOf(port))
    await eventually(async () => (await cluster.get('Port', 'a/p')) === undefined, 'its node lets it go')
    assert.deepEqual(await ran(), [`up ${ifcName}`, `down ${ifcName}`])
  })

  test('is told of by the next agent where one is killed while the program runs, which runs again', async () => {
    await writeFile(join(folder, 'slow'), '')
    await made()
    await eventually(async () => (await ran()).length === 1, 'the program runs')
    await node.restart()
    await told()
    assert.deepEqual([(await ran()).length, (await statusOf())?.node?.postCreateExecReport?.exitStatus], [2, 0])
  })

  test('is told of by the next agent where one is killed before the store takes its word, and its program runs no second time', async (t) => {
    const away = t.mock.method(cluster.store, 'patchStatus', () => Promise.reject(new StoreUnavailable({ reason: 'away' })))
    await made()
    await eventually(() => wired().some(({ done }) => done !== undefined), 'the program has run')
    await node.kill()
    away.mock.restore()
    await node.restart()
    await told()
    assert.deepEqual([(await ran()).length, (await statusOf())?.node?.postCreateExecReport?.exitStatus], [1, 0])
  })

  test('that goes is let go by the next agent where one is killed while the other program runs, which runs again', async () => {
    const port = await made()
    await told()
    await writeFile(join(folder, 'slow'), '')
    await cluster.store.delete(refOf(port))
    await eventually(async () => (await ran()).length === 2, 'the other program runs')
    await node.restart()
    await eventually(async () => (await cluster.get('Port', 'a/p')) === undefined, 'its node lets it go')
    assert.deepEqual(
      (await ran()).map((line) => line.split(' ')[0]),
      ['up', 'down', 'down'],
    )
    assert.deepEqual([wired(), await node.links.list()], [[], []])
  })

  test('says why it cannot be wired, and is wired once it can be', async () => {
    await cluster.make('Vpc', 'a/wide', { vni: 6000, mtu: 9000 })
    await cluster.make('Subnet', 'a/two', { vpc: 'wide', ipv4: { cidr: '10.2.0.0/24' } })
    await cluster.settle()
    await made({ subnet: 'two' })
    await eventually(async () => (await statusOf())?.node?.wired === false, 'it is told of')
    assert.equal((await statusOf())?.node?.message, 'an MTU of 9000 does not fit: this node carries 1450 in its overlay')
    const vpc = (await cluster.get('Vpc', 'a/wide'))!
    await cluster.store.update({ ...vpc, spec: { ...vpc.spec, mtu: 1400 } })
    await node.restart()
    await told()
    assert.deepEqual([(await ran()).length, (await statusOf())?.node?.message], [1, undefined])
  })

  const inside = () => [...node.links.there.values()].map((each) => each.inside)
  const nodeTakes = async (word: string): Promise<void> => {
    const item = (await cluster.get('Node', 'n1'))!
    await cluster.store.update({ ...item, metadata: { ...item.metadata, labels: { [portsWithoutPodLabel]: word } } })
  }

  test("has MAC and name alone in the node's own network, and neither addresses nor routes", async () => {
    await made()
    await told()
    assert.deepEqual(
      inside().map(({ netns, addresses, routes }) => [netns, addresses, routes]),
      [[undefined, [], []]],
    )
    assert.equal((await statusOf())?.addresses?.length, 1)
  })

  test('has its addresses in a network namespace of its own where it asks for them and its Node takes that, and its program runs there', async () => {
    await nodeTakes('addressed')
    const port = await made({ addressed: true })
    await told()
    const [address] = (await statusOf())!.addresses!
    const netns = ownNamespace(hostInterfaceName(port.metadata.uid))
    assert.deepEqual(
      inside().map((each) => [each.netns, each.own, each.addresses, each.routes]),
      [[netns, true, [`${address}/24`], [{ to: '0.0.0.0/0', via: '10.0.0.1' }]]],
    )
    assert.deepEqual(await ran(), [])
    assert.deepEqual([(await statusOf())?.node?.postCreateExecReport?.exitStatus, entered], [0, [netns]])
    await node.restart()
    assert.equal(inside().length, 1)
    await cluster.store.delete(refOf(port))
    await eventually(async () => (await cluster.get('Port', 'a/p')) === undefined, 'its node lets it go')
    assert.deepEqual([inside(), wired()], [[], []])
    assert.deepEqual(
      (await ran()).map((line) => line.split(' ')[0]),
      ['down'],
      "what runs when it has gone runs in the node's own network",
    )
  })

  test('says that its Node takes no addresses, is not wired, and is as soon as it does', async () => {
    await nodeTakes('bare')
    await made({ addressed: true })
    await eventually(async () => (await statusOf())?.node?.wired === false, 'it is told of')
    assert.match((await statusOf())?.node?.message ?? '', /takes Ports without a pod only with MAC and name/)
    assert.deepEqual(inside(), [])
    await nodeTakes('addressed')
    await told()
    assert.equal(inside()[0]?.own, true)
  })

  test('is wired anew, and its program runs again, where its network namespace is gone', async () => {
    await nodeTakes('addressed')
    await made({ addressed: true })
    await told()
    await node.kill()
    await node.links.remove([...node.links.there.keys()][0]!)
    await node.restart()
    await eventually(() => inside().length === 1 && entered.length === 2, 'it is there again')
  })

  test("that yesterday's agent gave addresses beside the node's own loses them, keeps its interface, and says why", async () => {
    await made()
    await told()
    const [line] = wired()
    await node.kill()
    // As it was written and made then.
    const then: Wired = {
      ...line!,
      inside: { ...line!.inside, addresses: ['10.0.0.77/24'], routes: [{ to: '10.9.0.0/16', via: '10.0.0.1' }] },
    }
    await node.agent.env.links.ensure(then.port, then.inside)
    const ledger = await Ledger.open({
      disk: thisDisk,
      folder: node.agent.env.config.ledger,
      node: 'n1',
      log: silentLog(),
      now: () => Date.now(),
      boot: 'one',
    })
    await ledger.put(then)
    await ledger.close()
    await node.restart()
    assert.deepEqual(
      inside().map(({ netns, addresses, routes }) => [netns, addresses, routes]),
      [[undefined, [], []]],
    )
    assert.deepEqual(
      wired().map((each) => each.inside.addresses),
      [[]],
    )
    await eventually(async () => /stand beside the node's own no longer/.test((await statusOf())?.node?.message ?? ''), 'it is told of')
    assert.deepEqual([(await statusOf())?.node?.wired, (await ran()).length], [true, 1])
    await node.restart()
    assert.match((await statusOf())?.node?.message ?? '', /make it anew with spec.addressed/)
  })

  test("of two with one address in two Vpcs neither is in the other's way", async () => {
    await nodeTakes('addressed')
    await cluster.make('Vpc', 'b/red', { vni: 6000 })
    await cluster.make('Subnet', 'b/one', { vpc: 'red', ipv4: { cidr: '10.0.0.0/24' } })
    await cluster.settle()
    for (const key of ['a/p', 'b/p']) await cluster.make('Port', key, { subnet: 'one', node: 'n1', addressed: true, ips: ['10.0.0.7'] })
    await eventually(() => inside().length === 2, 'both are wired')
    assert.deepEqual(
      [new Set(inside().map(({ netns }) => netns)).size, inside().map(({ addresses }) => addresses)],
      [2, [['10.0.0.7/24'], ['10.0.0.7/24']]],
    )
  })

  test('that is wired while an agent that starts looks for orphans is none of them', async (t) => {
    await node.kill()
    const list = node.links.list.bind(node.links)
    t.mock.method(
      node.links,
      'list',
      async () => {
        await made()
        await eventually(async () => (await list()).length === 1, 'it is wired meanwhile')
        return list()
      },
      { times: 1 },
    )
    await node.restart()
    await told()
    assert.deepEqual(
      (await list()).map(({ uid }) => uid),
      wired().map(({ port }) => port.uid),
    )
    assert.equal((await list()).length, 1)
  })

  test('whose interface has gone while no agent was there is wired anew, and its program runs again', async () => {
    await made()
    await told()
    await node.kill()
    await node.links.remove((await node.links.list())[0]!.ifcName)
    await node.restart()
    await eventually(async () => (await ran()).length === 2 && wired().every(({ done }) => done !== undefined), 'its program has run again')
    assert.equal((await node.links.list()).length, 1)
  })

  test("that became a pod's on another node while no agent ran leaves this one, and its other program runs", async () => {
    await made({ portID: 'door' })
    await told()
    await node.kill()
    // As workers do once the Node is proven gone.
    const there = (await cluster.get('Port', 'a/p'))!
    await cluster.store.update({ ...there, metadata: { ...there.metadata, finalizers: [] }, spec: { ...there.spec, node: 'n2' } })
    await node.restart()
    assert.deepEqual([wired(), await node.links.list(), node.agent.env.loop.pieces.of(portPiece).size], [[], [], 0])
    assert.deepEqual(
      (await ran()).map((line) => line.split(' ')[0]),
      ['up', 'down'],
    )
  })

  test('changes while it is wired, and is not made anew', async () => {
    await made()
    await told()
    const item = (await cluster.get('Port', 'a/p'))!
    await cluster.store.update({ ...item, spec: { ...item.spec, allowedAddressPairs: [{ ip: '10.0.0.200' }] } })
    await eventually(
      () => wired().some(({ port: { allowedAddressPairs }, done }) => allowedAddressPairs.length === 1 && done !== undefined),
      'the ledger has both',
    )
    await node.restart()
    assert.equal((await ran()).length, 1)
  })
})
