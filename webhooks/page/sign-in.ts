// In and out of the page: a one-time code or a token becomes the cookie of a session. None of it needs a token;
// the way over an OpenID provider is beside this (openid/sign-in.ts).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../../core/json.ts'
import { SignInRefused, UnknownPath } from '../../core/errors.ts'
import { signInRoutes } from '../../openapi/paths/page.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PageFiles } from './files.ts'
import type { Caller, Tokens } from '../plugins/auth.ts'
import { InvalidObject } from '../rest/invalid-object.ts'
import { parametersOf } from '../rest/query.ts'
import { serveRoutes } from '../serve-routes.ts'
import { beginAtProvider, endAtProvider, type OpenIdSignIn } from './openid/sign-in.ts'
import { sendPlain } from './page.ts'
import { cookieIn, cookieText, holdSameOrigin, sessionCookie, tokenMax, type Sessions } from './sessions.ts'

export interface PageDeps {
  readonly sessions: Sessions
  /** Absent: there is no page, only a word about it. */
  readonly files?: PageFiles
  /** Absent: no provider is asked. */
  readonly openid?: OpenIdSignIn
}
export interface SignInDeps extends PageDeps {
  readonly tokens: Tokens
  readonly clock: Clock
}

export function useSignIn(app: FastifyInstance, deps: SignInDeps): void {
  const { sessions, tokens } = deps
  serveRoutes(app, signInRoutes, {
    signIn: async (request, reply) => {
      const { code, return: to } = parametersOf(request, ['code', 'return'])
      if (code === undefined && deps.openid !== undefined) return beginAtProvider(request, reply, { ...deps.openid, clock: deps.clock }, to)
      const token = code === undefined ? undefined : sessions.redeem(code)
      if (token === undefined) return sendPlain(reply, code === undefined ? 200 : 403, code === undefined ? withoutCode : usedCode)
      await begin(request, reply, token, deps)
      return reply.code(303).header('location', '/').send()
    },
    signInCallback: async (request, reply) => {
      if (deps.openid === undefined) throw new UnknownPath({ path: '/sign-in/callback' })
      return endAtProvider(request, reply, { ...deps.openid, tokens, clock: deps.clock }, (token) => begin(request, reply, token, deps))
    },
    getSession: async (request, reply) => {
      parametersOf(request, [])
      const caller = await callerIn(request, deps)
      return reply
        .header('cache-control', 'no-store')
        .send({ signedIn: caller !== undefined, ways: deps.openid === undefined ? ['token'] : ['openid', 'token'] })
    },
    beginSession: async (request, reply) => {
      parametersOf(request, [])
      holdSameOrigin(request)
      const token = tokenIn(request)
      await begin(request, reply, token, { ...deps, tokens })
      return reply.code(204).send()
    },
    signOut: async (request, reply) => {
      parametersOf(request, [])
      holdSameOrigin(request)
      const name = sessionCookie(request)
      const token = cookieIn(request, name)
      if (token !== undefined) sessions.end(token)
      reply.header('set-cookie', cookieText(request, { name, value: '', sameSite: 'Strict', seconds: 0 }))
      return reply.header('cache-control', 'no-store').code(204).send()
    },
  })
}

/**
 * Sets the cookie; it lives as long as its token.
 *
 * @throws Unauthorized for a token that REST would not take; SignInRefused for one that no cookie holds
 */
export async function begin(request: FastifyRequest, reply: FastifyReply, token: string, { tokens, clock }: SignInDeps): Promise<void> {
  const { until } = await tokens.callerOf(`Bearer ${token}`)
  if (token.length > tokenMax)
    throw new SignInRefused({ reason: `the token is longer than the ${tokenMax} bytes that browsers keep as a cookie` })
  const seconds = (until - clock.now()) / 1000
  reply.header('set-cookie', cookieText(request, { name: sessionCookie(request), value: token, sameSite: 'Strict', seconds }))
  reply.header('cache-control', 'no-store')
}

/** Undefined: there is no session, or it is over. */
async function callerIn(request: FastifyRequest, { sessions, tokens }: SignInDeps): Promise<Caller | undefined> {
  try {
    const authorization = sessions.authorizationOf(request)
    return authorization === undefined ? undefined : await tokens.callerOf(authorization)
  } catch {
    return undefined
  }
}

function tokenIn({ body }: FastifyRequest): string {
  const token = isObject(body) ? body['token'] : undefined
  if (typeof token === 'string' && token !== '') return token.trim()
  throw new InvalidObject([{ at: '/token', message: 'is missing: send {"token":"…"}' }])
}

const withoutCode = `<p>A link with a code signs in: <code>npm start</code> prints one. A token does as well, at <a href="/">/</a>.</p>`
const usedCode = `<p>This link has been used, or is older than a quarter of an hour. Start the server anew for another one, or sign in with a token at
<a href="/">/</a>.</p>`
