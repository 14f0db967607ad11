// The page at `/`: files of a build, under rules that let nothing run or be fetched but what was built with it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnknownPath } from '../../core/errors.ts'
import { pageRoutes } from '../../openapi/paths/page.ts'
import { pathShown } from '../plugins/errors.ts'
import type { PageFile, PageFiles } from './files.ts'
import { parametersOf } from '../rest/query.ts'
import { serveRoutes } from '../serve-routes.ts'

/** A script or a style stands in a file of ours; what is fetched is ours; nobody frames it (CSP Level 3). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const plainPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Of everything that a browser shows. */
export function guarded(reply: FastifyReply, csp: string): FastifyReply {
  return reply
    .header('content-security-policy', csp)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
}

/** @param files absent: this server has no page at all, and says how there would be one */
export function usePage(app: FastifyInstance, files: PageFiles | undefined): void {
  // Which view of the page is meant stands behind the question mark or the hash, and is the page's own affair.
  serveRoutes(app, pageRoutes, {
    getPage: async (request, reply) => {
      const index = await files?.index()
      return index === undefined ? sendPlain(reply, 200, notBuilt) : sendFile(request, reply, index, 'no-cache')
    },
  })
  // What the page is built of is no part of the contract.
  app.get('/assets/:name', async (request, reply) => {
    parametersOf(request, [])
    const { name } = request.params as { readonly name: string }
    const file = await files?.asset(name)
    if (file === undefined) throw new UnknownPath({ path: pathShown(request) })
    // Its name changes with its content.
    return sendFile(request, reply, file, 'public, max-age=31536000, immutable')
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile, caching: string): FastifyReply {
  guarded(reply, policy).header('cache-control', caching).header('etag', file.etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.header('content-type', file.type)
  const zipped = file.gzip !== undefined && takesGzip(request)
  return zipped ? reply.header('content-encoding', 'gzip').send(file.gzip) : reply.send(file.body)
}

const takesGzip = ({ headers: { 'accept-encoding': given = '' } }: FastifyRequest): boolean =>
  String(given)
    .split(',')
    .some((each) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(each))

/** A page without scripts and styles. @param text one of ours: it stands in the page as it is, like what is in its head */
export function sendPlain(reply: FastifyReply, code: number, text: string, head = ''): FastifyReply {
  return guarded(reply, plainPolicy)
    .code(code)
    .header('cache-control', 'no-store')
    .header('content-type', 'text/html; charset=utf-8')
    .send(`<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Megrez</title>${head}<h1>Megrez</h1>\n${text}\n</html>\n`)
}

const notBuilt = `<p>This server runs, and its page is not built. In its folder:</p>
<pre>npm run gui</pre>
<p>The interface without it: <a href="/docs">/docs</a>, <a href="/openapi.json">/openapi.json</a>.</p>`
