import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { makeLively } from './lively.ts'
import { openView } from './people.ts'

describe('views beside the network', { skip: guiSkip }, () => {
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

  test('Objects: an object says how it came to be so, what it is part of, and what is stored', async () => {
    await openView(tab.page, site, 'view=objects&kind=Pod&of=shop&name=web-0')
    await tab.page.locator('.timeline').waitFor()
    await tab.page.getByText('kubelet: 2 min').waitFor()
    assert.equal(await tab.page.locator('[data-links]').nth(1).getByText('Port', { exact: true }).count(), 2)
    await tab.page.getByText('YAML', { exact: true }).click()
    assert.match((await tab.page.locator('[data-yaml]').textContent()) ?? '', /^apiVersion: v1\nkind: Pod\n/)
  })

  test('Objects: what is used is not deleted, and the dry run says why before anything is done', async () => {
    await openView(tab.page, site, 'view=objects&kind=Vpc&of=shop&name=blue')
    await tab.page.locator('[data-delete]').click()
    await tab.page.getByText('Used by Subnet').waitFor()
    await tab.page.locator('[data-dry-run] [role=alert], [data-dry-run] p:not(.quiet)').first().waitFor()
    await tab.page.getByRole('button', { name: 'Leave it' }).click()
    assert.equal((await site.server.rest.call('GET', '/v1/namespaces/shop/vpcs/blue')).status, 200)
  })

  test('Objects: what is deleted after the question is gone', async () => {
    await openView(tab.page, site, 'view=objects&kind=Pod&of=shop&name=cart-1')
    await tab.page.locator('[data-delete]').click()
    await tab.page.getByText('The server would do it.').waitFor()
    await tab.page.locator('[data-do]').click()
    await tab.page.getByText('There is no Pod cart-1').waitFor()
  })

  test('Addresses: a cell is used, excluded or free as the server has it', async () => {
    await openView(tab.page, site, 'view=addresses&subnet=shop%2Ffront')
    const state = (address: string) => tab.page.locator(`[data-address="${address}"]`).getAttribute('data-state')
    await tab.page.locator('[data-address="10.1.0.10"][data-state="used"]').waitFor()
    assert.deepEqual(await Promise.all(['10.1.0.64', '10.1.0.79', '10.1.0.80', '10.1.0.200'].map(state)), [
      'excluded',
      'excluded',
      'free',
      'excluded',
    ])
  })

  test('Fabric: switches and their drift, and a dry run that is asked for', async () => {
    await openView(tab.page, site, 'view=fabric')
    assert.equal(await tab.page.locator('[data-fabric="rack-1"] tbody tr').count(), 2)
    await tab.page.getByRole('button', { name: /Only look/ }).click()
    await tab.page.getByText('The server would do it.').waitFor()
    await tab.page.locator('[data-do]').click()
    await tab.page.getByText('dry run', { exact: true }).waitFor()
  })

  test('Node: lists what is on it, and tells of a node that nobody answers for', async () => {
    await openView(tab.page, site, 'view=node&node=worker-1')
    assert.equal(await tab.page.locator('tbody tr').count(), 3)
    await tab.page.locator('[data-ask]').first().click()
    await tab.page.getByText('Asking the node').waitFor()
  })

  test('Callbacks: who is told and how that goes; it is paused after a question', async () => {
    await openView(tab.page, site, 'view=callbacks')
    await tab.page.locator('[data-subscription="inventory"]').getByText('ECONNREFUSED').waitFor()
    await tab.page.locator('[data-act="pause"]').click()
    await tab.page.getByText('The server would do it.').waitFor()
    await tab.page.locator('[data-do]').click()
    await tab.page.getByText('paused', { exact: true }).waitFor()
  })

  test('Health: says that the server is ready, and what it has reconciled', async () => {
    await openView(tab.page, site, 'view=health')
    await tab.page.locator('[data-figures]').waitFor()
    assert.ok((await tab.page.locator('tbody tr').count()) > 3)
  })

  test('what one may not do is not offered', async () => {
    const { line } = site
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:shop'))
    await other.page.goto(`${line.url}/?view=objects&kind=Pod&of=shop&name=web-0&namespace=shop`)
    await other.page.locator('[data-one="Pod"]').waitFor()
    assert.equal(await other.page.locator('[data-delete]').count(), 0)
    await other.page.goto(`${line.url}/?view=objects&kind=Port`)
    await other.page.locator('tbody tr').first().waitFor()
    assert.ok(!((await other.page.locator('tbody').textContent()) ?? '').includes('billing'), 'nothing of another namespace')
    assert.deepEqual(other.wrong, [])
    await other.close()
  })

  test('breaks no rule of the policy', () => assert.deepEqual(tab.wrong, []))
})
