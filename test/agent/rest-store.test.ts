// A node's agent on a standalone server's socket: the same story as on the store itself, and what the server will not let it write.
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { portFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { RestStore } from '../../platform/store/rest.ts'
import { listenAgents } from '../../webhooks/agents/server.ts'
import { Seen } from '../laws/seen.ts'
import { openHouse, type House } from '../workers/house.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openNode } from './node.ts'

let house: House
let folder: string
let server: Awaited<ReturnType<typeof listenAgents>>
let store: RestStore
const socket = (): string => join(folder, 'agents.sock')
const open = (node: string): RestStore => new RestStore({ socket: socket(), node, clock: realClock, random: Math.random })

beforeEach(async () => {
  house = await openHouse()
  folder = await mkdtemp(join(tmpdir(), 'mz-rest-'))
  server = await listenAgents({ store: house.store, log: silentLog(), socket: socket() })
  store = open('n1')
  await store.register('192.0.2.1')
})
afterEach(async () => {
  await store.close()
  await server.close()
  await house.close()
  await rm(folder, { recursive: true })
})

async function portHere(): Promise<Resource<'Port'>> {
  await withNetwork(house)
  await makePod(house, 'a/web', { node: 'n1' })
  await house.settle()
  return (await house.all('Port'))[0]!
}

test('an agent that registers is a Node that others can tunnel to', async () => {
  await portHere()
  assert.equal((await house.all('Port'))[0]?.status?.hostIP, '192.0.2.1')
})

test('it gets, lists and watches by field as in any store', async () => {
  const port = await portHere()
  assert.equal((await store.get(refOf(port)))?.metadata.uid, port.metadata.uid)
  assert.equal(await store.get({ kind: 'Port', namespace: 'a', name: 'none' }), undefined)
  assert.equal((await store.list('Port', { fields: { '.spec.node': 'n2' } })).items.length, 0)
  const seen = await Seen.open(store, 'Port', { fields: { '.spec.node': 'n1' } })
  assert.deepEqual(seen.log, [`all ${port.metadata.name}`])
  await house.store.update({ ...port, spec: { ...port.spec, retain: true } })
  await seen.until((log) => log.includes(`put ${port.metadata.name}`))
  await seen.close()
})

test('a watch that was cut off says everything anew', async () => {
  const port = await portHere()
  const seen = await Seen.open(store, 'Port', {})
  await server.close()
  server = await listenAgents({ store: house.store, log: silentLog(), socket: socket() })
  await seen.until((log) => log.filter((line) => line === `all ${port.metadata.name}`).length === 2)
  await seen.close()
})

test('it writes what its own node may say, and nothing else', async () => {
  const port = await portHere()
  const of = { ref: refOf(port), uid: port.metadata.uid }
  assert.equal((await store.patchStatus(of, { node: { node: { wired: true } } })).status?.node?.wired, true)
  const other = open('n2')
  const refused = { code: 'forbidden' }
  await assert.rejects(other.patchStatus(of, { node: { node: { wired: false } } }), refused)
  await assert.rejects(store.patchStatus(of, { address: { addresses: [] } }), refused)
  await assert.rejects(store.commit([{ do: 'removeFinalizer', ref: of.ref, uid: of.uid, finalizer: portFinalizer }]), refused)
  await assert.rejects(store.commit([{ do: 'delete', ref: of.ref }]), refused)
  await assert.rejects(store.update({ ...port, spec: { ...port.spec, portSecurity: false } }), refused)
  assert.equal((await house.get('Port', `a/${port.metadata.name}`))?.status?.node?.wired, true)
  await other.close()
})

test('a pod is wired over it from ADD to the end', async () => {
  await withNetwork(house)
  const pod = await makePod(house, 'a/web', { node: 'n1' })
  await house.settle()
  const node = await openNode({ store, name: 'n1', address: '192.0.2.1' })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  await eventually(async () => (await house.all('Port'))[0]?.status?.node?.wired === true, 'the Port says that it is wired')
  await house.store.delete({ kind: 'Pod', namespace: 'a', name: 'web' })
  await eventually(async () => {
    await house.settle()
    return (await house.all('Port')).length === 0
  }, 'the Port is gone')
  assert.equal(node.links.there.size, 0)
  await node.close()
})

test('the socket is its owner\'s alone from the moment it is there, whatever the umask', async () => {
  const path = join(folder, 'open.sock')
  const before = process.umask(0)
  try {
    const listening = listenAgents({ store: house.store, log: silentLog(), socket: path })
    let mode: number | undefined
    await eventually(async () => (mode = await stat(path).then((there) => there.mode & 0o777, () => undefined)) !== undefined, 'the socket is there')
    assert.equal(mode, 0o600)
    await (await listening).close()
  } finally {
    process.umask(before)
  }
})
