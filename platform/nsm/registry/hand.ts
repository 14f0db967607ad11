// What every Register and Unregister begins with: the path of the call, one hop on, and what it says of whose hands it went through.
import { nextPathIds, nextRegistryPath, printRegistryPath, readRegistryPath, type RegistryPath } from '../../../core/nsm/registry-path.ts'
import { subjectOf } from '../../../core/nsm/token-claims.ts'
import type { Timestamp } from '../../../core/wire/nsm/well-known.ts'
import type { ServedCall } from '../../grpc/caller.ts'
import { identityOf } from '../identity.ts'
import { tokenOf, type Tokens } from '../tokens/token.ts'

export interface Handed {
  readonly path: RegistryPath
  /** Of the caller's token, where it came with one, and of ours. */
  readonly ends: readonly (Timestamp | undefined)[]
  /** Those that a registration has, with the caller's and ours. */
  idsOn(ids: readonly string[]): readonly string[]
  /** Says the path with the answer, as the caller has it. */
  answer(): void
}

/** @throws ChainRefused where the path says that it is further than it is */
export async function handed(call: ServedCall, tokens: Tokens): Promise<Handed> {
  const theirs = tokenOf(call.metadata)
  const ours = await tokens.make(identityOf(call))
  const given = readRegistryPath(call.metadata('path').at(-1))
  const path = nextRegistryPath(given ?? { index: 0, tokens: [] }, theirs?.token ?? '', ours.token)
  return {
    path,
    ends: [theirs?.expires, ours.expires],
    idsOn: (ids) => nextPathIds(ids, path.index, subjectOf(theirs?.token), subjectOf(ours.token)),
    answer() {
      if (given !== undefined) call.header('path', printRegistryPath({ ...path, index: path.index - 1 }))
    },
  }
}
