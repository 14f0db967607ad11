// For the tests that ask the kernel: the addon, and network namespaces of a test's own.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import { buildNative } from '../../agent/native/build.ts'
import { loadAddon, type Addon } from '../../agent/native/addon.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { ipNetlink } from '../../agent/netlink/ip.ts'
import type { Netlink } from '../../agent/netlink/netlink.ts'

/** The addon, built where it is not there yet. */
export async function builtAddon(): Promise<Addon> {
  const built = await buildNative('addon')
  const addon = 'path' in built ? loadAddon(built.path) : built
  if ('missing' in addon) throw new Error(addon.missing)
  return addon
}

/** Both carriers, for a suite that holds for each. */
export const carriers: Readonly<Record<string, (netns: string) => Promise<Netlink>>> = {
  addon: async (netns) => openNetlink(await builtAddon(), netns),
  ip: (netns) => Promise.resolve(ipNetlink(netns)),
}

export interface Spaces {
  /** Makes a namespace; they are gone after `close`. */
  make(): Promise<Space>
  close(): Promise<void>
}

export interface Space {
  readonly name: string
  /** As CNI_NETNS has it. */
  readonly path: string
  readonly namespace: Namespace
}

export function openSpaces(): Spaces {
  const prefix = `mzk${randomBytes(3).toString('hex')}`
  const made: Namespace[] = []
  // A law that fails half-way leaves its world open: nothing outlives the process.
  const atEnd = (): void => made.forEach(({ name }) => void spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' }))
  process.once('exit', atEnd)
  return {
    async make() {
      const name = `${prefix}-${made.length}`
      const namespace = await makeNamespace(name)
      made.push(namespace)
      return { name, path: `/run/netns/${name}`, namespace }
    },
    async close() {
      for (const each of made.splice(0).toReversed()) await each.remove()
      process.off('exit', atEnd)
    },
  }
}

/** A namespace and its like, gone when the test is over. */
export async function withSpaces<T>(run: (spaces: Spaces) => Promise<T>): Promise<T> {
  const spaces = openSpaces()
  try {
    return await run(spaces)
  } finally {
    await spaces.close()
  }
}
