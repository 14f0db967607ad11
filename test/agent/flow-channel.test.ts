// The way to a bridge's flows, where nobody is at its other end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { FlowChannel } from '../../agent/ovs/openflow/flow-channel.ts'
import { SwitchUnavailable } from '../../core/errors.ts'
import { realClock } from '../../platform/clock.ts'

const nowhere = (): FlowChannel =>
  new FlowChannel({
    bridge: 'br-none',
    path: '/nonexistent/br-none.mgmt',
    clock: realClock,
    random: Math.random,
    onChange: () => undefined,
  })

// What is rejected and heard by nobody ends a process, and fails a test too (node:test, unhandledRejection).
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

test('a channel that nobody asks and nobody answers ends nothing', async () => {
  const channel = nowhere()
  await settled()
  channel.close()
  await settled()
})

test('a question that is called off before it is asked is refused, once', async () => {
  const channel = nowhere()
  await assert.rejects(channel.counts(AbortSignal.abort(new Error('called off'))), SwitchUnavailable)
  await settled()
  channel.close()
})

test('a question that is under way when the channel is closed is refused, once', async () => {
  const channel = nowhere()
  const asked = channel.settled(AbortSignal.timeout(10_000))
  channel.close()
  await assert.rejects(asked, SwitchUnavailable)
  await settled()
})

/** A switch that greets, answers barriers after a while, and says nothing else. */
async function slowSwitch(t: TestContext, afterMs: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mz-flow-'))
  const path = join(folder, 'br.mgmt')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(Buffer.from([5, 0, 0, 8, 0, 0, 0, 1]))
    socket.on('data', (bytes: Buffer) => {
      for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt16BE(at + 2)) {
        const reply = Buffer.from([5, 21, 0, 8, ...bytes.subarray(at + 4, at + 8)])
        if (bytes[at + 1] === 20) setTimeout(() => socket.write(reply), afterMs)
      }
    })
  }).listen(path)
  t.after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  await once(server, 'listening')
  return path
}

test('who asks often and waits briefly does not cut off what others wait for, and who waits in vain is told who hangs', async (t) => {
  const channel = new FlowChannel({
    bridge: 'br',
    path: await slowSwitch(t, 200),
    clock: realClock,
    random: Math.random,
    onChange: () => undefined,
  })
  t.after(() => channel.close())
  const settled = channel.settled(AbortSignal.timeout(10_000))
  await assert.rejects(channel.counts(AbortSignal.timeout(50)), /ovs-vswitchd hangs/)
  await settled
  await assert.rejects(
    channel.each(() => undefined, AbortSignal.timeout(50)),
    /ovs-vswitchd hangs/,
  )
  await channel.settled(AbortSignal.timeout(10_000))
})
