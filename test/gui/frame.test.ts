import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { guiSkip, openBrowser, openSite, openTab, signIn, type Site, type Tab } from './browser.ts'
import { applyDemo, openView } from './people.ts'

describe('the frame of the page', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    await applyDemo(site, [5])
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  test('asks for a token where nobody is signed in, and says what is wrong with a bad one', async () => {
    const other = await openTab(browser, site)
    await other.page.goto(site.line.url)
    await other.page.locator('[data-token]').fill('not.a.token')
    await other.page.getByRole('button', { name: /Sign in/ }).click()
    await other.page.getByRole('alert').waitFor()
    assert.deepEqual(other.wrong, [])
    await other.close()
  })

  test('is opened by the link that npm start prints, once', async () => {
    const other = await openTab(browser, site)
    await other.page.goto(site.line.signInUrl)
    await other.page.locator('.frame').waitFor()
    const again = await openTab(browser, site)
    await again.page.goto(site.line.signInUrl)
    assert.equal(await again.page.locator('.frame').count(), 0)
    await other.close()
    await again.close()
  })

  test('finds an object by its address, and goes there by the keyboard', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.keyboard.press('/')
    await tab.page.keyboard.type('192.168.0.12')
    await tab.page.getByRole('option').first().waitFor()
    await tab.page.keyboard.press('Enter')
    await tab.page.locator('[data-one="Port"]').waitFor()
  })

  test('goes to a view by g and its letter, and back by the browser', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.keyboard.press('g')
    await tab.page.keyboard.press('o')
    await tab.page.locator('main[aria-label="Objects"]').waitFor()
    await tab.page.goBack()
    await tab.page.locator('main[aria-label="Network"]').waitFor()
  })

  test('shows its keys at ?, keeps the focus inside, and gives it back at Escape', async () => {
    const focused = (): Promise<string> =>
      tab.page.evaluate(`document.activeElement.closest('[data-help]') === null ? document.activeElement.ariaLabel : 'the panel'`)
    await openView(tab.page, site, 'view=network')
    await tab.page.getByRole('button', { name: 'Sign out' }).focus()
    await tab.page.keyboard.press('?')
    const panel = tab.page.getByRole('dialog', { name: 'Keys' })
    await panel.getByText('Callbacks').waitFor()
    assert.equal(await focused(), 'the panel')
    await tab.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    assert.equal(await focused(), 'Sign out')
    await tab.page.keyboard.press('?')
    await panel.waitFor()
    await tab.page.keyboard.press('?')
    await panel.waitFor({ state: 'hidden' })
    await tab.page.getByRole('button', { name: 'Keys' }).click()
    await tab.page.keyboard.press('g')
    await tab.page.keyboard.press('h')
    await tab.page.locator('main[aria-label="Health"]').waitFor()
    await panel.waitFor({ state: 'hidden' })
  })

  test('keeps the colours that were chosen', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.keyboard.press('t')
    await tab.page.locator('html[data-theme="dark"]').waitFor()
    await tab.page.reload()
    await tab.page.locator('html[data-theme="dark"]').waitFor()
    await tab.page.keyboard.press('t')
  })

  test('shows only the namespace that was chosen, and says it in the address', async () => {
    await openView(tab.page, site, 'view=objects&kind=Port')
    assert.equal(await tab.page.locator('tbody tr').count(), 2)
    await tab.page.locator('[data-namespace]').fill('elsewhere')
    await tab.page.keyboard.press('Enter')
    await tab.page.getByText('There is no Port').waitFor()
    assert.match(tab.page.url(), /namespace=elsewhere/)
  })

  test('says that it is old while the server is gone, and goes on by itself', async () => {
    await openView(tab.page, site, 'view=objects&kind=Port')
    await tab.page.locator('tbody tr').nth(1).waitFor()
    await site.server.end('SIGKILL')
    await tab.page.locator('[data-stale]').waitFor()
    assert.equal(await tab.page.locator('tbody tr').count(), 2, 'what was seen stays')
    site = await site.again()
    await tab.page.locator('[data-live="live"]').waitFor()
    await tab.page.locator('[data-stale]').waitFor({ state: 'detached' })
  })

  test('has asked nothing of anybody else, and broken no rule of its policy', () => assert.deepEqual(tab.wrong, []))
})
