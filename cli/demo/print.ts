// The demo as a person reads it.
import type { Demo } from './story.ts'

const pad = (rows: readonly (readonly string[])[]): string => {
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

export function print(demo: Demo): string {
  const nics = demo.pods.flatMap((pod) =>
    pod.nics.map((nic) => [
      `${pod.namespace}/${pod.name}`,
      nic.name,
      nic.address,
      nic.subnet,
      nic.portID,
      nic.createdByUs ? 'made for it' : 'made before it',
    ]),
  )
  const stages = demo.pods.map(({ namespace, name, stagesMs }) => [
    `${namespace}/${name}`,
    `${stagesMs.admitted} ms`,
    `${stagesMs.ready} ms`,
    `${stagesMs.notified} ms`,
  ])
  const notices = demo.notices.map((notice) => [`${notice.kind} ${notice.namespace}/${notice.name}`, String(notice.sequence), notice.phase])
  return [
    'Each pod, its Nics and their Ports:\n',
    pad([['POD', 'NIC', 'ADDRESS', 'SUBNET', 'PORT', ''], ...nics]),
    '\nFrom the request until …\n',
    pad([['POD', 'ADMITTED', 'READY', 'TOLD'], ...stages]),
    '\nAsked for the address that another pod has:\n',
    pad(demo.refused.map((each) => [each.pod, each.path, each.message])),
    '\nNotices received, in order:\n',
    pad([['OBJECT', 'SEQUENCE', 'PHASE'], ...notices]),
    demo.left.length === 0 ? '\nAll deleted; nothing is left.\n' : `\nLeft behind: ${demo.left.join(', ')}\n`,
  ].join('')
}
