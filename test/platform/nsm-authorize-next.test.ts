// Whose answers a hop takes: those whose tokens hold, were made for each other, and the next hop's is signed by that hop.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, test } from 'node:test'
import { ChainForbidden } from '../../core/errors.ts'
import { Connection } from '../../core/wire/nsm/connection.ts'
import { realClock } from '../../platform/clock.ts'
import { certificateOf } from '../../platform/grpc/caller.ts'
import { chainOf, type Element } from '../../platform/nsm/connection/chain.ts'
import { authorizeNext } from '../../platform/nsm/connection/hops/authorize-next.ts'
import { keepHop, type Hop } from '../../platform/nsm/connection/hops/hop.ts'
import { notYet } from '../../platform/nsm/connection/server/serve.ts'
import { ConnectionMemory } from '../../platform/nsm/connection/visit.ts'
import { identityIn, type PeerIdentity } from '../../platform/nsm/identity.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { Certificates } from '../../platform/tls.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'

const life = { now: Date.now(), ms: 3_600_000 }
const authority = makeAuthority('nsm', life)

function party(name: string) {
  const leaf = issueLeaf(authority, [`spiffe://nsm.test/${name}`], life, 'serverAuth', 'clientAuth')
  const certificate = new Certificates({ ...leaf, clientCa: authority.cert })
  const identity = identityIn(certificateOf(new X509Certificate(leaf.cert)))!
  /** Made for another; of that age. */
  const says = async (to: PeerIdentity, ageMs = 0): Promise<string> =>
    (await spiffeTokens({ certificate, lifeMs: 60_000 - ageMs, clock: realClock }).make(to)).token
  return { identity, says }
}
const [client, nsmgr, endpoint, thief] = ['client', 'nsmgr', 'endpoint', 'thief'].map(party) as [
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
]
const ended = 120_000

const cases: Readonly<
  Record<string, { readonly tokens: () => Promise<readonly string[]>; readonly isTaken: boolean; readonly clear?: true }>
> = {
  'of the hop that was asked': {
    tokens: async () => [await client.says(nsmgr.identity), await nsmgr.says(endpoint.identity), await endpoint.says(nsmgr.identity)],
    isTaken: true,
  },
  'whose next token another has signed': {
    tokens: async () => [await client.says(thief.identity), await thief.says(endpoint.identity), await endpoint.says(thief.identity)],
    isTaken: false,
  },
  'whose next token was not made for the hop behind it': {
    tokens: async () => [await client.says(nsmgr.identity), await nsmgr.says(thief.identity), await endpoint.says(nsmgr.identity)],
    isTaken: false,
  },
  'whose own token was made for another hop': {
    tokens: async () => [await client.says(thief.identity), await nsmgr.says(client.identity)],
    isTaken: false,
  },
  'of which a token behind the next has ended': {
    tokens: async () => [
      await client.says(nsmgr.identity),
      await nsmgr.says(endpoint.identity),
      await endpoint.says(nsmgr.identity, ended),
    ],
    isTaken: false,
  },
  'of which the next token is none': {
    tokens: async () => [await client.says(nsmgr.identity), 'no.to.ken'],
    isTaken: false,
  },
  'of which the next token has another signature': {
    tokens: async () => {
      const [good, other] = [await nsmgr.says(client.identity), await thief.says(client.identity)]
      return [await client.says(nsmgr.identity), `${good.slice(0, good.lastIndexOf('.'))}${other.slice(other.lastIndexOf('.'))}`]
    },
    isTaken: false,
  },
  'without a segment of the next hop': { tokens: async () => [await client.says(nsmgr.identity)], isTaken: false },
  'of a hop in the clear': { tokens: async () => ['', ''], isTaken: true, clear: true },
}

async function played({ tokens, clear }: (typeof cases)[string], wasWell: boolean) {
  const [kept, closed]: [ConnectionMemory, string[]] = [new ConnectionMemory(), []]
  let answers = await tokens()
  const identity = () => Promise.resolve(clear === true ? undefined : nsmgr.identity)
  const connection = (pathSegments: readonly object[]) =>
    Connection.decode(Connection.encode({ id: 'a', path: { index: 0, pathSegments } }))
  const next: Element = {
    name: 'next',
    async request(visit) {
      keepHop(visit.kept, { url: 'tcp://next', identity, release: () => undefined } as unknown as Hop)
      return connection(answers.map((token, i) => ({ name: `${i}`, id: i === 0 ? 'a' : `${i}`, token })))
    },
    close: ({ connection }) => Promise.resolve(void closed.push(connection.id)),
  }
  const chain = chainOf([authorizeNext(realClock), next])
  const visit = {
    connection: connection([{ name: '0', id: 'a' }]),
    preferences: [],
    caller: { leftMs: 0, deadlineMs: 0 },
    kept,
    again: notYet,
  }
  if (wasWell) {
    const these = answers
    answers = await cases['of the hop that was asked']!.tokens()
    await chain.request(visit)
    answers = these
  }
  return { asked: chain.request(visit), closed }
}

describe('an answer', () => {
  for (const [name, one] of Object.entries(cases))
    test(`${name} is ${one.isTaken ? 'taken' : 'refused, and what it has made is closed'}`, async () => {
      const { asked, closed } = await played(one, false)
      if (one.isTaken) await asked
      else await assert.rejects(asked, ChainForbidden)
      assert.deepEqual(closed, one.isTaken ? [] : ['a'])
    })

  test('that is refused leaves a connection that was well before', async () => {
    const { asked, closed } = await played(cases['whose next token another has signed']!, true)
    await assert.rejects(asked, ChainForbidden)
    assert.deepEqual(closed, [])
  })
})
