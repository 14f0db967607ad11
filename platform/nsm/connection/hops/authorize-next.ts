// Whether an answer is from the hop that was asked, and its path whole: tokens that hold and were made for each other, the next hop's
// signed by the key of its certificate. Source: networkservicemesh/sdk, pkg/tools/opa/policies/client/next_token_signed.rego and common
// (2026-11). What fails is closed, unless it was well before.
import { ChainForbidden } from '../../../../core/errors.ts'
import { indexOf, segmentsOf } from '../../../../core/nsm/connection/path.ts'
import { areInOrder } from '../../../../core/nsm/token-claims.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { Clock } from '../../../clock.ts'
import { isSignedBy } from '../../tokens/spiffe-tokens.ts'
import type { Element } from '../chain.ts'
import { slot } from '../visit.ts'
import { hopOf } from './hop.ts'

const judged = slot<true>('authorize next')

/** In the clear nobody has a certificate to be judged by. */
export const authorizeNext = (clock: Clock): Element => ({
  name: 'authorize next',
  async request(visit, next) {
    const connection = await next.request(visit)
    const identity = await hopOf(visit.kept)?.identity()
    if (identity === undefined || (await isFrom(connection, identity.x509, clock.now()))) {
      visit.kept.set(judged, true)
      return connection
    }
    if (visit.kept.get(judged) === undefined) await next.close({ ...visit, connection }).catch(() => undefined)
    throw new ChainForbidden({ part: 'networkservice' })
  },
  async close(visit, next) {
    visit.kept.take(judged)
    await next.close(visit)
  },
})

async function isFrom(connection: Connection, x509: Parameters<typeof isSignedBy>[1], nowMs: number): Promise<boolean> {
  const tokens = segmentsOf(connection).map(({ token }) => token)
  const ofNext = tokens[indexOf(connection) + 1]
  return ofNext !== undefined && areInOrder(tokens, nowMs) && isSignedBy(ofNext, x509)
}
