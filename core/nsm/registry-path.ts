// The path of a registration: through whose hands it went, as tokens, in the header `path` of the call.
// Rules and texts: networkservicemesh/sdk, pkg/registry/common/{grpcmetadata,updatepath} (2026-11).
import { ChainRefused } from '../errors.ts'
import { isObject, type Json } from '../json.ts'

export interface RegistryPath {
  /** Of the segment of whoever has it in hand. */
  readonly index: number
  /** JWTs. */
  readonly tokens: readonly string[]
}

/** Hops at the most, and characters of a header: more is read as none. */
const longest = 32
const widest = 64 * 1024

/** Undefined: none that can be read, which a server takes for none, and then says none either. */
export function readRegistryPath(header: string | undefined): RegistryPath | undefined {
  if (header === undefined || header.length > widest) return undefined
  let read: unknown
  try {
    read = JSON.parse(header)
  } catch {
    return undefined
  }
  return isObject(read) ? pathOf(read) : undefined
}

function pathOf({ Index: index = 0, PathSegments: segments }: Json): RegistryPath | undefined {
  const list = segments ?? []
  if (!Number.isInteger(index) || (index as number) < 0 || !Array.isArray(list) || list.length > longest) return undefined
  return { index: index as number, tokens: list.map((each) => (isObject(each) && typeof each['token'] === 'string' ? each['token'] : '')) }
}

/** As Go's encoding/json writes it. */
export const printRegistryPath = ({ index, tokens }: RegistryPath): string =>
  JSON.stringify({ Index: index, PathSegments: tokens.length === 0 ? null : tokens.map((token) => ({ token })) })

/**
 * The path one hop on: the caller's segment gets the token of its call, ours our own.
 *
 * @throws ChainRefused where it says that it is further than it is
 */
export function nextRegistryPath({ index, tokens }: RegistryPath, theirs: string, ours: string): RegistryPath {
  if (tokens.length === 0) return { index: 1, tokens: [theirs, ours] }
  if (index + 1 > tokens.length)
    throw new ChainRefused({ reason: `Path.Index+1==${index + 1} should be less or equal len(Path.PathSegments)==${tokens.length}` })
  return { index: index + 1, tokens: [...tokens.slice(0, index), theirs, ours, ...tokens.slice(index + 2)] }
}

/** SPIFFE ids of the way, with those of the caller and of us at our place. */
export function nextPathIds(ids: readonly string[], index: number, theirs: string, ours: string): readonly string[] {
  const withTheirs = put(ids, index - 1, theirs)
  return put(withTheirs, index, ours)
}

/** Appended where it lies beyond the end, wherever that is. */
const put = (ids: readonly string[], at: number, id: string): readonly string[] => (at >= ids.length ? [...ids, id] : ids.with(at, id))
