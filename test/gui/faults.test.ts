import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { TurnedClock } from '../../platform/clock.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, type Site, type Tab } from './browser.ts'
import { openLiveServer } from './live-server.ts'
import { openView } from './people.ts'

/** A stream as a server sends it, that changes Ports this often for a while. */
const hail = (events: number): string =>
  Array.from({ length: events }, (_, i) => {
    const port = {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Port',
      metadata: {
        namespace: 'hail',
        name: `p-${i % 500}`,
        uid: `u-${i % 500}`,
        resourceVersion: String(i),
        generation: 1,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { subnet: 'front', node: `worker-${i % 20}` },
      status: { phase: i % 3 === 0 ? 'pending' : 'ready', addresses: [`10.0.${Math.floor(i / 250) % 250}.${i % 250}`] },
    }
    return `event: put\nid: x.${i}\ndata: ${JSON.stringify(port)}\n\n`
  }).join('')
const begin = `event: begin\ndata: ${JSON.stringify({ parts: [{ kind: 'Port' }], resumed: false })}\n\nevent: all\nid: x.0\ndata: ${JSON.stringify({ kind: 'Port', resourceVersion: '0', items: [] })}\n\n`

describe('the page when something is not as it should be', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    tab = await openTab(browser, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  test('asks to sign in again once a token is over, and nothing of what was seen stays', async () => {
    const clock = new TurnedClock(Date.now())
    const server = await openLiveServer({ clock })
    const other = await openTab(browser, server)
    try {
      await signIn(other, server, await server.rest.issuer.issue({ subject: 'alice', scope: 'admin' }, 600))
      await other.page.locator('[data-live="live"]').waitFor()
      clock.advance(601_000)
      await other.page.locator('.sign-in').waitFor()
      assert.equal(await other.page.locator('.frame').count(), 0)
    } finally {
      await other.close()
      await server.close()
    }
  })

  test('follows ten thousand changes at once, and answers the keyboard meanwhile', async () => {
    await signIn(tab, site)
    await tab.page.route('**/v1/watch*', (route) => route.fulfill({ contentType: 'text/event-stream', body: begin + hail(10_000) }))
    await tab.page.goto(`${site.line.url}/?view=objects&kind=Port`)
    await tab.page.getByText('300 of 500 are shown').waitFor()
    await tab.page.keyboard.press('t')
    await tab.page.locator('html[data-theme="dark"]').waitFor()
    await tab.page.unroute('**/v1/watch*')
  })

  test('says that the server is of another version, once the page of the server is another', async () => {
    await openView(tab.page, site, 'view=objects&kind=Vpc')
    assert.equal(await tab.page.locator('[data-other-version]').count(), 0)
    const its = await (await fetch(`${site.line.url}/`)).text()
    const other = its.replace(/(name="megrez-version" content=")[^"]*/, '$199.1.2')
    assert.notEqual(other, its)
    await tab.page.route(`${site.line.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: other }))
    await tab.page.keyboard.press('g')
    await tab.page.keyboard.press('f')
    await tab.page.locator('[data-other-version]').getByText('The server is 99.1.2').waitFor()
    await tab.page.unroute(`${site.line.url}/`)
  })

  test('shows names as they are: no HTML runs, and no mark turns what stands beside it', async () => {
    const name = '<img src=x onerror=alert(1)>\u202egnp.exe'
    const items = [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'a', name, uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '2099-01-01T00:00:00Z' },
        spec: {},
      },
    ]
    const body = `event: begin\ndata: {"parts":[{"kind":"Pod"}],"resumed":false}\n\nevent: all\nid: x.1\ndata: ${JSON.stringify({ kind: 'Pod', resourceVersion: '1', items })}\n\n`
    await tab.page.route('**/v1/watch*', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await tab.page.goto(`${site.line.url}/?view=objects&kind=Pod`)
    assert.equal(await tab.page.locator('tbody th bdi').first().textContent(), name)
    assert.equal(await tab.page.locator('tbody img').count(), 0)
    await tab.page.unroute('**/v1/watch*')
  })

  test('a view that fails takes nothing else with it', async () => {
    const body =
      'event: begin\ndata: {"parts":[{"kind":"Subnet"}],"resumed":false}\n\nevent: all\nid: x.1\ndata: {"kind":"Subnet","resourceVersion":"1","items":[{"kind":"Subnet","metadata":{"name":"s","namespace":"a"}}]}\n\n'
    await tab.page.route('**/v1/watch*', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await tab.page.goto(`${site.line.url}/?view=addresses`)
    await tab.page.getByText('This cannot be shown').waitFor()
    await tab.page.getByRole('link', { name: 'Health' }).click()
    await tab.page.locator('[data-figures]').waitFor()
    await tab.page.unroute('**/v1/watch*')
    await openView(tab.page, site, 'view=network')
  })
})
