import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
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
    const links = tab.page.locator('[data-links]').nth(1).getByText('Port', { exact: true })
    await until(async () => (await links.count()) === 2, 'its Ports are named')
    await tab.page.getByText('YAML', { exact: true }).click()
    assert.match((await tab.page.locator('[data-yaml]').textContent()) ?? '', /^apiVersion: v1\nkind: Pod\n/)
  })

  test('Objects: its way is drawn as the server explains it, each step with its reason; what is to come is dotted', async () => {
    interface StepList {
      readonly steps: readonly { readonly step: string; readonly state: string; readonly because: string }[]
    }
    const { rest } = site.server
    const make = async (plural: string, kind: string, name: string, spec: object): Promise<void> => {
      const body = { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec }
      assert.equal((await rest.call('POST', `/v1/namespaces/shop/${plural}`, body)).status, 201)
    }
    // One address, which the first has: the other does not come to be ready.
    await make('subnets', 'Subnet', 'tight', {
      vpc: 'blue',
      ipv4: { cidr: '10.7.0.0/24', pools: [{ first: '10.7.0.9', last: '10.7.0.9' }] },
    })
    await make('ports', 'Port', 'first', { subnet: 'tight' })
    await until(
      async () => (await rest.call('GET', '/v1/namespaces/shop/ports/first')).body.status?.phase === 'ready',
      'the first has the address',
    )
    await make('ports', 'Port', 'early', { subnet: 'tight' })
    await until(async () => (await rest.call('GET', '/v1/namespaces/shop/ports/early')).body['status'] !== undefined, 'it is reconciled')
    const states = new Set<string>()
    for (const [kind, plural, name] of [
      ['Pod', 'pods', 'web-0'],
      ['Port', 'ports', 'early'],
    ] as const) {
      const { body } = await rest.call('GET', `/v1/explain/${plural}/shop/${name}`)
      const { nics = [], ...own } = body as unknown as StepList & { readonly nics?: readonly StepList[] }
      await openView(tab.page, site, `view=objects&kind=${kind}&of=shop&name=${name}`)
      await tab.page.locator('[data-explained] .way li').first().waitFor()
      const drawn: readonly (readonly [string, string, string])[] = await tab.page.evaluate(
        `[...document.querySelectorAll('[data-explained] .way li')].map((e) => [e.textContent, e.dataset.state, getComputedStyle(e).borderTopStyle])`,
      )
      for (const [i, { step, state, because }] of [own, ...nics].flatMap(({ steps }) => steps).entries()) {
        const [text = '', ...looks] = drawn[i] ?? []
        assert.ok(text.startsWith(step) && text.includes(because), `${text} says ${step}: ${because}`)
        assert.deepEqual(looks, [state, state === 'next' ? 'dotted' : 'solid'])
        states.add(state)
      }
    }
    assert.ok(states.has('done') && states.has('next'), [...states].join())
  })

  test('Objects: who uses it is what the server finds, of kinds that the page has not read too', async () => {
    const { body } = await site.server.rest.call('GET', '/v1/uses/nodes/worker-1')
    const { usedBy } = body as unknown as { readonly usedBy: readonly { readonly kind: string; readonly name: string }[] }
    assert.ok(usedBy.some(({ kind }) => kind === 'Fabric'))
    await openView(tab.page, site, 'view=objects&kind=Node&name=worker-1')
    const row = tab.page.locator('[data-links]').nth(1)
    await row.getByText('rack-1').waitFor()
    assert.equal(await row.locator('li').count(), Math.min(usedBy.length, 13))
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
    const { items = [] } =
      (await tab.page.locator('[data-taken-since]').waitFor(), (await site.server.rest.call('GET', '/v1/namespaces/shop/iplocks')).body)
    const { metadata } = (await site.server.rest.call('GET', '/v1/namespaces/shop/subnets/front')).body as {
      readonly metadata: { readonly creationTimestamp?: string }
    }
    const past = tab.page.locator('[data-taken-since]')
    assert.equal(await past.getAttribute('data-taken-since'), metadata.creationTimestamp)
    const locks = items as unknown as readonly { readonly spec: { readonly subnet?: string } }[]
    const taken = locks.filter(({ spec }) => spec.subnet === 'front').length
    assert.equal(Number(await past.getAttribute('data-points')), taken + 2, 'each lock that is there, the beginning, and now')
  })

  test('Fabric: switches and their drift, and a dry run that is asked for', async () => {
    await openView(tab.page, site, 'view=fabric')
    await tab.page.locator('[data-fabric="rack-1"] tbody tr').first().waitFor()
    assert.equal(await tab.page.locator('[data-fabric="rack-1"] table').first().locator('tbody tr').count(), 2)
    assert.match((await tab.page.locator('[data-vrf="blue"]').textContent()) ?? '', /^blueleaf-2 Ethernet49campusshop/)
    await tab.page.getByRole('button', { name: /Only look/ }).click()
    await tab.page.getByText('The server would do it.').waitFor()
    await tab.page.locator('[data-do]').click()
    await tab.page.getByText('dry run', { exact: true }).waitFor()
  })

  test('Node: lists what is on it, and tells of a node that nobody answers for', async () => {
    await openView(tab.page, site, 'view=node&node=worker-1')
    await tab.page.locator('tbody tr').first().waitFor()
    assert.equal(await tab.page.locator('tbody tr').count(), 3)
    await tab.page.locator('[data-ask]').first().click()
    await tab.page.getByText('Asking the node').waitFor()
    assert.match(tab.page.url(), /port=shop/)
  })

  test('Callbacks: who is told and how that goes; it is paused after a question', async () => {
    await openView(tab.page, site, 'view=callbacks')
    await tab.page.locator('[data-subscription="inventory"]').getByText('ECONNREFUSED').waitFor()
    await tab.page.locator('[data-act="pause"]').click()
    await tab.page.getByText('The server would do it.').waitFor()
    await tab.page.locator('[data-do]').click()
    await tab.page.getByText('paused', { exact: true }).waitFor()
  })

  test('Clouds: what stands at each, what it has refused in its own words, what is made ahead, and what an audit found', async () => {
    const { rest } = site.server
    const make = async (path: string, kind: string, name: string, spec: object): Promise<void> => {
      const { status, body } = await rest.call('POST', path, { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec })
      assert.equal(status, 201, body.detail)
    }
    const phaseOf = async (path: string): Promise<string | undefined> => (await rest.call('GET', path)).body.status?.phase
    const shop = '/v1/namespaces/shop'
    await make('/v1/clouds', 'Cloud', 'far', { provider: 'memory', endpoint: 'far?ports=9', warmPools: { max: 4 } })
    await make(`${shop}/vpcs`, 'Vpc', 'at-far', { provider: 'memory', cloud: 'far' })
    await make(`${shop}/subnets`, 'Subnet', 'at-far', { vpc: 'at-far', ipv4: { cidr: '10.9.0.0/24' } })
    await until(async () => (await phaseOf(`${shop}/subnets/at-far`)) === 'ready', 'the Subnet is there')
    for (const [name, phase] of [
      ['far-first', 'ready'],
      ['far-second', 'error'],
    ] as const) {
      await make(`${shop}/ports`, 'Port', name, { subnet: 'at-far', ips: ['10.9.0.9'] })
      await until(async () => (await phaseOf(`${shop}/ports/${name}`)) === phase, `${name} is ${phase}`)
    }
    await make('/v1/audits', 'Audit', 'of-far', { cloud: 'far' })
    await until(async () => (await phaseOf('/v1/audits/of-far')) === 'ready', 'the Audit is over')

    await openView(tab.page, site, 'view=clouds')
    const card = tab.page.locator('[data-cloud=far]')
    await card.locator('[data-refused]').waitFor()
    assert.match(
      (await card.locator('[data-refused]').textContent()) ?? '',
      /Port shop\/far-second.*IP address 10\.9\.0\.9 already allocated/,
    )
    // Ready, pending, error, terminating.
    assert.deepEqual(await card.locator('[data-there=Port] td').allTextContents(), ['1', '0', '1', '0'])
    assert.match((await card.locator('[data-pools]').textContent()) ?? '', /at most 4 a pool/)
    assert.match((await card.locator('h3').allTextContents()).join(), /Audit of-far.*nothing is amiss/)
    assert.match((await card.locator('[data-quota]').textContent()) ?? '', /^Of 9 ports that its project may have there are \d\.$/)
    await tab.page.locator('[data-answers=far]').waitFor()
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
