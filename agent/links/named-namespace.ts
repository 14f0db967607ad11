// Network namespaces with a name, as `ip netns` has them: people find them, and they outlive the agent.
import { existsSync } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { LinkRefused } from '../../core/errors.ts'
import { run } from '../../platform/programs/run.ts'

const folder = '/var/run/netns'
/** Of the file system that namespaces are files of (linux/magic.h). */
export const nsfsMagic = 0x6e73_6673

export const namespacePath = (name: string): string => `${folder}/${name}`

/** A file alone is none: what was mounted on it may be gone, with the machine's memory or with whoever made it. */
export const hasNamespace = (name: string): Promise<boolean> =>
  statfs(namespacePath(name)).then(
    ({ type }) => type === nsfsMagic,
    () => false,
  )

/** Twice is once. @throws LinkRefused */
export async function makeNamespace(name: string): Promise<void> {
  if (await hasNamespace(name)) return
  await rm(namespacePath(name), { force: true })
  await mkdir(folder, { recursive: true })
  await ip('add', name)
}

/** Gone already is success. What still runs in there keeps it, without a name. */
export async function dropNamespace(name: string): Promise<void> {
  // Asked at each DEL, and nearly always there is none.
  if (!existsSync(namespacePath(name))) return
  if (await hasNamespace(name)) await ip('del', name)
  else await rm(namespacePath(name), { force: true })
}

async function ip(verb: 'add' | 'del', name: string): Promise<void> {
  const { code, stderr } = await run('ip', ['netns', verb, name])
  if (code !== 0) throw new LinkRefused({ what: `network namespace ${name}`, reason: stderr.trim() })
}
