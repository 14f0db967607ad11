// The page, and how a browser signs in to it: a cookie in place of the Authorization header, on every operation.
import { routes, type Route } from './route.ts'
import type { Schema } from '../schemas/render.ts'
import { ref } from '../schemas/schemas.ts'
import { closed, listOf, text } from '../schemas/shapes.ts'

const html = (description: string): Schema => ({ description, content: { 'text/html': { schema: { type: 'string' } } } })
const problem = (description: string): Schema => ({ description, content: { 'application/problem+json': { schema: ref('Problem') } } })
const cookie: Schema = { 'Set-Cookie': { description: 'HttpOnly, SameSite=Strict; Secure over TLS', schema: { type: 'string' } } }
const attempt: Schema = { 'Set-Cookie': { description: 'HttpOnly, SameSite=Lax, for ten minutes', schema: { type: 'string' } } }
const refused: Schema = { 400: { $ref: '#/components/responses/Malformed' } }
const open = <Id extends string>(operation: Schema & { readonly operationId: Id }): Route<Id>['operation'] => ({
  ...operation,
  tags: ['page'],
  security: [],
})

const session = closed(['signedIn', 'ways'], {
  signedIn: { type: 'boolean', description: 'whether the cookie of this request is worth anything' },
  ways: listOf({ type: 'string', enum: ['token', 'openid'] }, 'how one signs in: `token`: POST one to /session; `openid`: go to /sign-in'),
})

export const pageRoutes = routes({
  at: '/',
  method: 'get',
  operation: open({
    operationId: 'getPage',
    summary: 'The page',
    responses: { 200: html('The page.'), 304: { description: 'As it was.' } },
  }),
})

/** How a browser signs in and out. */
export const signInRoutes = routes(
  {
    at: '/sign-in',
    method: 'get',
    operation: open({
      operationId: 'signIn',
      summary: 'Sign in a browser, by a one-time code of `npm start`, or at the OpenID provider',
      parameters: [
        { name: 'code', in: 'query', description: 'used once, within a quarter of an hour', schema: { type: 'string', maxLength: 512 } },
        { name: 'return', in: 'query', description: 'the path of the page to come back to from the provider', schema: { type: 'string' } },
      ],
      responses: {
        200: html('How one signs in.'),
        302: { description: 'To the provider.', headers: attempt },
        303: { description: 'Signed in: to the page.', headers: cookie },
        403: html('The code has been used, or is too old.'),
        ...refused,
        503: html('The provider does not answer.'),
      },
    }),
  },
  {
    at: '/sign-in/callback',
    method: 'get',
    operation: open({
      operationId: 'signInCallback',
      summary: 'Where the OpenID provider sends the browser back to; other parameters are not looked at',
      parameters: ['code', 'state', 'iss', 'error'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      responses: {
        200: html('Signed in: a page that goes on to where the sign-in was begun.'),
        403: html('Nobody was signed in, and why.'),
        404: problem('No provider is set.'),
        503: html('The provider does not answer.'),
      },
    }),
  },
  {
    at: '/session',
    method: 'get',
    operation: open({
      operationId: 'getSession',
      summary: 'Whether this browser is signed in, and how it would be',
      responses: {
        200: { description: 'What there is.', content: { 'application/json': { schema: session } } },
        ...refused,
      },
    }),
  },
  {
    at: '/session',
    method: 'post',
    operation: open({
      operationId: 'beginSession',
      summary: 'Exchange a token for the cookie; Origin must be the page itself',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: closed(['token'], { token: text }),
          },
        },
      },
      responses: {
        204: { description: 'Signed in.', headers: cookie },
        ...refused,
        401: { $ref: '#/components/responses/Unauthorized' },
        403: problem('Sent by a page of another origin, or no cookie holds the token.'),
        413: { $ref: '#/components/responses/TooLarge' },
        415: { $ref: '#/components/responses/UnsupportedMediaType' },
        422: { $ref: '#/components/responses/Invalid' },
        503: { $ref: '#/components/responses/Unavailable' },
      },
    }),
  },
  {
    at: '/sign-out',
    method: 'post',
    operation: open({
      operationId: 'signOut',
      summary: 'End the session of this browser; Origin must be the page itself',
      responses: {
        204: { description: 'Signed out.', headers: cookie },
        ...refused,
        403: problem('Sent by a page of another origin.'),
      },
    }),
  },
)
