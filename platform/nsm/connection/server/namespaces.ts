// Network namespaces that clients send as descriptors, on the connection of the call that names them by their inode. They are held until
// the connection is closed: whoever joins its interfaces finds them by that name, whether or not a file of ours has it.
// Source: networkservicemesh/sdk, common/mechanisms/recvfd (2026-11).
import { ChainRefused } from '../../../../core/errors.ts'
import type { Mechanism } from '../../../../core/wire/nsm/connection.ts'
import type { CarriedFile, CarriedFiles, InodeName } from '../../../grpc/carried-files.ts'
import type { Element } from '../chain.ts'
import { slot, type Caller, type Visit } from '../visit.ts'

export interface Namespaces {
  /** No other is used than those that were sent: a name alone proves nothing. */
  readonly isOnly: boolean
  /** Under that URL, until the answer is called, which closes the file too. @throws where it is none that a client may give away */
  hold(url: string, file: CarriedFile): () => void
}

/** NSM sends one right before the call that names it. */
const lateMs = 2_000
const parameter = 'inodeURL'

const held = slot<ReadonlyMap<string, () => void>>('namespaces')

/** @param namespaces absent: what is sent is held, and used by nobody here */
export const receiveNamespaces = (namespaces?: Namespaces): Element => {
  const receive = async (url: string, { files, leftMs, isOwn }: Caller): Promise<(() => void) | undefined> => {
    const name = inodeOf(url)
    if (isOwn) return undefined
    if (files === undefined || name === undefined) {
      if (namespaces?.isOnly !== true) return undefined
      throw new ChainRefused({ reason: `${url.slice(0, 200)}: a network namespace is sent as a descriptor, on the unix socket` })
    }
    const file = await files.take(name, leftMs === 0 ? lateMs : Math.min(leftMs, lateMs))
    if (file === undefined) throw new ChainRefused({ reason: `no descriptor of ${url} came with the call` })
    if (namespaces === undefined) return () => file.close()
    try {
      return namespaces.hold(url, file)
    } catch (err) {
      file.close()
      throw err
    }
  }
  /** Into `now`: what was not there before. */
  const receiveAll = async (visit: Visit, now: Map<string, () => void>): Promise<void> => {
    for (const url of urlsOf(visit)) {
      if (now.has(url)) await forget(url, visit.caller.files)
      const release = now.has(url) ? undefined : await receive(url, visit.caller)
      if (release !== undefined) now.set(url, release)
    }
  }
  return {
    name: 'receive namespaces',
    async request(visit, next) {
      const had = visit.kept.get(held)
      const now = new Map(had)
      try {
        await receiveAll(visit, now)
        const connection = await next.request(visit)
        const chosen = urlOf(connection.mechanism)
        visit.kept.set(held, new Map([...now].filter(([url]) => url === chosen)))
        for (const [url, release] of now) if (url !== chosen) release()
        return connection
      } catch (err) {
        for (const [url, release] of now) if (had?.has(url) !== true) release()
        throw err
      }
    },
    async close(visit, next) {
      const all = visit.kept.take(held)
      try {
        await next.close(visit)
      } finally {
        all?.forEach((release) => release())
      }
    },
  }
}

/** What a Close has sent once more serves nobody. */
export const forgetNamespace = async (mechanism: Mechanism | undefined, files: CarriedFiles | undefined): Promise<void> =>
  forget(urlOf(mechanism), files)

async function forget(url: string, files: CarriedFiles | undefined): Promise<void> {
  const name = inodeOf(url)
  if (name !== undefined) (await files?.take(name, 0))?.close()
}

const urlOf = (mechanism: Mechanism | undefined): string => (mechanism?.type === 'KERNEL' && mechanism.parameters.get(parameter)) || ''

const urlsOf = ({ connection, preferences }: Visit): ReadonlySet<string> =>
  new Set([...preferences, connection.mechanism].map(urlOf).filter((url) => url !== ''))

/** As `inode://4/4026532771`; undefined: no such URL. */
export function inodeOf(url: string): InodeName | undefined {
  const [, device, inode] = /^inode:\/\/(\d{1,20})\/(\d{1,20})$/.exec(url) ?? []
  return device === undefined || inode === undefined ? undefined : { device: BigInt(device), inode: BigInt(inode) }
}
