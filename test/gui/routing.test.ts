// Sessions of BGP as nodes tell of them, and an address that is followed to its next hop.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Resource } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { RestStore } from '../../platform/store/rest.ts'
import { until } from '../setup/until.ts'
import { shots, violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { openView } from './people.ts'

describe('Routing', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  const agents = new Map<string, RestStore>()

  const make = async (path: string, kind: string, name: string, spec: object): Promise<void> => {
    const { status, body } = await site.server.rest.call('POST', path, { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec })
    assert.equal(status, 201, body.detail)
  }
  /** As its agent would. */
  const tell = async (node: string, states: Readonly<Record<string, 'established' | 'active'>>): Promise<void> => {
    const store = agents.get(node)!
    const speaker = (await store.get({ kind: 'BGPSpeaker', name: node })) as Resource<'BGPSpeaker'>
    const sessions = speaker.spec.groups.flatMap(({ name: group, sessions: all }) =>
      all.map(({ name: session, address }) => {
        const state = states[session] ?? 'established'
        return {
          group,
          session,
          address,
          state,
          ...(state === 'established' ? { imported: 3, exported: 1 } : { lastError: 'Hold timer expired' }),
        }
      }),
    )
    const { uid } = speaker.metadata
    await store.patchStatus({ ref: { kind: 'BGPSpeaker', name: node }, uid }, { node: { sessions } })
  }

  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite(undefined, 0, { MEGREZ_AGENTS: 'true' })])
    for (const n of [1, 2]) {
      const store = new RestStore({ socket: join(site.folder, 'agents.sock'), node: `worker-${n}`, clock: realClock, random: Math.random })
      await store.register(`192.0.2.${n}`, 'addressed')
      agents.set(`worker-${n}`, store)
    }
    await make('/v1/bgpsessiongroups', 'BGPSessionGroup', 'edge', {
      as: 64512,
      peers: [{ name: 'gateway', address: '192.0.2.254', as: 65000 }],
      advertise: { subnets: [{ namespace: 'shop', name: 'front' }] },
      imports: [{ vpc: 'shop/blue' }],
    })
    await make('/v1/namespaces/shop/vpcs', 'Vpc', 'blue', { bgpSessionGroups: ['edge'] })
    await make('/v1/namespaces/shop/subnets', 'Subnet', 'front', { vpc: 'blue', mode: 'l3', ipv4: { cidr: '10.1.0.0/24' } })
    await make('/v1/namespaces/shop/ports', 'Port', 'web', { subnet: 'front', node: 'worker-2', ips: ['10.1.0.7'] })
    const announces = async (): Promise<boolean> => {
      const speaker = await agents.get('worker-2')!.get({ kind: 'BGPSpeaker', name: 'worker-2' })
      return speaker?.spec.groups[0]?.advertise.length === 1
    }
    await until(announces, 'worker-2 announces it')
    await tell('worker-1', { gateway: 'active' })
    await tell('worker-2', {})
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    for (const store of agents.values()) await store.close()
    await site?.close()
  })

  const line = (between: string) => tab.page.locator(`[data-line="${between}"]`)

  test('draws who speaks with whom, and how that stands; a table has those that are down first, with why', async () => {
    await openView(tab.page, site, 'view=routing')
    await line('worker-1 worker-2').waitFor({ state: 'attached' })
    const states = ['worker-1 worker-2', 'worker-1 192.0.2.254', 'worker-2 192.0.2.254'].map((of) => line(of).getAttribute('data-state'))
    assert.deepEqual(await Promise.all(states), ['established', 'active', 'established'])
    const [first] = await tab.page.locator('[data-row]').allTextContents()
    assert.match(first ?? '', /^worker-1gateway 192\.0\.2\.254active.*Hold timer expired$/)
    assert.match((await tab.page.locator('[data-announced="10.1.0.0/24"]').textContent()) ?? '', /addresses of itworker-2$/)
    assert.deepEqual(await violationsOn(tab.page), [])
  })

  test('changes as its nodes tell, without being loaded anew', async () => {
    await tell('worker-1', {})
    await until(async () => (await line('worker-1 192.0.2.254').getAttribute('data-state')) === 'established', 'the session is up')
  })

  test('follows an address to its next hop, which stands out; one that nobody has is on no node', async () => {
    await tab.page.getByLabel('Follow an address').fill('10.1.0.7')
    await tab.page.getByRole('button', { name: 'Follow it' }).click()
    const way = tab.page.locator('[data-way=host]')
    await way.waitFor()
    assert.match((await way.textContent()) ?? '', /^edge\d+10\.1\.0\.7\/32its node aloneworker-2 192\.0\.2\.2 1 of 1 sessions$/)
    await tab.page.locator('[data-end="worker-2"][data-marked=true]').waitFor()
    assert.equal(await tab.page.locator('[data-marked=true]').count(), 1)
    await mkdir(shots, { recursive: true })
    await tab.page.screenshot({ path: join(shots, 'routing.png'), fullPage: true })
    await openView(tab.page, site, 'view=routing&to=10.1.0.8')
    await tab.page.locator('[data-way=nobody]').waitFor()
    await openView(tab.page, site, 'view=routing&to=203.0.113.9')
    await tab.page.locator('[data-way=outside] [data-hop=gateway]').waitFor()
    await tab.page.locator('[data-end="192.0.2.254"][data-marked=true]').waitFor()
  })

  test('says what is no address, and shows nobody what he may not see', async () => {
    await openView(tab.page, site, 'view=routing&to=10.1.0.0%2F24')
    await tab.page.getByText('must be an address').waitFor()
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:shop'))
    await openView(other.page, site, 'view=routing')
    await other.page
      .getByText(/You may not see|There is no BGPSessionGroup|Reading/)
      .first()
      .waitFor()
    assert.equal(await other.page.locator('[data-line]').count(), 0)
    assert.deepEqual(tab.wrong, [])
    await other.close()
  })
})
