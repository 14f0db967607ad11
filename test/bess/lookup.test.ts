// What it would take to have routes in bessd's IPLookup, on which decision 0069 rests. Our graph has none.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { daemonOn, type Daemon } from '../../agent/dataplanes/bess/daemon.ts'
import { PeerConflict, PeerRefused } from '../../core/errors.ts'
import * as wire from '../../core/wire/bess/control.ts'
import { EmptyArg } from '../../core/wire/bess/modules.ts'
import { define, pack, safeUint64, string, uint32 } from '../../core/wire/protobuf/protobuf.ts'
import { method } from '../../platform/grpc/method.ts'
import { openChannel, type Channel } from '../../platform/grpc/channel.ts'
import { bessSkip, openTestNodes, signal, type TestNodes } from './test-nodes.ts'

const IPLookupArg = define('bess.pb.IPLookupArg', { maxRules: uint32(1), maxTbl8s: uint32(2) })
const AddArg = define('bess.pb.IPLookupCommandAddArg', { prefix: string(1), prefixLen: safeUint64(2), gate: safeUint64(3) })
const DeleteArg = define('bess.pb.IPLookupCommandDeleteArg', { prefix: string(1), prefixLen: safeUint64(2) })
const createModule = method(wire.service, 'CreateModule', wire.CreateModuleRequest, wire.CreateModuleResponse)

/** Host routes, 256 to a /24. */
const hostOf = (i: number) => ({ prefix: `100.64.${i >> 8}.${i & 255}`, prefixLen: 32 })
const batches = [1, 10, 100, 1_000] as const
const tookMs = async (what: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await what()
  return Math.round(performance.now() - began)
}

describe('IPLookup of bessd', { skip: bessSkip }, () => {
  let cluster: TestNodes
  let channel: Channel
  let daemon: Daemon
  beforeEach(async () => {
    cluster = await openTestNodes()
    const node = await cluster.node('a', '192.168.50.1')
    channel = openChannel({ target: node.daemon.target })
    cluster.onClose(() => Promise.resolve(channel.close()))
    await channel.ready(5_000)
    daemon = daemonOn(channel, signal)
    for (const name of ['Source', 'Sink']) assert.equal(await make(name, name, pack(EmptyArg, {})), 0)
    assert.equal(await makeLookup('one'), 0)
    await daemon.connect('Source', 0, 'one')
    await daemon.connect('one', 0, 'Sink')
    await daemon.resume()
  })
  afterEach(() => cluster.close())

  /** @returns bessd's errno */
  const make = async (name: string, mclass: string, arg: ReturnType<typeof pack>): Promise<number> =>
    (await channel.unary(createModule, { name, mclass, arg }, { signal })).error?.code ?? 0
  const makeLookup = (name: string): Promise<number> => make(name, 'IPLookup', pack(IPLookupArg, { maxRules: 10_000, maxTbl8s: 256 }))
  const add = (name: string, i: number) => daemon.command(name, 'add', pack(AddArg, { ...hostOf(i), gate: 0 }))
  const drop = (name: string, i: number) => daemon.command(name, 'delete', pack(DeleteArg, hostOf(i)))
  const each = (count: number, one: (i: number) => Promise<unknown>) => Promise.all(Array.from({ length: count }, (_, i) => one(i)))
  const paused = async (what: () => Promise<unknown>): Promise<void> => {
    await daemon.pause()
    await what()
    await daemon.resume()
  }

  test('takes no route while packets pass, tells of none that it has, and there are seven of them at most', async () => {
    await assert.rejects(add('one', 0), PeerConflict)
    await paused(() => add('one', 0))
    await assert.rejects(daemon.command('one', 'get_runtime_config', pack(EmptyArg, {})), PeerRefused)
    let modules = 1
    while ((await makeLookup(`another${modules}`)) === 0) modules++
    assert.equal(modules, 7)
  })

  test('takes routes in a pause, and without one where nothing leads to it yet', async (t) => {
    for (const count of batches) {
      const came = await tookMs(() => paused(() => each(count, (i) => add('one', i))))
      const went = await tookMs(() => paused(() => each(count, (i) => drop('one', i))))
      t.diagnostic(`nothing passes for ${came} ms while ${count} come, ${went} ms while they go`)
    }
    assert.equal(await makeLookup('two'), 0)
    const filled = await tookMs(() => each(1_000, (i) => add('two', i)))
    await daemon.connect('two', 0, 'Sink')
    const swapped = await tookMs(() =>
      paused(async () => {
        await daemon.disconnect('Source', 0)
        await daemon.connect('Source', 0, 'two')
      }),
    )
    t.diagnostic(`a second one takes 1000 in ${filled} ms while packets pass, and has its place after ${swapped} ms in which none does`)
  })
})
