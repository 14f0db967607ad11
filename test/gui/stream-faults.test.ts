// What can be wrong with the one stream that a page lives of: cut within a character, from a server of another version, or from one whose
// clock is another.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { TurnedClock } from '../../platform/clock.ts'
import { guiSkip, openBrowser, openTab, signIn, type PageServer, type Tab, type TabOptions } from './browser.ts'
import { openByteRelay } from './byte-relay.ts'
import { openLiveServer, otherBuild, type LiveServer } from './live-server.ts'
import { openView } from './people.ts'

let browser: Browser
let site: LiveServer
const clock = new TurnedClock(Date.now())
const tabs: Tab[] = []
before(async () => {
  if (guiSkip === false) [browser, site] = await Promise.all([openBrowser(), openLiveServer({ clock })])
})
after(async () => {
  await browser?.close()
  await site?.close()
})
afterEach(async () => {
  for (const tab of tabs.splice(0)) await tab.close()
})
const make = (namespace: string, name: string, annotations: Readonly<Record<string, string>> = {}) =>
  site.rest.store.create({ kind: 'SecurityGroup', metadata: { namespace, name, annotations }, spec: {} })
async function open(server: PageServer, options: TabOptions = {}, token?: string): Promise<Tab> {
  const tab = await openTab(browser, server, options)
  tabs.push(tab)
  await signIn(tab, server, token)
  return tab
}

describe('a stream that is cut within a character', { skip: guiSkip }, () => {
  const orbit = '\u{1f6f0}'
  const say = (name: string) => make('cut', name, { note: `${orbit} of ${name}` })
  const stored = async ({ page }: Tab, name: string): Promise<string> => {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByText('YAML', { exact: true }).click()
    const text = (await page.locator('[data-yaml]').textContent()) ?? ''
    await page.goBack()
    return text
  }

  test('is taken up again where it was, in the list of all and in a change: no character is lost or broken', async () => {
    await say('first')
    const relay = await openByteRelay(Number(new URL(site.line.url).port))
    try {
      const there: PageServer = { line: { ...site.line, url: relay.url } }
      const tab = await open(there, {}, await site.rest.fresh())
      const listCut = relay.cutWithin(orbit)
      await tab.page.goto(`${relay.url}/?view=objects&kind=SecurityGroup`)
      await listCut
      await tab.page.getByRole('link', { name: 'first', exact: true }).waitFor()
      await tab.page.locator('[data-live="live"]').waitFor()
      const changeCut = relay.cutWithin(orbit)
      await say('second')
      await changeCut
      await tab.page.getByRole('link', { name: 'second', exact: true }).waitFor()
      relay.partWithin(orbit)
      await say('third')
      await tab.page.getByRole('link', { name: 'third', exact: true }).waitFor()
      for (const name of ['first', 'second', 'third']) {
        const text = await stored(tab, name)
        assert.ok(text.includes(`note: "${orbit} of ${name}"`), text)
      }
      assert.deepEqual(tab.wrong, [])
    } finally {
      await relay.close()
    }
  })
})

describe('a browser whose clock is wrong by hours', { skip: guiSkip }, () => {
  for (const [hours, words] of [
    [5, 'is 5 h ahead of'],
    [-5, 'is 5 h behind'],
  ] as const)
    test(`tells ages by the server's clock, says so, and keeps the session as long as its token: ${words} the server's`, async () => {
      const name = `made-now-${hours > 0 ? 'ahead' : 'behind'}`
      await make('clock', name)
      const tab = await open(
        site,
        { clockAheadMs: hours * 3_600_000 },
        await site.rest.issuer.issue({ subject: 'alice', scope: 'viewer' }, 600),
      )
      await openView(tab.page, site, 'view=objects&kind=SecurityGroup&namespace=clock')
      const notice = (await tab.page.locator('[data-other-clock]').textContent()) ?? ''
      assert.ok(notice.includes(`This browser's clock ${words}`), notice)
      const made = await tab.page.locator('tbody tr', { hasText: name }).locator('time').textContent()
      assert.match(made ?? '', /^(now|\d+ s ago)$/)
      clock.advance(590_000)
      assert.equal(await tab.page.locator('.sign-in').count(), 0)
      clock.advance(11_000)
      await tab.page.locator('.sign-in').waitFor()
    })

  test('is not spoken of where it is right', async () => {
    const tab = await open(site, {}, await site.rest.fresh())
    await openView(tab.page, site, 'view=objects&kind=SecurityGroup')
    assert.equal(await tab.page.locator('[data-other-clock]').count(), 0)
  })
})

describe('a server that is replaced by one of another version', { skip: guiSkip }, () => {
  test('is shown as such, also where its stream means nothing to the page, and the page is loaded anew by one button', async () => {
    const [server, build] = [await openLiveServer(), await otherBuild('99.1.2')]
    try {
      const tab = await open(server)
      await openView(tab.page, server, 'view=objects&kind=Vpc')
      const own = await tab.page.locator('meta[name="megrez-version"]').getAttribute('content')
      await server.replace({
        folder: build.folder,
        change: (app) =>
          app.addHook('onRequest', async (request, reply) => {
            if (!request.url.startsWith('/v1/watch')) return
            await reply.header('content-type', 'text/event-stream').send('event: begin\ndata: {"streams":{"Vpc":"x"}}\n\n')
          }),
      })
      await tab.page.locator('[data-stale]').getByText('does not understand: load the page anew').waitFor()
      await tab.page.locator('[data-other-version]').getByText(`The server is 99.1.2, this page is of ${own}`).waitFor()
      await server.replace({ folder: build.folder })
      await tab.page.locator('[data-live="live"]').waitFor()
      await tab.page.getByRole('button', { name: 'Load it anew' }).click()
      await tab.page.locator('meta[name="megrez-version"][content="99.1.2"]').waitFor({ state: 'attached' })
      await tab.page.locator('[data-live="live"]').waitFor()
      assert.equal(await tab.page.locator('[data-other-version]').count(), 0)
      assert.match(tab.page.url(), /view=objects&kind=Vpc/, 'it is where it was')
      assert.deepEqual(tab.wrong, [])
    } finally {
      await server.close()
      await build.remove()
    }
  })

  test('is shown as such to a page that cannot even learn who it is', async () => {
    const [server, build] = [await openLiveServer(), await otherBuild('99.1.2')]
    try {
      const tab = await open(server)
      await server.replace({
        change: (app) =>
          app.addHook('onRequest', async (request, reply) => (request.url === '/session' ? reply.code(404).send() : undefined)),
      })
      await tab.page.goto(server.line.url)
      await tab.page.getByText('the server answers 404').waitFor()
      await server.replace({
        folder: build.folder,
        change: (app) =>
          app.addHook('onRequest', async (request, reply) => (request.url === '/session' ? reply.code(404).send() : undefined)),
      })
      await tab.page.locator('[data-other-version]').waitFor()
    } finally {
      await server.close()
      await build.remove()
    }
  })
})
