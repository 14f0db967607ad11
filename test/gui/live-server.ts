// A server of the page in the process of the test: its store can be made to tell whatever a test needs, its clock be turned, and its page
// be of any build.
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Store } from '../../core/contracts/store.ts'
import { realClock, type Clock } from '../../platform/clock.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import { pageFiles } from '../../webhooks/page/files.ts'
import type { OpenIdSignIn } from '../../webhooks/page/openid/sign-in.ts'
import { Sessions } from '../../webhooks/page/sessions.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import type { PageServer } from './browser.ts'

const dist = join(import.meta.dirname, '../../gui/dist')

export interface LiveServer extends PageServer {
  readonly rest: Harness
  /** Another takes its place, on the same port and store. */
  replace(how: Build): Promise<void>
  close(): Promise<void>
}
export interface Build {
  /** Of a page; absent: as it was built here. */
  readonly folder?: string
  /** Changes what it answers, before it listens. */
  readonly change?: (app: FastifyInstance) => void
}

interface LiveOptions {
  /** What REST works with in place of the store itself. */
  readonly serve?: (store: SqliteStore) => Store
  readonly clock?: Clock
  /** Absent: a free one. */
  readonly l4Port?: number
  /** What it is made of beside the usual, once there is what issues tokens; a certificate makes it HTTPS. */
  readonly parts?: (rest: Harness) => Parts
}
type Parts = Partial<Parameters<Harness['another']>[0]> & { readonly openid?: OpenIdSignIn }

export async function openLiveServer({
  serve,
  clock = realClock,
  l4Port: wanted = 0,
  parts = () => ({}),
}: LiveOptions = {}): Promise<LiveServer> {
  const rest = await openHarness(serve, clock)
  const { openid, ...given } = parts(rest)
  const sessions = new Sessions(clock, randomBytes)
  const listen = async ({ folder = dist, change }: Build, l4Port: number): Promise<FastifyInstance> => {
    const app = rest.another({ ...given, page: { sessions, files: pageFiles(folder), ...(openid && { openid }) } })
    change?.(app)
    await app.listen({ host: '127.0.0.1', port: l4Port })
    return app
  }
  let app = await listen({}, wanted)
  const { port: l4Port } = app.server.address() as AddressInfo
  return {
    rest,
    line: { url: `${given.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${l4Port}`, token: rest.token },
    async replace(how) {
      await app.close()
      app = await listen(how, l4Port)
    },
    async close() {
      await app.close()
      await rest.close()
    },
  }
}

export interface OtherBuild {
  readonly folder: string
  remove(): Promise<void>
}

/** The page as another version would be: its script has another name, and it says another version. */
export async function otherBuild(version: string): Promise<OtherBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-page-'))
  await cp(dist, folder, { recursive: true })
  const index = await readFile(join(folder, 'index.html'), 'utf8')
  const [, script = ''] = /src="\.\/assets\/([^"]+\.js)"/.exec(index) ?? []
  await rename(join(folder, 'assets', script), join(folder, 'assets', `other-${script}`))
  const changed = index.replace(script, `other-${script}`).replace(/(name="megrez-version" content=")[^"]*/, `$1${version}`)
  await writeFile(join(folder, 'index.html'), changed)
  return { folder, remove: () => rm(folder, { recursive: true }) }
}
