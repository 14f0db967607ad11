// The network as the server draws it: groups with their counts, and what is in the open ones.
import type { operations } from '../../openapi/types.ts'
import { client, taken } from './api.ts'

export type Picture = operations['getTopologyPicture']['responses'][200]['content']['application/json']
export type PictureVertex = Picture['nodes'][number]
export type PictureEdge = Picture['edges'][number]
export type PictureQuery = NonNullable<operations['getTopologyPicture']['parameters']['query']>

/** @throws Refusal */
export const pictureOf = async (query: PictureQuery, signal: AbortSignal): Promise<Picture> =>
  taken(await client.GET('/v1/topology/picture', { params: { query }, signal }))
