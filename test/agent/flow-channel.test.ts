// The way to a bridge's flows, where nobody is at its other end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlowChannel } from '../../agent/ovs/flow-channel.ts'
import { SwitchUnavailable } from '../../core/errors.ts'
import { realClock } from '../../platform/clock.ts'

const nowhere = (): FlowChannel => new FlowChannel({ bridge: 'br-none', path: '/nonexistent/br-none.mgmt', clock: realClock, random: Math.random, onChange: () => undefined })

// What is rejected and heard by nobody ends a process, and fails a test too (node:test, unhandledRejection).
const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

test('a channel that nobody asks and nobody answers ends nothing', async () => {
  const channel = nowhere()
  await turns()
  channel.close()
  await turns()
})

test('a question that is called off before it is asked is refused, once', async () => {
  const channel = nowhere()
  await assert.rejects(channel.counts(AbortSignal.abort(new Error('called off'))), SwitchUnavailable)
  await turns()
  channel.close()
})

test('a question that is under way when the channel is closed is refused, once', async () => {
  const channel = nowhere()
  const asked = channel.settled(AbortSignal.timeout(10_000))
  channel.close()
  await assert.rejects(asked, SwitchUnavailable)
  await turns()
})
