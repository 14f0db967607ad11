// Ports without a pod: wired as soon as they are ready, with a program of their maker's that runs once, whoever is killed when.
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Wired } from '../../agent/ledger/record.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { openHouse, type House } from '../workers/house.ts'
import { withNetwork } from '../workers/network.ts'
import { eventually, openNode, type TestNode } from './node.ts'

describe('a Port without a pod', () => {
  let folder: string
  let program: string
  let house: House
  let node: TestNode
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-alone-'))
    program = join(folder, 'program')
    await writeFile(program, `#!/bin/sh\necho "$@" >> ${folder}/ran\nif [ -e ${folder}/slow ]; then sleep 0.3; fi\necho well\n`)
    await chmod(program, 0o755)
  })
  after(() => rm(folder, { recursive: true }))
  beforeEach(async () => {
    for (const name of ['ran', 'slow']) await rm(join(folder, name), { force: true })
    house = await openHouse()
    await withNetwork(house)
    await house.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
    await house.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await house.get('Node', 'n1'))!.metadata.uid, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] })
    node = await openNode({ store: house.store, name: 'n1', address: '192.0.2.1', config: { execAllow: [program] } })
  })
  afterEach(async () => {
    await node.close()
    await house.close()
  })

  const ran = async (): Promise<string[]> => (await readFile(join(folder, 'ran'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  const made = (more: object = {}): Promise<Resource<'Port'>> => house.make('Port', 'a/p', { subnet: 'one', node: 'n1', postCreateExec: [program, 'up', '${ifname}'], postDeleteExec: [program, 'down', '${ifname}'], ...more })
  const statusOf = async () => (await house.get('Port', 'a/p'))?.status
  const wired = (): Wired[] => [...node.agent.env.ledger.wired()]
  const told = (): Promise<void> => eventually(async () => (await statusOf())?.node?.wired === true, 'it is told of')

  test('runs a program when it is there, reports how it ended, and runs another when it has gone', async () => {
    const port = await made()
    await told()
    const { ifcName, node: { postCreateExecReport: report } = {} } = (await statusOf())!
    assert.deepEqual([report?.exitStatus, report?.stdOut, report?.command], [0, 'well\n', [program, 'up', ifcName]])
    await node.restart()
    await house.store.delete(refOf(port))
    await eventually(async () => (await house.get('Port', 'a/p')) === undefined, 'its node lets it go')
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
    const away = t.mock.method(house.store, 'patchStatus', () => Promise.reject(new StoreUnavailable({ reason: 'away' })))
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
    await house.store.delete(refOf(port))
    await eventually(async () => (await ran()).length === 2, 'the other program runs')
    await node.restart()
    await eventually(async () => (await house.get('Port', 'a/p')) === undefined, 'its node lets it go')
    assert.deepEqual((await ran()).map((line) => line.split(' ')[0]), ['up', 'down', 'down'])
    assert.deepEqual([wired(), await node.links.list()], [[], []])
  })

  test('says why it cannot be wired, and is wired once it can be', async () => {
    await house.make('Vpc', 'a/wide', { vni: 6000, mtu: 9000 })
    await house.make('Subnet', 'a/two', { vpc: 'wide', ipv4: { cidr: '10.2.0.0/24' } })
    await house.settle()
    await made({ subnet: 'two' })
    await eventually(async () => (await statusOf())?.node?.wired === false, 'it is told of')
    assert.equal((await statusOf())?.node?.message, 'an MTU of 9000 does not fit: this node carries 1450 in its overlay')
    const vpc = (await house.get('Vpc', 'a/wide'))!
    await house.store.update({ ...vpc, spec: { ...vpc.spec, mtu: 1400 } })
    await node.restart()
    await told()
    assert.deepEqual([(await ran()).length, (await statusOf())?.node?.message], [1, undefined])
  })

  test('changes while it is wired, and is not made anew', async () => {
    await made()
    await told()
    const item = (await house.get('Port', 'a/p'))!
    await house.store.update({ ...item, spec: { ...item.spec, allowedAddressPairs: [{ ip: '10.0.0.200' }] } })
    await eventually(() => wired().some(({ port: { allowedAddressPairs }, done }) => allowedAddressPairs.length === 1 && done !== undefined), 'the ledger has both')
    await node.restart()
    assert.equal((await ran()).length, 1)
  })
})
