// Network namespaces that clients of this node's nsmgr have sent: found by their URL while a connection of theirs stands.
import type { BigIntStats } from 'node:fs'
import { LinkRefused, NetnsGone } from '../../core/errors.ts'
import type { CarriedFile } from '../../platform/grpc/carried-files.ts'
import type { Namespaces } from '../../platform/nsm/connection/server/namespaces.ts'

export interface NamespacesAround {
  readonly statOf: (fd: number) => Pick<BigIntStats, 'dev' | 'ino'>
  /** Of this process, which is the node's. */
  readonly own: () => Pick<BigIntStats, 'dev' | 'ino'>
  /** The flag of clone(2) that makes such a one; 0: no namespace. */
  readonly typeOf: (fd: number) => number
}

/** linux/sched.h */
const cloneNewNet = 0x40000000

export class HeldNamespaces implements Namespaces {
  readonly isOnly = true
  readonly #around: NamespacesAround
  readonly #held = new Map<string, Set<CarriedFile>>()

  constructor(around: NamespacesAround) {
    this.#around = around
  }

  hold(url: string, file: CarriedFile): () => void {
    this.#judge(url, file.fd)
    const all = this.#held.get(url) ?? new Set()
    this.#held.set(url, all.add(file))
    return () => {
      all.delete(file)
      if (all.size === 0 && this.#held.get(url) === all) this.#held.delete(url)
      file.close()
    }
  }

  /** Undefined: nobody has sent it. */
  pathOf(url: string): string | undefined {
    const [file] = this.#held.get(url) ?? []
    return file && `/proc/self/fd/${file.fd}`
  }

  #judge(url: string, fd: number): void {
    if (this.#around.typeOf(fd) !== cloneNewNet) throw new NetnsGone({ netns: url })
    mustBeAnother(url, this.#around.statOf(fd), this.#around.own())
  }
}

/** Whoever may ask for connections must not put interfaces among the node's own. @throws LinkRefused */
export function mustBeAnother<T extends number | bigint>(url: string, one: Inode<T>, own: Inode<T>): void {
  if (one.dev === own.dev && one.ino === own.ino) throw new LinkRefused({ what: url, reason: "it is the node's own network namespace" })
}
interface Inode<T> {
  readonly dev: T
  readonly ino: T
}
