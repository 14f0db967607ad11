// One Chromium for a file of tests, each with a context of its own, and a whole server that it looks at.
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { chromiumProgram } from '../../lab/programs/chromium.ts'
import { realClock } from '../../platform/clock.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { serve, type Line, type Running } from '../process/server.ts'

/** For a suite's `skip`: false where there is a browser. */
export const guiSkip: string | false =
  process.env['MEGREZ_TEST_CHROMIUM'] === undefined
    ? 'MEGREZ_TEST_CHROMIUM names no browser: run it by node bootstrap.mjs test/run.ts gui'
    : false

/** @param trusted certificates (PEM) that it takes whoever has signed them; all others it judges as ever */
export async function openBrowser(trusted: readonly string[] = []): Promise<Browser> {
  const program = process.env['MEGREZ_TEST_CHROMIUM'] ?? (await chromiumProgram({ install: false, print: () => undefined }))
  if (typeof program !== 'string' && 'missing' in program) throw new Error(program.missing)
  return chromium.launch({
    executablePath: typeof program === 'string' ? program : program.path,
    // As root, and where /dev/shm is small.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      ...(trusted.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${trusted.map(keyHashOf).join()}`]),
    ],
  })
}

const keyHashOf = (certificate: string): string =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

export interface SignedLine extends Line {
  readonly signInUrl: string
}
/** Where a page is, and whose token signs in there. */
export interface PageServer {
  readonly line: { readonly url: string; readonly token: string }
}
export interface Site extends PageServer {
  readonly server: Running
  readonly line: SignedLine
  readonly folder: string
  /** The server killed and started again where it was; its store stays. */
  again(): Promise<Site>
  close(): Promise<void>
}

export async function openSite(folder?: string, l4Port = 0, env: Readonly<Record<string, string>> = {}): Promise<Site> {
  const own = folder ?? (await mkdtemp(join(tmpdir(), 'megrez-gui-')))
  const server = await serve(own, { args: ['--no-install', ...(l4Port === 0 ? [] : ['--port', String(l4Port)])], env })
  const line = server.line as SignedLine
  return {
    server,
    line,
    folder: own,
    async again() {
      await server.end('SIGKILL')
      return openSite(own, Number(new URL(line.url).port), env)
    },
    async close() {
      await server.end('SIGTERM')
      await rm(own, { recursive: true, force: true })
    },
  }
}

export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page has said aloud that it should not: errors, and refusals of its policy. */
  readonly wrong: string[]
  close(): Promise<void>
}
export interface TabOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** How far the browser's clock is ahead. */
  readonly clockAheadMs?: number
}

/** A tab, signed in by a token of the server's own. */
export async function openTab(
  browser: Browser,
  site: PageServer,
  { width = 1280, height = 800, dark = false, clockAheadMs = 0 }: TabOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  const wrong: string[] = []
  if (clockAheadMs !== 0)
    await context.addInitScript(`{
      const { now } = Date
      Date.now = () => now() + ${clockAheadMs}
      globalThis.Date = class extends Date { constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)) } }
    }`)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) wrong.push(message.text())
  })
  page.on('pageerror', (err) => wrong.push(String(err)))
  page.on('request', (request) => {
    if (!request.url().startsWith(site.line.url) && !request.url().startsWith('data:')) wrong.push(`asked elsewhere: ${request.url()}`)
  })
  return { page, context, wrong, close: () => context.close() }
}

export async function signIn({ page }: Pick<Tab, 'page'>, { line }: PageServer, token = line.token): Promise<void> {
  await page.goto(`${line.url}/`)
  await page.locator('[data-token]').fill(token)
  await page.getByRole('button', { name: /Sign in/ }).click()
  await page.locator('.frame').waitFor()
}

/** For somebody who may less than the server's own token, or for a short time. */
export const tokenFor = async ({ folder }: Site, scope: string, lifeSeconds = 600): Promise<string> =>
  (await openLocalIssuer(folder, realClock)).issue({ subject: 'alice', scope }, lifeSeconds)
