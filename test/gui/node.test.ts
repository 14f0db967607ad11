// The flows of a Port, with a node whose agent answers.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { memory } from '../../agent/dataplanes/memory.ts'
import type { ItemCount } from '../../core/node/explained.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { RestStore } from '../../platform/store/rest.ts'
import { openNode, type TestNode } from '../agent/node.ts'
import { until } from '../setup/until.ts'
import { shots, violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { openView } from './people.ts'

describe('flows of a node', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  let store: RestStore
  let node: TestNode
  let port = ''
  /** What the data plane has been asked to count. */
  let asked = 0
  const picture = async ({ page }: Tab, name: string): Promise<void> => {
    await mkdir(shots, { recursive: true })
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
    assert.deepEqual(await violationsOn(page), [])
  }
  const address = (more = ''): string => `view=node&node=worker-1&port=shop%2F${port}${more}`

  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite(undefined, 0, { MEGREZ_AGENTS: 'true' })])
    store = new RestStore({ socket: join(site.folder, 'agents.sock'), node: 'worker-1', clock: realClock, random: Math.random })
    await store.register('192.0.2.1')
    node = await openNode({
      store,
      name: 'worker-1',
      address: '192.0.2.1',
      plane: (of) => ({
        ...memory(of),
        counts(keys) {
          asked += 1
          const count: ItemCount = { packets: 5_000 + asked * 400, bytes: 500_000 + asked * 40_000 }
          return Promise.resolve(new Map([...keys].map((key) => [key, key.startsWith('guard/') ? count : { packets: 7 }])))
        },
      }),
    })
    const { rest } = site.server
    const make = async (path: string, kind: string, name: string, more: object): Promise<Resource<'Pod'>> => {
      const apiVersion = kind === 'Pod' ? 'v1' : 'megrez.io/v1alpha1'
      const { metadata, ...own } = { metadata: {}, ...more }
      const answer = await rest.call('POST', `/v1/namespaces/shop/${path}`, { apiVersion, kind, metadata: { name, ...metadata }, ...own })
      assert.equal(answer.status, 201, answer.body.detail)
      return answer.body as unknown as Resource<'Pod'>
    }
    await make('vpcs', 'Vpc', 'blue', { spec: {} })
    await make('subnets', 'Subnet', 'front', { spec: { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' } } })
    const pod = await make('pods', 'Pod', 'web', {
      metadata: { annotations: { 'megrez.io/vpc': 'blue', 'megrez.io/nics': '[{"subnet":"front"}]' } },
      spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'example.org/web' }] },
    })
    assert.equal((await node.cni('ADD', { pod })).code, 0)
    const { items = [] } = (await rest.call('GET', '/v1/namespaces/shop/ports')).body
    port = items[0]!.metadata.name
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await node?.close()
    await store?.close()
    await site?.close()
  })

  test('each table is drawn with what goes through its flows by second, and the next answer moves it', async () => {
    await openView(tab.page, site, address())
    const moving = tab.page.locator('[data-table="guard"] [data-moving="true"] [data-rate]')
    await moving.first().waitFor()
    const text = (await moving.first().textContent()) ?? ''
    assert.match(text, /^ [\d.]+ packets\/s, [\d.]+ k?B\/s$/)
    const rate = Number(await moving.first().getAttribute('data-rate'))
    assert.ok(rate > 50 && rate <= 400, `${rate}: 400 more at each question, which come two seconds apart and more`)
    await picture(tab, 'flows-1280-light')
    const before = await tab.page.locator('[data-table="guard"] .counted').first().textContent()
    await until(
      async () => (await tab.page.locator('[data-table="guard"] .counted').first().textContent()) !== before,
      'it is asked again by itself',
    )
  })

  test('says what they come from, each a link to its object, and the object leads back', async () => {
    await openView(tab.page, site, address())
    const links = tab.page.locator('[data-origin] a')
    await tab.page.locator('[data-origin]').getByText('blue').waitFor()
    assert.deepEqual(await links.allTextContents(), ['web', 'front', 'blue'])
    await tab.page.locator('[data-flows-of] h2 a').first().click()
    await tab.page.locator('[data-one="Port"]').waitFor()
    await tab.page.locator('[data-to-node]').click()
    await tab.page.locator(`[data-flows-of="shop/${port}"] [data-table]`).first().waitFor()
  })

  test('a filter is part of the address, and says how many of how many it leaves', async () => {
    await openView(tab.page, site, address())
    await tab.page.locator('[data-table="guard"]').waitFor()
    const all = Number(await tab.page.locator('[data-flows]').getAttribute('data-flows'))
    await tab.page.locator('[data-flow-filter]').fill('guard')
    await tab.page.getByText(new RegExp(`: \\d+ of ${all}$`)).waitFor()
    assert.deepEqual(await tab.page.locator('[data-table]').evaluateAll((all) => all.map((each) => each.getAttribute('data-table'))), [
      'guard',
    ])
    assert.match(tab.page.url(), /filter=guard/)
  })

  test('the node is left in peace while nobody looks, and no question stays behind', async () => {
    await openView(tab.page, site, address())
    await tab.page.locator('[data-asking="asking"]').waitFor()
    const hide = (hidden: boolean): Promise<void> =>
      tab.page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
        void document.dispatchEvent(new Event('visibilitychange'))`)
    await tab.page.locator('[data-table="guard"]').waitFor()
    await hide(true)
    await tab.page.locator('[data-asking="hidden"]').waitFor()
    const still = asked
    await until(
      async () => ((await site.server.rest.call('GET', '/v1/namespaces/shop/inquiries')).body.items ?? []).length === 0,
      'its questions are taken away',
    )
    assert.equal(await tab.page.locator('[data-asking]').getAttribute('data-asking'), 'hidden')
    assert.equal(asked, still)
    await hide(false)
    await until(() => asked > still, 'it is asked again')
  })

  test('somebody who may only read is shown no flows, and asks nothing', async () => {
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:shop'))
    await other.page.goto(`${site.line.url}/?${address('&namespace=shop')}`)
    await other.page.locator('tbody tr').first().waitFor()
    assert.equal(await other.page.locator('[data-flows-of], [data-ask]').count(), 0)
    assert.deepEqual(other.wrong, [])
    await other.close()
  })

  test('on a phone, dark: nothing serious for axe, nothing wider than the screen', async () => {
    const other = await openTab(browser, site, { width: 390, height: 844, dark: true })
    await signIn(other, site)
    await openView(other.page, site, address())
    await other.page.locator('[data-table="guard"]').waitFor()
    await picture(other, 'flows-390-dark')
    assert.ok((await other.page.evaluate<number>('document.documentElement.scrollWidth')) <= 390)
    await other.close()
  })

  test('breaks no rule of the policy', () => assert.deepEqual(tab.wrong, []))

  test('the view Policy says what the rules of a Port have done, as its node counts it', async () => {
    const body = {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'UnifiedNetworkPolicy',
      metadata: { name: 'closed' },
      spec: { podSelector: {}, defaults: { ingress: 'deny' } },
    }
    assert.equal((await site.server.rest.call('POST', '/v1/namespaces/shop/unifiednetworkpolicies', body)).status, 201)
    await openView(tab.page, site, 'view=policy&vpc=shop%2Fblue')
    await tab.page.locator('[data-verdict=denied]').first().click()
    const hits = tab.page.locator('[data-rule-hits]').last()
    await until(async () => [...node.memory.things.keys()].some((key) => key.startsWith('rules/')), 'its node has the rules')
    await hits.getByRole('button').click()
    await hits.getByText('7 packets, last never').waitFor()
    assert.match((await hits.textContent()) ?? '', /UnifiedNetworkPolicy shop\/closed/)
  })
})
