// The caller's token stands in its segment, and one of ours for it in our own. The next hop replaces ours by the one that it gets.
import { indexOf, withSegment } from '../../../../core/nsm/connection/path.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { Element } from '../chain.ts'
import type { Tokens } from '../../tokens/token.ts'
import type { Visit } from '../visit.ts'

export const updateToken = (tokens: Tokens): Element => {
  const withTokens = async ({ connection, caller }: Visit): Promise<Connection> => {
    const index = indexOf(connection)
    const own = await tokens.make(caller.identity)
    return withSegment(caller.token === undefined ? connection : withSegment(connection, index - 1, caller.token), index, own)
  }
  return {
    name: 'token',
    request: async (visit, next) => next.request({ ...visit, connection: await withTokens(visit) }),
    close: async (visit, next) => next.close({ ...visit, connection: await withTokens(visit) }),
  }
}
