import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { must, namespaces } from './commands.ts'
import { processesIn, removeGroup } from './groups.ts'

const endMs = 30_000

/**
 * Takes a lab down: what runs in its control groups, the groups, its network namespaces, its folder. Mounts are in namespaces of
 * their own and go with the processes. May be called again.
 *
 * @returns a line for each thing that stayed
 */
export async function cleanUp(id: string, folder: string): Promise<readonly string[]> {
  const left: string[] = []
  const survivors = await killAll(id)
  if (survivors.length > 0) left.push(`processes ${survivors.join(' ')} in control group ${id}`)
  await settle(left, `control group ${id}`, () => removeGroup(id))
  for (const name of await ours(id))
    await settle(left, `network namespace ${name}`, async () => void (await must('ip', ['netns', 'del', name])))
  await settle(left, folder, () => rm(folder, { recursive: true, force: true }))
  return left
}

/** All at once, until none is there: what one of them starts in the meantime is met the next time. */
async function killAll(id: string): Promise<readonly number[]> {
  const deadline = Date.now() + endMs
  while (true) {
    const pids = await processesIn(id)
    if (pids.length === 0 || Date.now() > deadline) return pids
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has gone by itself.
      }
    }
    await pause(20)
  }
}

const ours = async (id: string): Promise<readonly string[]> =>
  existsSync(namespaces) ? (await readdir(namespaces)).filter((name) => name.startsWith(`${id}-`)) : []

// A group is busy, and a folder a mount, until the kernel has put the last process to rest.
async function settle(left: string[], what: string, act: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + endMs
  while (true) {
    try {
      return await act()
    } catch (err) {
      if (Date.now() > deadline) return void left.push(`${what}: ${(err as Error).message}`)
    }
    await pause(50)
  }
}
