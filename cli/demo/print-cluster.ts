// The demo of a cluster as a person reads it.
import { median, type Rollout } from '../../lab/megrez/times.ts'
import type { ClusterDemo, PodLine } from './cluster-shown.ts'

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

const podTable = (lines: readonly PodLine[]): string =>
  table([
    ['POD', 'NODE', 'POD IP', 'INTERFACES'],
    ...lines.map(({ pod, node, podIP, interfaces }) => [
      pod,
      node,
      podIP,
      interfaces.map(({ name, address }) => `${name} ${address}`).join(', '),
    ]),
  ])

const timed = (what: string, rollouts: readonly Rollout[]): string[] => [
  what,
  ...[median(rollouts.map(({ allMs }) => allMs)), median(rollouts.map(({ medianMs }) => medianMs))].map((ms) => `${ms} ms`),
  rollouts.map(({ allMs }) => allMs).join(', '),
]

export function printCluster({ samples, blue, red, pings, own, killed, times, left }: ClusterDemo): string {
  const percent = ((times.ratio - 1) * 100).toFixed(0)
  return [
    'The five samples, applied with kubectl:\n',
    podTable(samples),
    `\nBlue: ${blue.length} pods of a Deployment.\n`,
    podTable(blue),
    '\nRed: another tenant, with addresses that blue has too.\n',
    podTable(red),
    `\n${pings.tried} pings within blue and within red: ${pings.failed.length} unanswered. Blue to an address that only red has: ${pings.crossed.length} answered.\n`,
    '\nPods whose only NIC is ours (megrez.io/cluster-nic: none):\n',
    podTable(own),
    `\nThe agent of n1 killed while pods came: ${killed.running} run, ${killed.failed.length} pings unanswered.\n`,
    '\nTwenty pods, from created to Running:\n',
    table([
      ['', 'ALL', 'HALF OF THEM', 'ROUNDS'],
      timed('without us', times.bare),
      timed('without our NICs', times.without),
      timed('with one of our NICs each', times.withNics),
    ]),
    `  with our NICs ${percent} % ${times.ratio < 1 ? 'less' : 'more'} than without, in the same cluster\n`,
    left.length === 0
      ? '\nAll deleted; nothing is left on the nodes nor in the store.\n'
      : `\nLeft behind:\n${left.map((each) => `  ${each}\n`).join('')}`,
  ].join('')
}
