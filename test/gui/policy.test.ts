import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
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
