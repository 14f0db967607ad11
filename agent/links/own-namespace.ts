// Network namespaces of Ports without a pod: one each, named as `ip netns` has it, so that people find it and it outlives the agent.
// A name is a function of the Port's UID: whoever takes the interface away finds its namespace without being told.
import { existsSync } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { LinkRefused } from '../../core/errors.ts'
import { run } from '../../platform/programs/run.ts'

const folder = '/var/run/netns'
/** Of the file system that namespaces are files of (linux/magic.h). */
export const nsfsMagic = 0x6e73_6673

const nameOf = (ifcName: string): string => `megrez-${ifcName}`
export const ownNamespace = (ifcName: string): string => `${folder}/${nameOf(ifcName)}`

/** A file alone is none: what was mounted on it may be gone, with the machine's memory or with whoever made it. */
export const hasOwnNamespace = (ifcName: string): Promise<boolean> =>
  statfs(ownNamespace(ifcName)).then(
    ({ type }) => type === nsfsMagic,
    () => false,
  )

/** Twice is once. @throws LinkRefused */
export async function makeOwnNamespace(ifcName: string): Promise<void> {
  if (await hasOwnNamespace(ifcName)) return
  await rm(ownNamespace(ifcName), { force: true })
  await mkdir(folder, { recursive: true })
  await ip('add', ifcName)
}

/** Gone already is success. What still runs in there keeps it, without a name and without our interface. */
export async function dropOwnNamespace(ifcName: string): Promise<void> {
  // Asked at each DEL, and nearly always there is none.
  if (!existsSync(ownNamespace(ifcName))) return
  if (await hasOwnNamespace(ifcName)) await ip('del', ifcName)
  else await rm(ownNamespace(ifcName), { force: true })
}

async function ip(verb: 'add' | 'del', ifcName: string): Promise<void> {
  const { code, stderr } = await run('ip', ['netns', verb, nameOf(ifcName)])
  if (code !== 0) throw new LinkRefused({ what: `network namespace ${nameOf(ifcName)}`, reason: stderr.trim() })
}
