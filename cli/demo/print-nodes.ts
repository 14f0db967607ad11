// What the demo of two nodes has to say, for people.
import type { NodesDemo } from './nodes-result.ts'

export function printNodes({ pods, pings, spoofed, restart, left }: NodesDemo, addresses: readonly string[]): string {
  const lines = [
    'Two tenants, one block of addresses, two nodes:',
    ...pods.map(
      ({ tenant, name, node, address, addMs }) =>
        `  ${`${tenant}/${name}`.padEnd(12)} ${address.padEnd(12)} on ${node}   CNI ADD ${addMs.toFixed(0)} ms`,
    ),
    '',
  ]
  lines.push(`Who reaches whom:${' '.repeat(3)}${addresses.map((each) => each.padEnd(12)).join('')}`)
  for (const { tenant, name, address } of pods) {
    const from = `${tenant}/${name}`
    const cells = addresses.map((to) =>
      (to === address ? '-' : mark(pings.find((ping) => ping.from === from && ping.to === to))).padEnd(12),
    )
    lines.push(`  ${from.padEnd(18)}${cells.join('')}`)
  }
  lines.push('', `Another's address as source: ${spoofed.arrived} of ${spoofed.sent} packets arrived.`)
  lines.push(`Both agents killed and started anew: ${restart.lost} of ${restart.sent} packets lost.`)
  lines.push(left.length === 0 ? 'Everything taken back: nothing is left.' : `Left behind: ${left.join(', ')}`, '')
  return lines.join('\n')
}

function mark(ping: NodesDemo['pings'][number] | undefined): string {
  if (ping === undefined) return '?'
  const reached = ping.reached ? 'yes' : 'no'
  return ping.reached === ping.expected ? reached : `${reached} (!)`
}
