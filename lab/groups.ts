// Control groups of a lab: all that runs in it is in them, so that all of it can be found and ended. Tried with version 1 beside
// an empty version 2 (hybrid); with version 2 alone not tried.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../platform/programs/errno.ts'

const base = '/sys/fs/cgroup'

/** One folder for each hierarchy. `all`: beside those of version 1 an empty version 2 too, in which others make groups of our name. */
async function hierarchies(all = false): Promise<readonly string[]> {
  if (existsSync(join(base, 'cgroup.controllers'))) return [base]
  const mounts = await readFile('/proc/self/mountinfo', 'utf8')
  return [...mounts.matchAll(/ (\/sys\/fs\/cgroup\/\S+) [^\n]*? - cgroup(2?) /g)].flatMap(([, path = '', two]) =>
    all || two === '' ? [path] : [],
  )
}

/** Makes it in every hierarchy, with its parents. */
export async function makeGroup(path: string): Promise<void> {
  const names = path.split('/')
  for (const hierarchy of await hierarchies()) {
    let folder = hierarchy
    for (const name of names) {
      const parent = folder
      folder = join(parent, name)
      await mkdir(folder, { recursive: true })
      await inherit(parent, folder)
    }
  }
}

// A cpuset begins empty, and nothing may run in it then; in version 2 a child has the controllers that its parent hands on.
async function inherit(parent: string, folder: string): Promise<void> {
  for (const name of ['cpuset.cpus', 'cpuset.mems']) {
    if (!existsSync(join(folder, name)) || existsSync(join(folder, 'cgroup.controllers'))) continue
    if ((await readFile(join(folder, name), 'utf8')).trim() === '')
      await writeFile(join(folder, name), await readFile(join(parent, name), 'utf8'))
  }
  if (!existsSync(join(parent, 'cgroup.subtree_control'))) return
  const all = (await readFile(join(parent, 'cgroup.controllers'), 'utf8')).trim().split(' ')
  await writeFile(join(parent, 'cgroup.subtree_control'), all.map((each) => `+${each}`).join(' '))
}

/** Where a process writes its id to be in the group: one hierarchy is enough to be found by. */
export async function procsFile(path: string): Promise<string> {
  const all = await hierarchies()
  return join(all.find((each) => each.endsWith('/pids')) ?? all[0] ?? base, path, 'cgroup.procs')
}

/** Ids of all processes in a group and below it. */
export async function processesIn(path: string): Promise<readonly number[]> {
  const found = new Set<number>()
  for (const folder of await groupFolders(path)) {
    const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '')
    for (const pid of text.split('\n').filter((line) => line !== '')) found.add(Number(pid))
  }
  return [...found]
}

/** Removes a group that nothing runs in; what is gone is as good. */
export async function removeGroup(path: string): Promise<void> {
  for (const folder of await groupFolders(path)) await rmdir(folder)
}

/** A group and those below it, in all hierarchies, deepest first. */
const groupFolders = async (path: string): Promise<readonly string[]> =>
  (await Promise.all((await hierarchies(true)).map((each) => foldersOf(join(each, path))))).flat()

async function foldersOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((err: unknown) => {
    if (hasCode(err, 'ENOENT')) return undefined
    throw err
  })
  if (entries === undefined) return []
  const below = await Promise.all(entries.filter((entry) => entry.isDirectory()).map((entry) => foldersOf(join(folder, entry.name))))
  return [...below.flat(), folder]
}
