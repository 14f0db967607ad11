// Names outside, asked for at the resolvers that this machine has, or at those that are set.
import { Resolver } from 'node:dns/promises'
import type { NameLookup } from '../../core/contracts/name-lookup.ts'

/** For one question, of each family. */
const timeoutMs = 2_000
/** As c-ares has it: there is no such name, or none of this family. */
const noneWords: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/** @param servers `ADDRESS` or `ADDRESS:PORT`, in the order in which they are asked; none: the system's */
export function systemLookup(servers: readonly string[]): NameLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async resolve(name) {
      // A query of a whole name: nothing of a search list is put behind it.
      const all = await Promise.allSettled([resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })])
      const records = all.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
      const problem = all.find((each) => each.status === 'rejected' && !isNone(each.reason))
      // There are servers that answer for one family alone.
      if (records.length === 0 && problem?.status === 'rejected') throw problem.reason
      return records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl }))
    },
  }
}

const isNone = (err: unknown): boolean => noneWords.includes((err as NodeJS.ErrnoException).code)
