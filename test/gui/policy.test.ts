import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, type Site, type Tab } from './browser.ts'
import { makeLively } from './lively.ts'
import { openView } from './people.ts'

describe('Policy', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    await makeLively(site)
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  const replace = async (path: string, spec: object): Promise<void> => {
    const { rest } = site.server
    const { etag } = await rest.call('GET', path)
    const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
    assert.equal((await rest.call('PATCH', path, { spec }, merge)).status, 200)
  }
  const makeGroup = async (name: string, rules: readonly object[]): Promise<void> => {
    const body = { apiVersion: 'megrez.io/v1alpha1', kind: 'SecurityGroup', metadata: { name }, spec: { rules } }
    assert.equal((await site.server.rest.call('POST', '/v1/namespaces/shop/securitygroups', body)).status, 201)
  }
  test('without policies everybody talks to everybody', async () => {
    await openView(tab.page, site, 'view=policy&vpc=shop%2Fblue&port=6379')
    await tab.page.locator('[data-verdict=allowed]').first().waitFor()
    assert.equal(await tab.page.locator('[data-verdict=denied]').count(), 0)
  })

  test('a group that is made and changed is seen at once, and who asks why is shown the policy and its rule', async () => {
    await makeGroup('cart', [])
    const { body } = await site.server.rest.call('GET', '/v1/namespaces/shop/ports')
    for (const { metadata } of body.items ?? [])
      if (metadata.name.startsWith('cart-0')) await replace(`/v1/namespaces/shop/ports/${metadata.name}`, { securityGroups: ['cart'] })
    const denied = tab.page.locator('[data-verdict=denied]').first()
    await denied.click()
    const why = tab.page.locator('[data-why]')
    await why.getByText('SecurityGroup cart denies, as no rule of it allows this').waitFor()
    await replace('/v1/namespaces/shop/securitygroups/cart', {
      rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 6379, l4PortMax: 6379 }],
    })
    await why.getByText('by /spec/rules/0').waitFor()
    assert.equal(await tab.page.locator('[data-verdict=denied]').count(), 0)
  })

  test('arrow keys go from cell to cell, of which the Tab key stops at one', async () => {
    const cells = tab.page.locator('button[data-at]')
    assert.equal(await cells.count(), 4)
    const stop = tab.page.locator('button[data-at][tabindex="0"]')
    assert.equal(await stop.count(), 1)
    await tab.page.locator('[data-at="0.0"]').focus()
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowLeft'])
      await tab.page.keyboard.press(key)
    await tab.page.locator('[data-at="1.0"]:focus').waitFor()
    assert.equal(await stop.getAttribute('data-at'), '1.0')
    await tab.page.keyboard.press('Enter')
    await tab.page.locator('[data-at="1.0"][aria-pressed=true]').waitFor()
    assert.equal(new URL(tab.page.url()).searchParams.get('cell'), '1.0')
  })

  test('an edited policy says what it would change before it is stored, also if it were deleted, and what is wrong by its path', async () => {
    const what = tab.page.locator('[data-what-if]')
    await what.getByLabel('Begin with').selectOption('SecurityGroup shop/cart')
    const text = what.getByLabel('The policy as it would be')
    const stored = await text.inputValue()
    assert.match(stored, /kind: SecurityGroup[^]*name: cart[^]*l4PortMin: 6379/)
    const button = what.getByRole('button', { name: 'What would change?' })
    await button.click()
    await what.getByText('Nothing would change.').waitFor()
    await text.fill(stored.replaceAll('6379', '6380'))
    assert.equal(await what.getByText('Nothing would change.').count(), 0, 'that was of another text')
    await button.click()
    const row = (to: string, port: string) => what.locator(`[data-planned-verdict=${to}]`).filter({ hasText: port }).first()
    await row('denied', 'tcp 6379').waitFor()
    await row('allowed', 'tcp 6380').waitFor()
    await text.fill(stored.replace('l4PortMin: 6379', 'l4PortMin: 70000'))
    await button.click()
    await what.getByRole('alert').getByText('/put/0/spec/rules/0/l4PortMin').waitFor()
    await what.getByRole('button', { name: 'And if it were deleted?' }).click()
    await row('denied', 'tcp 6379').waitFor()
    assert.deepEqual(await violationsOn(tab.page), [])
    const { body } = await site.server.rest.call('GET', '/v1/namespaces/shop/securitygroups/cart')
    assert.match(JSON.stringify(body), /"l4PortMin":6379/, 'nothing is stored')
  })

  test('the same as a graph, which says in words who may talk to whom', async () => {
    const shownAs = tab.page.locator('label', { hasText: /^As/ }).locator('select')
    await shownAs.selectOption('graph')
    const graph = tab.page.locator('[data-graph] svg')
    await graph.waitFor()
    assert.match((await graph.getAttribute('aria-label')) ?? '', /shop\/cart-0 and shop\/\S+ may talk to each other/)
    assert.deepEqual(await violationsOn(tab.page), [])
    await shownAs.selectOption('matrix')
    await tab.page.locator('[data-verdict]').first().waitFor()
  })

  test('what one looks at is in the address', async () => {
    const url = new URL(tab.page.url())
    assert.match(url.searchParams.get('cell') ?? '', /^\d+\.\d+$/)
    await tab.page.reload()
    await tab.page.locator('[data-why]').waitFor()
    await tab.page.getByLabel('Protocol').selectOption('icmp')
    await tab.page.locator('[data-verdict=denied]').first().waitFor()
    assert.ok((await tab.page.locator('[aria-label$=" to shop/cart-0: denied"]').count()) > 0)
  })
})
