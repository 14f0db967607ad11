import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, type Site, type Tab } from './browser.ts'
import { applyDemo, drawnOn, openView } from './people.ts'

describe('the view Network', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  test('says what Megrez is while nothing is there, and draws what comes', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor()
    await applyDemo(site, [1, 5])
    await until(async () => (await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod5/nginx'), 'the pod is drawn')
    await until(async () => (await drawnOn(tab.page)).some(({ label }) => label === '192.168.0.12'), 'its address stands at the link')
  })

  test('says in the tree what stands on the canvas', async () => {
    await openView(tab.page, site, 'view=network')
    await until(async () => (await drawnOn(tab.page)).length > 0, 'it is drawn')
    const drawn = (await drawnOn(tab.page)).map(({ id }) => id)
    const rows: readonly string[] = await tab.page.evaluate(`[...document.querySelectorAll('[role=treeitem]')].map((e) => e.dataset.id)`)
    assert.deepEqual([...rows].sort(), [...drawn].sort())
  })

  test('closes a group into one box with a number, by the keyboard', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.getByRole('treeitem').first().focus()
    await tab.page.keyboard.press('ArrowLeft')
    await until(async () => (await drawnOn(tab.page)).some(({ label }) => /\n3 Ports$/.test(label)), 'it is one box')
    assert.ok(!(await drawnOn(tab.page)).some(({ id }) => id.startsWith('pod/')))
    assert.match(tab.page.url(), /open=none/)
  })

  test('shows by a link what another saw: a Vpc alone, with one pod that is followed', async () => {
    await openView(tab.page, site, 'view=network&by=vpc&vpc=pod5%2Fvpc-1a2b3c4d&chosen=pod%2Fpod5%2Fnginx&follow=1')
    await until(async () => (await drawnOn(tab.page)).length > 0, 'it is drawn')
    const drawn = await drawnOn(tab.page)
    assert.ok(drawn.every(({ id }) => id.includes('pod5/')))
    await tab.page.getByRole('link', { name: 'Look closer' }).click()
    await tab.page.locator('[data-one="Pod"]').waitFor()
  })

  test('takes away what is gone', async () => {
    await openView(tab.page, site, 'view=network')
    await until(async () => (await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod1/nginx'), 'it is there')
    await site.server.rest.remove('/v1/namespaces/pod1/pods/nginx')
    await until(async () => !(await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod1/nginx'), 'it is gone')
  })

  test('breaks no rule of the policy', () => assert.deepEqual(tab.wrong, []))
})
