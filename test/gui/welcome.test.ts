import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
import { shots, violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { drawnOn, openView } from './people.ts'

describe('the welcome of an empty server', { skip: guiSkip }, () => {
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
  const play = () => tab.page.getByRole('button', { name: 'Play the demo' })
  const picture = async ({ page }: Tab, name: string): Promise<void> => {
    await mkdir(shots, { recursive: true })
    await page.screenshot({ path: join(shots, `${name}.png`) })
    assert.deepEqual(await violationsOn(page), [])
  }
  const remove = async (): Promise<void> => {
    await tab.page.getByRole('button', { name: "Remove the demo's objects …" }).click()
    await tab.page.locator('[data-do]:enabled').click()
    await play().waitFor()
  }

  test('offers no demo to somebody who may make nothing', async () => {
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'megrez:viewer'))
    await openView(other.page, site, 'view=network')
    await other.page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Play the demo' }).count(), 0)
    await other.close()
  })

  test('plays the demo by one button: five pods have ready Ports, the sixth shares an address in another Vpc', async () => {
    await openView(tab.page, site, 'view=network')
    await play().click()
    await tab.page.locator('[data-demo="done"]').waitFor({ timeout: 60_000 })
    const { items = [] } = (await site.server.rest.call('GET', '/v1/ports')).body
    const ready = items.filter(({ status }) => status?.phase === 'ready').map(({ metadata }) => metadata.namespace)
    assert.deepEqual(ready.sort(), ['pod1', 'pod2', 'pod3', 'pod4', 'pod5', 'pod5', 'together', 'together'])
    const ports = items.map(({ metadata: { namespace = '', name } }) => `Port ${namespace}/${name} ready`)
    const shown = async (): Promise<readonly string[]> =>
      (await tab.page.locator('[data-demo-notices] li').allTextContents()).map((text) => text.replace(/\s+/g, ' '))
    await until(async () => {
      const all = await shown()
      return ports.every((port) => all.some((each) => each.startsWith(port)))
    }, 'a notice of each Port has come')
    await picture(tab, 'demo-1280-light')
    assert.equal(new Set(await shown()).size, (await shown()).length, 'each once')
    await until(async () => (await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod5/nginx'), 'the pods are drawn below')
  })

  test('shows what the server says to the pod whose address is taken', async () => {
    const said = await tab.page.locator('[data-step="done"][data-refused="true"] .refused').textContent()
    assert.match(said ?? '', /nics.*192\.168\.0\.12/)
    assert.equal((await site.server.rest.call('GET', '/v1/namespaces/together/pods/pod5')).status, 404)
  })

  test('offers also after a reload to remove what the demo has made, and leaves nothing of it', async () => {
    await tab.page.reload()
    await tab.page.locator('[data-demo="idle"]').waitFor()
    await remove()
    for (const plural of ['pods', 'ports', 'subnets', 'vpcs', 'securitygroups', 'subscriptions'])
      assert.deepEqual((await site.server.rest.call('GET', `/v1/${plural}`)).body.items, [], plural)
  })

  test('says by name what stands in the way of the demo, and removes only what the demo has made', async () => {
    const name = 'aa5db150-a63d-4bd1-8d70-2dff67c6a5d9'
    const made = await site.server.rest.call('POST', '/v1/namespaces/pod5/securitygroups', {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'SecurityGroup',
      metadata: { name },
      spec: { rules: [] },
    })
    assert.equal(made.status, 201)
    await play().click()
    await tab.page.locator('[data-demo="failed"]').getByRole('alert').filter({ hasText: name }).waitFor({ timeout: 60_000 })
    await remove()
    assert.equal((await site.server.rest.call('GET', `/v1/namespaces/pod5/securitygroups/${name}`)).status, 200)
  })

  test('has asked nothing of anybody else, and broken no rule of its policy', () => assert.deepEqual(tab.wrong, []))
})
