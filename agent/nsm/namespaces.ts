// Network namespaces as NSM names them: by a file, or by the inode that it has (networkservicemesh/api, mechanisms/common, 2026-11).
import { fstatSync, statSync } from 'node:fs'
import { open, readdir, stat, statfs } from 'node:fs/promises'
import { NetnsGone } from '../../core/errors.ts'
import { nsfsMagic } from '../links/named-namespace.ts'
import { HeldNamespaces, mustBeAnother } from './held-namespaces.ts'

export interface OpenedNamespace {
  /** Stays that namespace, whatever becomes of the file that named it, until it is closed. */
  readonly path: string
  close(): Promise<void>
}

/** `/proc/self` and `/proc/thread-self` are whoever opens them: said by another process they name nothing. */
const files = /^file:\/\/(\/proc\/\d+\/ns\/net|(?:\/var)?\/run\/netns\/[^/]+)$/
const inodes = /^inode:\/\/(\d+)\/(\d+)$/
const named = ['/run/netns', '/var/run/netns']

/**
 * @param sent where it is open already, as its owner has sent it
 * @throws NetnsGone where there is none such; LinkRefused where it is the node's own
 */
export async function openNamespace(url: string, sent?: string): Promise<OpenedNamespace> {
  const path = sent ?? files.exec(url)?.[1] ?? (await pathOfInode(url))
  if (path === undefined) throw new NetnsGone({ netns: url.slice(0, 200) })
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new NetnsGone({ netns: url, cause })
  })
  try {
    const opened = `/proc/self/fd/${file.fd}`
    const [{ type }, one, own] = [await statfs(opened), await file.stat(), await stat('/proc/self/ns/net')]
    if (type !== nsfsMagic) throw new NetnsGone({ netns: url })
    mustBeAnother(url, one, own)
    return { path: opened, close: () => file.close() }
  } catch (err) {
    await file.close()
    throw err
  }
}

/** Of a process or a name that has it; undefined: no such URL, or nobody has it. */
async function pathOfInode(url: string): Promise<string | undefined> {
  const [, dev, ino] = inodes.exec(url) ?? []
  if (dev === undefined) return undefined
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((pid) => `/proc/${pid}/ns/net`)
  const names = await Promise.all(
    named.map((folder) =>
      readdir(folder).then(
        (all) => all.map((name) => `${folder}/${name}`),
        () => [],
      ),
    ),
  )
  for (const path of [...names.flat(), ...processes]) {
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && String(found.dev) === dev && String(found.ino) === ino) return path
  }
  return undefined
}

/** Those that clients have sent. @param typeOf of the addon, as it opens nothing else */
export const heldNamespaces = (typeOf: (fd: number) => number): HeldNamespaces =>
  new HeldNamespaces({
    typeOf,
    statOf: (fd) => fstatSync(fd, { bigint: true }),
    own: () => statSync('/proc/self/ns/net', { bigint: true }),
  })
