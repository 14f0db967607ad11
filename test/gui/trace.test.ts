// A packet that is traced on the picture of the network.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
import { shots, violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { makeLively } from './lively.ts'
import { drawnOn, openView } from './people.ts'

describe('a packet that is traced on the picture', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    await makeLively(site)
    await mkdir(shots, { recursive: true })
    tab = await openTab(browser, site)
    await signIn(tab, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  const panel = (of = tab) => of.page.getByRole('complementary', { name: 'Trace' })
  const comesTo = (state: string, of = tab) => of.page.locator(`[data-trace=${state}]`).waitFor()
  /** What the canvas has of the way: by id what the packet does there. */
  const wayOn = async (of = tab): Promise<ReadonlyMap<string, string>> =>
    new Map((await drawnOn(of.page)).flatMap(({ id, way }) => (way === undefined ? [] : [[id, way] as const])))
  const link = 'view=network&from=pod%2Fshop%2Fweb-0&to=pod%2Fshop%2Fcart-1&port=6379'
  const portOf = async (pod: string): Promise<string> => {
    const { body } = await site.server.rest.call('GET', '/v1/namespaces/shop/ports')
    return body.items?.find(({ metadata }) => metadata.name.startsWith(pod))?.metadata.name ?? ''
  }
  const change = async (path: string, spec: object): Promise<void> => {
    const { rest } = site.server
    const { etag } = await rest.call('GET', path)
    const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
    assert.equal((await rest.call('PATCH', path, { spec }, merge)).status, 200)
  }

  test('is asked for by the keyboard alone, and passes pod, Port, node, tunnel and next node in their order', async () => {
    const { page } = tab
    await openView(page, site, 'view=network')
    await page.locator('[data-id="pod/shop/web-0"]').focus()
    await page.keyboard.press('Enter')
    const begin = page.getByRole('button', { name: 'Trace from here' })
    await begin.focus()
    await page.keyboard.press('Enter')
    await panel().getByText('Name both ends').waitFor()
    await until(() => page.evaluate<boolean>(`document.activeElement?.labels?.[0]?.innerText === 'To'`), 'the empty end has the focus')
    await page.keyboard.type('pod/shop/cart-1')
    await panel().getByLabel('Port', { exact: true }).fill('6379')
    await page.keyboard.press('Enter')
    await comesTo('allowed')
    await until(async () => (await wayOn()).size > 8, 'it is drawn')
    const labels = (await drawnOn(page)).filter(({ way }) => way === 'passes').map(({ label }) => label.replaceAll('\n', ' '))
    for (const label of ['1 · shop/web-0', '7 · shop/cart-1', '3 · worker-1', '5 · worker-3', '4'])
      assert.ok(labels.includes(label), labels.join(', '))
    const way = await wayOn()
    for (const id of ['node/worker-1 tunnel Vpc/shop/blue', 'node/worker-3 tunnel Vpc/shop/blue', 'vpc/shop/blue'])
      assert.equal(way.get(id), 'passes', id)
    assert.deepEqual(await panel().locator('.way li bdi').allInnerTexts(), [
      'Pod shop/web-0',
      [...way.keys()].find((id) => id.startsWith('port/shop/web-0'))?.replace('port/', 'Port '),
      'Node worker-1',
      'the tunnel of VNI 4201',
      'Node worker-3',
      `Port shop/${await portOf('cart-1')}`,
      'Pod shop/cart-1',
    ])
    await panel().locator('.way li[data-at=Node]', { hasText: 'Tables: worker-1 has not told what carries its Ports' }).waitFor()
    assert.ok((await page.locator('[data-id="node/worker-3"]').innerText()).includes('way 5'), 'the list says it too')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('steps forth from what it does not pass, also where a layer is left out', async () => {
    await openView(tab.page, site, `${link}&layers=ports`)
    await until(async () => (await wayOn()).has('node/worker-3 tunnel Vpc/shop/blue'), 'its tunnel is drawn')
    const drawn = await drawnOn(tab.page)
    assert.ok(!drawn.some(({ id }) => id === 'node/worker-2 tunnel Vpc/shop/blue'), 'no other tunnel is')
    const far = (id: string): boolean | undefined => drawn.find((each) => each.id === id)?.far
    assert.deepEqual(['pod/shop/web-0', 'node/worker-3', 'pod/shop/web-2', 'node/worker-4'].map(far), [false, false, true, true])
  })

  test('dies on the node where a policy denies it: marked there, and said with tier, policy and rule, as soon as that is so', async () => {
    const { page } = tab
    await openView(page, site, link)
    await comesTo('allowed')
    const group = { apiVersion: 'megrez.io/v1alpha1', kind: 'SecurityGroup', metadata: { name: 'cart' }, spec: { rules: [] } }
    assert.equal((await site.server.rest.call('POST', '/v1/namespaces/shop/securitygroups', group)).status, 201)
    await change(`/v1/namespaces/shop/ports/${await portOf('cart-1')}`, { securityGroups: ['cart'] })
    await comesTo('denied')
    await panel().getByText('SecurityGroup cart denies, as no rule of it allows this').waitFor()
    await panel().getByText('it dies at Node worker-3.').waitFor()
    await panel().locator('.way li[data-fate=dies]', { hasText: '✕ dies here' }).waitFor()
    await until(async () => (await wayOn()).get('node/worker-3') === 'dies', 'it is marked')
    const way = await wayOn()
    assert.deepEqual([way.get('pod/shop/web-0'), way.get('pod/shop/cart-1')], ['passes', 'unreached'])
    const dead = (await drawnOn(page)).find(({ id }) => id === 'node/worker-3')
    assert.match(dead?.label ?? '', /^✕ 5 · worker-3/)
    await page.screenshot({ path: join(shots, 'trace-1280-light.png') })
    assert.deepEqual(await violationsOn(page), [])
    await change('/v1/namespaces/shop/securitygroups/cart', {
      rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 6379, l4PortMax: 6379 }],
    })
    await comesTo('allowed')
    await panel().getByText('by /spec/rules/0').waitFor()
  })

  test('stays while the picture changes, and so does what one types', async () => {
    const { page } = tab
    await panel().getByLabel('From', { exact: true }).fill('pod/shop/we')
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'late', annotations: {} as Record<string, string> }, spec: {} }
    pod.metadata.annotations = { 'megrez.io/vpc': 'blue', 'megrez.io/nics': JSON.stringify([{ subnet: 'front' }]) }
    pod.spec = { nodeName: 'worker-2', containers: [{ name: 'late', image: 'example.org/app' }] }
    assert.equal((await site.server.rest.call('POST', '/v1/namespaces/shop/pods', pod)).status, 201)
    await until(async () => (await drawnOn(page)).some(({ id }) => id === 'pod/shop/late'), 'the new pod is drawn')
    assert.equal((await wayOn()).get('pod/shop/cart-1'), 'passes')
    assert.equal(await panel().getByLabel('From', { exact: true }).inputValue(), 'pod/shop/we')
  })

  test('is shown to others by a link, though their picture is closed, dark, and of a phone', async () => {
    const other = await openTab(browser, site, { dark: true, width: 390, height: 844 })
    await signIn(other, site)
    await openView(other.page, site, `${link}&open=none`)
    await comesTo('allowed', other)
    await until(async () => (await wayOn(other)).get('pod/shop/cart-1') === 'passes', 'its ends are drawn')
    assert.ok(!(await drawnOn(other.page)).some(({ id }) => id === 'pod/shop/cart-0'))
    await other.page.screenshot({ path: join(shots, 'trace-390-dark.png') })
    assert.deepEqual(await violationsOn(other.page), [])
    assert.ok((await other.page.evaluate<number>('document.documentElement.scrollWidth')) <= 390)
    await other.close()
  })

  test('goes where an element is: each place of its way leads to it', async () => {
    await panel().getByRole('button', { name: 'Node worker-3' }).click()
    await tab.page.locator('.inspector h2', { hasText: 'worker-3' }).waitFor()
    assert.match(tab.page.url(), /chosen=node%2Fworker-3/)
    assert.equal((await wayOn()).get('pod/shop/web-0'), 'passes')
  })

  test('of one node has no tunnel, and is drawn by Vpc too; it may begin at a Port, which is a line', async () => {
    await openView(tab.page, site, `view=network&chosen=port%2Fshop%2F${await portOf('cart-0')}`)
    await tab.page.getByRole('button', { name: 'Trace from here' }).click()
    await panel().getByLabel('To', { exact: true }).fill('pod/shop/web-0')
    await panel().getByRole('button', { name: 'Trace it' }).click()
    await comesTo('allowed')
    assert.equal(await panel().locator('.way li[data-at=Tunnel]').count(), 0)
    await panel().getByText('policies judge who sends and who receives').waitFor()
    await tab.page.getByRole('link', { name: 'By Vpc' }).click()
    await until(async () => (await wayOn()).get('pod/shop/cart-0') === 'passes' && (await wayOn()).has('node/worker-1'), 'it is drawn')
  })

  test('that policies let pass dies at a Port on no node, which is a dot of its own', async () => {
    const { rest } = site.server
    const lone = { apiVersion: 'megrez.io/v1alpha1', kind: 'Port', metadata: { name: 'lone' }, spec: { subnet: 'back' } }
    assert.equal((await rest.call('POST', '/v1/namespaces/shop/ports', lone)).status, 201)
    await openView(tab.page, site, 'view=network&open=all&from=pod%2Fshop%2Fweb-0&to=port%2Fshop%2Flone&port=80')
    await comesTo('allowed')
    await panel().getByText('policies let it pass, and it dies at Port shop/lone.').waitFor()
    await panel().getByText('it is on no node').waitFor()
    await until(async () => (await wayOn()).get('dot/shop/lone') === 'dies', 'it is marked')
  })

  test('says in words why nothing can be traced: which end is wrong, is not there, has no address, or is not to be seen', async () => {
    const { page } = tab
    const ask = async (to: string, from = 'pod/shop/web-0'): Promise<string> => {
      await openView(page, site, `view=network&${String(new URLSearchParams({ from, to, port: '80' }))}`)
      await comesTo('refused')
      return panel().getByRole('alert').innerText()
    }
    assert.match(await ask('web-1'), /to must be pods\/NAMESPACE\/NAME, ports\/NAMESPACE\/NAME, or an address/)
    assert.match(await ask('pod/shop/none'), /It is not there[^]*Pod shop\/none/)
    assert.match(await ask('pod/billing/report'), /to is in no VNI or VLAN that from is in/)
    assert.match(await ask('2001:db8::7', 'pod/billing/report'), /address of its family/)
    assert.deepEqual(await violationsOn(page), [])
    assert.equal((await wayOn()).size, 0)
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:shop'))
    await openView(other.page, site, 'view=network&from=pod%2Fshop%2Fweb-0&to=pod%2Fbilling%2Freport&port=80')
    await panel(other).getByRole('alert').getByText('You may not see this').waitFor()
    await other.close()
  })

  test('is cleared by a button, which gives the focus to what begins the next', async () => {
    await openView(tab.page, site, link)
    await until(async () => (await wayOn()).size > 0, 'it is drawn')
    await panel().getByRole('button', { name: 'Clear' }).press('Enter')
    await panel().waitFor({ state: 'detached' })
    await until(async () => (await wayOn()).size === 0, 'nothing is marked')
    assert.doesNotMatch(tab.page.url(), /from=|to=|port=|trace=/)
    await tab.page.keyboard.press('Enter')
    await panel().getByText('Name both ends').waitFor()
  })

  test('breaks no rule of the policy', () => assert.deepEqual(tab.wrong, []))
})
