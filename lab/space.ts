import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../platform/programs/until.ts'
import { must, namespaces } from './commands.ts'
import type { Lab, Space } from './lab.ts'

// Not by `ip netns exec`: that mounts a new /sys, and hides the control groups from kubelet.
const hold = `
mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /var/log || exit 1
exec sleep infinity`

/** @param name of the namespace: the lab's id stands before it */
export async function openSpace(lab: Lab, name: string): Promise<Space> {
  const full = `${lab.id}-${name}`
  await must('ip', ['netns', 'add', full])
  await must('ip', ['-n', full, 'link', 'set', 'lo', 'up'])
  const holder = await lab.start(
    'nsenter',
    [`--net=${join(namespaces, full)}`, 'unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', hold],
    { log: `${name}-space` },
  )
  await until(async () => (await readFile(`/proc/${holder.pid}/comm`, 'utf8')).trim() === 'sleep', `${full} is mounted`)
  return { name: full, pid: holder.pid, enter: ['nsenter', '--target', String(holder.pid), '--net', '--mount', '--'] }
}
