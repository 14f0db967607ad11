// The buttons of a Subscription, with a receiver that listens and verifies.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { listener, type Notice } from '../../receiver/index.ts'
import { until } from '../setup/until.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { openView } from './people.ts'

describe('what is done to a Subscription', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  let server: Server
  let refusing: Server
  let sink: string
  /** What the receiver verifies by. */
  let secrets: string[]
  const taken: Notice[] = []
  const card = () => tab.page.locator('[data-subscription="inventory"]')
  const toldOf = (name: string): readonly Notice[] =>
    taken.filter(({ body }) => (body as { readonly metadata?: { readonly name?: string } }).metadata?.name === name)

  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    const { rest } = site.server
    ;({ secrets } = (await rest.call('GET', '/v1/namespaces/shop/signing-secret')).body as unknown as { readonly secrets: string[] })
    server = createServer(listener({ secrets, take: (notice) => void taken.push(notice) })).listen(0, '127.0.0.1')
    await once(server, 'listening')
    sink = `http://127.0.0.1:${(server.address() as AddressInfo).port}/megrez`
    const make = async (plural: string, kind: string, name: string, spec: object): Promise<void> => {
      const body = { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec }
      assert.equal((await rest.call('POST', `/v1/namespaces/shop/${plural}`, body)).status, 201)
    }
    await make('subscriptions', 'Subscription', 'inventory', { sink, keepSeconds: 600, filter: { kinds: ['Vpc'] } })
    refusing = createServer((_, response) => void response.writeHead(422).end()).listen(0, '127.0.0.1')
    const gone = createServer().listen(0, '127.0.0.1')
    await Promise.all([once(refusing, 'listening'), once(gone, 'listening')])
    const addressOf = (of: Server): string => `http://127.0.0.1:${(of.address() as AddressInfo).port}/`
    await make('subscriptions', 'Subscription', 'refuses', { sink: addressOf(refusing), filter: { kinds: ['Subnet'] } })
    await make('subscriptions', 'Subscription', 'silent', { sink: addressOf(gone), filter: { kinds: ['Subnet'] } })
    gone.close()
    await make('vpcs', 'Vpc', 'blue', {})
    for (const n of [1, 2]) await make('subnets', 'Subnet', `s${n}`, { vpc: 'blue', ipv4: { cidr: `10.9.${n}.0/24` } })
    await until(() => toldOf('blue').length > 0, 'the receiver has the Vpc')
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
    server?.close()
    refusing?.close()
  })

  test('a test: says what goes to whom, claims no dry run, sends nothing before one says so, and then one sample', async () => {
    await openView(tab.page, site, 'view=callbacks')
    const before = taken.length
    await card().locator('[data-act="test"]').click()
    const dialog = tab.page.getByRole('dialog', { name: 'Send a test: inventory' })
    assert.match((await dialog.textContent()) ?? '', new RegExp(`One signed sample.*${sink}`))
    assert.match((await dialog.textContent()) ?? '', /The server has no dry run of this/)
    await tab.page.getByRole('button', { name: 'Leave it' }).click()
    assert.equal(taken.length, before)
    await card().locator('[data-act="test"]').click()
    await tab.page.locator('[data-do]').click()
    await until(() => taken.length > before, 'the receiver has verified the sample')
    assert.deepEqual(
      taken.slice(before).map(({ sequence }) => sequence),
      [0],
    )
    await tab.page.locator('[data-subscription="inventory"]').getByText('accepted').waitFor()
  })

  test('tell again: counts what is kept before one says so, and sends it under the ids that it had', async () => {
    await openView(tab.page, site, 'view=callbacks')
    const before = toldOf('blue')
    await card().locator('[data-act="replay"]').click()
    const kept = tab.page.locator('[data-kept]')
    await kept.waitFor()
    assert.equal(Number(await kept.getAttribute('data-kept')), new Set(before.map(({ id }) => id)).size)
    assert.ok(((await kept.textContent()) ?? '').includes(sink))
    assert.equal(toldOf('blue').length, before.length, 'nothing is sent by asking')
    await tab.page.locator('[data-do]').click()
    await until(() => toldOf('blue').length === 2 * before.length, 'all of it has come once more')
    assert.deepEqual(new Set(toldOf('blue').map(({ id }) => id)), new Set(before.map(({ id }) => id)))
  })

  test('tell again is not offered where nothing is kept, as the server would refuse it', async () => {
    const body = {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'forgets' },
      spec: { sink, filter: { kinds: ['Port'] } },
    }
    assert.equal((await site.server.rest.call('POST', '/v1/namespaces/shop/subscriptions', body)).status, 201)
    const card = tab.page.locator('[data-subscription="forgets"]')
    await card.locator('[data-act="test"]').waitFor()
    assert.equal(await card.locator('[data-act="replay"]').count(), 0)
    assert.equal((await site.server.rest.call('POST', '/v1/namespaces/shop/subscriptions/forgets/replay', {})).status, 422)
  })

  test('another secret: says until when the one before signs too, shows the new one once, and a receiver takes notices by either', async () => {
    await openView(tab.page, site, 'view=callbacks')
    await card().locator('[data-act="rotate"]').click()
    await tab.page.getByText('The server would do it.').waitFor()
    const usual = Date.parse((await tab.page.locator('[data-until]').getAttribute('data-until')) ?? '')
    await tab.page.locator('[data-overlap]').selectOption('3600')
    await until(
      async () =>
        Math.abs(usual - 82_800_000 - Date.parse((await tab.page.locator('[data-until]').getAttribute('data-until')) ?? '')) < 60_000,
      'an hour in place of a day',
    )
    await tab.page.locator('[data-do]:enabled').click()
    const dialog = tab.page.getByRole('dialog', { name: 'The new secret' })
    const secret = (await dialog.locator('[data-secret]').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have it' }).click()
    assert.equal(await tab.page.getByText(secret).count(), 0)
    for (const each of [secrets[0]!, secret]) {
      secrets.splice(0, 1, each)
      const before = taken.length
      await card().locator('[data-act="test"]').click()
      await tab.page.locator('[data-do]:enabled').click()
      await until(() => taken.length > before, 'a receiver that has it has verified the sample')
    }
  })

  test('a sink that does not answer: its circuit is open, and what waits for it is counted; what another refuses is named', async () => {
    await openView(tab.page, site, 'view=callbacks')
    const silent = tab.page.locator('[data-subscription="silent"]')
    await silent.locator('[data-fact="Circuit"][data-state="open"]').waitFor()
    const waiting = (await silent.locator('[data-fact="Waiting"]').textContent()) ?? ''
    assert.match(waiting, /\d+ notices of 2 objects, until the sink answers; the oldest/)
    const named = tab.page.locator('[data-subscription="refuses"] [data-parked="2"]')
    await named.waitFor({ timeout: 60_000 })
    await named.locator('summary').click()
    assert.deepEqual((await named.locator('a').allTextContents()).toSorted(), ['s1', 's2'])
  })

  test('whoever may not see notices is not told that none waits', async () => {
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:shop'))
    await other.page.goto(`${site.line.url}/?view=callbacks&namespace=shop`)
    await other.page.locator('[data-subscription="silent"] [data-fact="Circuit"]').waitFor()
    assert.equal(await other.page.locator('[data-fact="Waiting"]').count(), 0)
    assert.ok(!((await other.page.locator('main').textContent()) ?? '').includes('No notice is kept'))
    assert.deepEqual(other.wrong, [])
    await other.close()
  })

  test('breaks no rule of the policy', () => assert.deepEqual(tab.wrong, []))
})
