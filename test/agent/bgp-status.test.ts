// What is told of sessions, and what is no news.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSteadyTimes, type SpeakerStatus } from '../../agent/bgp/status.ts'

const status = (state: 'established' | 'idle', since?: string): SpeakerStatus => ({
  daemon: { program: 'frr', state: 'running' },
  addresses: [],
  sessions: [{ group: 'dc', session: 'gateway', address: '192.0.2.254', state, ...(since !== undefined && { since }) }],
})
const sinceOf = ({ sessions }: SpeakerStatus): string | undefined => sessions[0]?.since

test('a second more or less of a session that goes on is no news; one that began anew has a time of its own', () => {
  const before = status('established', '2026-11-29T04:20:27.000Z')
  assert.deepEqual(withSteadyTimes(before, status('established', '2026-11-29T04:20:26.000Z')), before)
  assert.equal(sinceOf(withSteadyTimes(before, status('established', '2026-11-29T04:20:40.000Z'))), '2026-11-29T04:20:40.000Z')
  assert.equal(sinceOf(withSteadyTimes(before, status('idle', '2026-11-29T04:20:28.000Z'))), '2026-11-29T04:20:28.000Z')
  assert.equal(sinceOf(withSteadyTimes(before, status('established'))), undefined)
  assert.equal(sinceOf(withSteadyTimes(undefined, before)), sinceOf(before))
})
