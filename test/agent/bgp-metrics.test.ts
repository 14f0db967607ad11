import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionGauges } from '../../agent/bgp/metrics.ts'
import type { SpeakerStatus } from '../../agent/bgp/status.ts'
import { MetricSet } from '../../platform/metrics/set.ts'

test('sessions are counted by group and state, their prefixes by group; what is gone is counted no more', async () => {
  const set = new MetricSet({ ofProcess: false })
  const session = (group: string, state: 'established' | 'active', more: object = {}): SpeakerStatus['sessions'][number] => ({
    group,
    session: 's',
    address: '192.0.2.1',
    state,
    ...more,
  })
  let sessions = [
    session('edge', 'established', { imported: 3, exported: 1 }),
    session('edge', 'established', { imported: 4 }),
    session('edge', 'active'),
    session('rack', 'established', { exported: 2 }),
  ]
  sessionGauges(set, () => sessions)
  const lines = async (): Promise<string[]> => (await set.registry.metrics()).split('\n').filter((line) => /^megrez_agent_bgp/.test(line))
  assert.deepEqual(await lines(), [
    'megrez_agent_bgp_sessions{group="edge",state="established"} 2',
    'megrez_agent_bgp_sessions{group="edge",state="active"} 1',
    'megrez_agent_bgp_sessions{group="rack",state="established"} 1',
    'megrez_agent_bgp_prefixes_in{group="edge"} 7',
    'megrez_agent_bgp_prefixes_in{group="rack"} 0',
    'megrez_agent_bgp_prefixes_out{group="edge"} 1',
    'megrez_agent_bgp_prefixes_out{group="rack"} 2',
  ])
  sessions = []
  assert.deepEqual(await lines(), [])
})
