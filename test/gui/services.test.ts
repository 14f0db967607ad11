// A NetworkService as people see it: who serves it, who has which endpoint, and a client that is moved while they look.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
import { shots, violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { openView } from './people.ts'

describe('Services', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab

  const make = async (path: string, body: object): Promise<void> => {
    const answer = await site.server.rest.call('POST', path, { apiVersion: 'megrez.io/v1alpha1', ...body })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const place = (name: string, node: string, nic: object): Promise<void> =>
    make('/v1/namespaces/shop/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, annotations: { 'megrez.io/vpc': 'blue', 'megrez.io/nics': JSON.stringify([{ name: 'eth0', ...nic }]) } },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'none' }] },
    })

  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    for (const name of ['worker-1', 'worker-2']) await make('/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} })
    await make('/v1/namespaces/shop/vpcs', { kind: 'Vpc', metadata: { name: 'blue' }, spec: {} })
    const spec = { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' } }
    await make('/v1/namespaces/shop/subnets', { kind: 'Subnet', metadata: { name: 'one' }, spec })
    for (const name of ['dns', 'nobody-serves'])
      await make('/v1/namespaces/shop/networkservices', {
        apiVersion: 'networkservicemesh.io/v1',
        kind: 'NetworkService',
        metadata: { name, annotations: { 'megrez.io/subnet': 'one' } },
        spec: { payload: 'IP' },
      })
    for (const n of [1, 2]) await place(`dns-${n}`, `worker-${n}`, { serves: 'dns' })
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  const of = (name: string) => tab.page.locator(`[data-service="shop/${name}"]`)
  const rowsOf = async (attribute: string): Promise<readonly string[]> =>
    (await of('dns').locator(`tr[${attribute}]`).allTextContents()).sort()

  test('draws who serves it, and by a table on which node; one that nobody serves says so', async () => {
    await openView(tab.page, site, 'view=services')
    await until(async () => (await rowsOf('data-endpoint')).length === 2, 'both endpoints are listed')
    assert.deepEqual(
      (await rowsOf('data-endpoint')).map((row) => /(dns-\d)(worker-\d)(\d)it goes$/.exec(row)?.slice(1)),
      [
        ['dns-1', 'worker-1', '0'],
        ['dns-2', 'worker-2', '0'],
      ],
    )
    await of('nobody-serves').getByText('No endpoint serves it.').waitFor()
    assert.equal(await of('dns').locator('.end').count(), 2)
  })

  test('a client is joined to the endpoint of its node as soon as it has it', async () => {
    await place('web', 'worker-1', { networkService: 'dns' })
    const line = of('dns').locator('[data-line][data-state=ready]')
    await line.waitFor({ state: 'attached' })
    assert.match((await line.textContent()) ?? '', /has shop\/dns-1.*: ready$/)
    const [row = ''] = await rowsOf('data-client')
    assert.match(row, /^webready10\.1\.0\.\d+shop\/dns-1\S*10\.1\.0\.\d+0$/)
    assert.deepEqual(await violationsOn(tab.page), [])
  })

  test('one that is moved is told of while one looks, with why; its own address stays', async () => {
    const ownOf = async (): Promise<string | undefined> => /ready(10\.1\.0\.\d+)shop/.exec((await rowsOf('data-client'))[0] ?? '')?.[1]
    const before = await ownOf()
    await site.server.rest.remove('/v1/namespaces/shop/pods/dns-1')
    const move = of('dns').locator('[data-move]')
    await move.waitFor()
    assert.match((await move.textContent()) ?? '', /webshop\/dns-1\S*shop\/dns-2\S*Endpoint(Going|Gone|NotReady)$/)
    assert.match((await rowsOf('data-client'))[0] ?? '', /shop\/dns-2\S*10\.1\.0\.\d+1$/)
    assert.equal(await ownOf(), before)
    await mkdir(shots, { recursive: true })
    await tab.page.screenshot({ path: join(shots, 'services.png'), fullPage: true })
  })

  test('on a phone, dark: nothing serious for axe, nothing wider than the screen; those of others are not shown', async () => {
    const phone = await openTab(browser, site, { width: 390, height: 844, dark: true })
    await signIn(phone, site)
    await openView(phone.page, site, 'view=services')
    await phone.page.locator('[data-client]').waitFor()
    assert.deepEqual(await violationsOn(phone.page), [])
    assert.ok((await phone.page.evaluate<number>('document.documentElement.scrollWidth')) <= 390)
    await phone.close()
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:billing'))
    await openView(other.page, site, 'view=services')
    await other.page.getByText('There is no NetworkService').waitFor()
    assert.equal(await other.page.locator('[data-service]').count(), 0)
    await other.close()
    assert.deepEqual(tab.wrong, [])
  })
})
