import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from './errno.ts'

/** Where built components live: outside the tree, one folder for each component and version. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'megrez')
}

/**
 * The folder NAME of the cache, made by `make` in a temporary folder and renamed when whole, so that a folder that is
 * there is complete. Builders at the same time wait for the first; a lock whose process is gone is broken.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name)
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const unlock = await lock(`${folder}.lock`)
  try {
    if (existsSync(folder)) return folder
    await sweep(folder)
    const half = `${folder}.half-${process.pid}`
    await mkdir(half)
    try {
      await make(half)
      await rename(half, folder)
    } finally {
      await rm(half, { recursive: true, force: true })
    }
    return folder
  } finally {
    await unlock()
  }
}

// Breaking a stale lock is not atomic: two waiters may then build at the same time. That costs time, not truth, since
// each builds in a folder of its own and the second rename onto a full folder is refused.
async function lock(path: string): Promise<() => Promise<void>> {
  let told = false
  while (true) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' })
      return () => rm(path, { force: true })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => '0'))
    if (holder > 0 && !alive(holder)) await rm(path, { force: true })
    else if (!told && holder !== process.pid) console.error(`waiting for process ${holder}, which is building ${path.slice(0, -'.lock'.length)}`)
    told = true
    await wait(300)
  }
}

/** Removes what builders that were killed left behind. */
async function sweep(folder: string): Promise<void> {
  for (const entry of await readdir(dirname(folder))) {
    const path = join(dirname(folder), entry)
    const pid = Number(/\.half-(\d+)$/.exec(entry)?.[1])
    if (path.startsWith(`${folder}.half-`) && !alive(pid)) await rm(path, { recursive: true, force: true })
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}
