import { existsSync, utimesSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from './errno.ts'

/** Where built components live: outside the tree, one folder for each component and version. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'megrez')
}

/** Folders that are named by a hash of what they are made from, one more with each change of it; and what is left of taking them away. */
const byHash = /-[0-9a-f]{16}(\.half-\d+)*$/
const idleMs = 30 * 24 * 3_600_000

/** Whether a folder of the cache is there; it is not idle then. */
export function used(folder: string): boolean {
  try {
    utimesSync(folder, Date.now() / 1000, Date.now() / 1000)
    return true
  } catch {
    // An image's own cache cannot be written to, and nobody sweeps it.
    return existsSync(folder)
  }
}

/**
 * The folder NAME of the cache, made by `make` in a temporary folder and renamed when whole, so that a folder that is
 * there is complete. Builders at the same time wait for the first; a lock whose process is gone is broken. Whoever has built
 * removes what is named by a hash and has not been used for a month.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name)
  if (used(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const unlock = await lock(`${folder}.lock`)
  try {
    if (used(folder)) return folder
    await sweep(folder)
    const half = `${folder}.half-${process.pid}`
    await mkdir(half)
    try {
      await make(half)
      await rename(half, folder)
    } finally {
      await rm(half, { recursive: true, force: true })
    }
    // What cannot be removed is in nobody's way.
    await sweepIdle(dirname(folder)).catch(() => undefined)
    return folder
  } finally {
    await unlock()
  }
}

// Breaking a stale lock is not atomic: two waiters may then build at the same time. That costs time, not truth, since
// each builds in a folder of its own and the second rename onto a full folder is refused.
async function lock(path: string): Promise<() => Promise<void>> {
  let reported = false
  while (true) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' })
      return () => rm(path, { force: true })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => '0'))
    if (holder > 0 && !alive(holder)) await rm(path, { force: true })
    else if (!reported && holder !== process.pid)
      console.error(`waiting for process ${holder}, which is building ${path.slice(0, -'.lock'.length)}`)
    reported = true
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

async function sweepIdle(cache: string): Promise<void> {
  for (const path of (await readdir(cache)).filter((entry) => byHash.test(entry)).map((entry) => join(cache, entry))) {
    if (!(await isIdle(path))) continue
    const aside = `${path}.half-${process.pid}`
    await rename(path, aside)
    // It was taken into use after we had checked it: it is put back, unless it was built anew already.
    if (!(await isIdle(aside))) await rename(aside, path).catch(() => undefined)
    await rm(aside, { recursive: true, force: true })
  }
}

const isIdle = async (path: string): Promise<boolean> => Date.now() - (await stat(path)).mtimeMs > idleMs

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}
