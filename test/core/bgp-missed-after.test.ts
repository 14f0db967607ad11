// How long a neighbour's BFD takes to miss a daemon, by what daemons say of BFD: as BIRD 2.0.12 and FRR 8.4 wrote it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missedAfter as byBird } from '../../core/bgp/bird/missed-after.ts'
import { missedAfter as byFrr } from '../../core/bgp/frr/missed-after.ts'

const session = (name: string, address: string, multiplier: number): string => `protocol bgp m_${name} {
  router id 10.73.0.1;
  neighbor ${address} port 1179 as 64512;
  direct;
  bfd { graceful; min rx interval 100 ms; min tx interval 100 ms; multiplier ${multiplier}; };
  check link no;
}
`
const bfd = `m_bfd:
IP address                Interface  State      Since         Interval  Timeout
10.73.0.2                 sds1       Up         2026-11-30T21:35:31Z    1.000    6.000
10.73.0.4                 sds1       Down       2026-11-30T21:35:27Z    1.000    0.000
fd00::3                   ---        Up         2026-11-30T21:35:31Z    0.050    0.300
`

test('BIRD: as often as it sends to one with whom BFD is up, by the multiplier that it sends', () => {
  const plain = 'protocol bgp m_plain {\n  neighbor 10.73.0.9 as 64512;\n  direct;\n}\n'
  const text = [session('b', '10.73.0.2', 3), plain, session('c', 'fd00::3', 4), session('d', '10.73.0.4', 7)].join('')
  assert.deepEqual(
    [...byBird(bfd, text)],
    [
      ['10.73.0.2', 3_000],
      ['fd00::3', 200],
    ],
  )
  assert.deepEqual([...byBird('There is no BFD protocol running', plain)], [])
})

test('FRR: the longer of what it wants to send and what the neighbour wants to get', () => {
  const peer = { peer: '10.73.0.2', status: 'up', 'transmit-interval': 100, 'remote-receive-interval': 1_000, 'detect-multiplier': 3 }
  const other = { ...peer, peer: 'fd00::3', 'transmit-interval': 300, 'remote-receive-interval': 50 }
  const answer = JSON.stringify([peer, other, { ...peer, peer: '10.73.0.4', status: 'down' }])
  assert.deepEqual(
    [...byFrr(answer)],
    [
      ['10.73.0.2', 3_000],
      ['fd00::3', 900],
    ],
  )
  assert.deepEqual([...byFrr('')], [])
})
