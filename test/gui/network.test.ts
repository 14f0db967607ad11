import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, tokenFor, type Site, type Tab } from './browser.ts'
import { makeLively } from './lively.ts'
import { applyDemo, drawnOn, openView } from './people.ts'

describe('the view Network', { skip: guiSkip }, () => {
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

  test('says what Megrez is while nothing is there, and draws what comes', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor()
    await applyDemo(site, [1, 5])
    await until(async () => (await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod5/nginx'), 'the pod is drawn')
    await until(async () => (await drawnOn(tab.page)).some(({ label }) => label === '192.168.0.12'), 'its address stands at the link')
  })

  test('says in the tree what stands on the canvas', async () => {
    await openView(tab.page, site, 'view=network')
    await until(async () => (await drawnOn(tab.page)).length > 0, 'it is drawn')
    const drawn = (await drawnOn(tab.page)).map(({ id }) => id)
    const rows: readonly string[] = await tab.page.evaluate(`[...document.querySelectorAll('[role=treeitem]')].map((e) => e.dataset.id)`)
    assert.deepEqual([...rows].sort(), [...drawn].sort())
  })

  test('closes a group into one box with a number, by the keyboard', async () => {
    await openView(tab.page, site, 'view=network')
    await tab.page.getByRole('treeitem').first().focus()
    await tab.page.keyboard.press('ArrowLeft')
    await until(async () => (await drawnOn(tab.page)).some(({ label }) => /\n3 Ports$/.test(label)), 'it is one box')
    assert.ok(!(await drawnOn(tab.page)).some(({ id }) => id.startsWith('pod/')))
    assert.match(tab.page.url(), /open=none/)
  })

  test('shows by a link what another saw: a Vpc alone, with one pod that is followed', async () => {
    await openView(tab.page, site, 'view=network&by=vpc&vpc=pod5%2Fvpc-1a2b3c4d&chosen=pod%2Fpod5%2Fnginx&follow=1')
    await until(async () => (await drawnOn(tab.page)).length > 0, 'it is drawn')
    const drawn = await drawnOn(tab.page)
    assert.ok(drawn.every(({ id }) => id.includes('pod5/')))
    await tab.page.getByRole('link', { name: 'Look closer' }).click()
    await tab.page.locator('[data-one="Pod"]').waitFor()
  })

  test('shows one of a namespace what is in it, and nothing of another', async () => {
    const other = await openTab(browser, site)
    await signIn(other, site, await tokenFor(site, 'viewer:pod5'))
    await until(async () => (await drawnOn(other.page)).some(({ id }) => id === 'pod/pod5/nginx'), 'his own pod is drawn')
    assert.doesNotMatch(await other.page.locator('main').innerText(), /pod1/)
    assert.ok(!(await drawnOn(other.page)).some(({ id }) => id.includes('pod1')))
    await other.close()
  })

  test('takes away what is gone', async () => {
    await openView(tab.page, site, 'view=network')
    await until(async () => (await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod1/nginx'), 'it is there')
    await site.server.rest.remove('/v1/namespaces/pod1/pods/nginx')
    await until(async () => !(await drawnOn(tab.page)).some(({ id }) => id === 'pod/pod1/nginx'), 'it is gone')
  })

  test('draws tunnels, switches with the ports that nodes are plugged into, and VLANs, and leaves each out by a button', async () => {
    await makeLively(site)
    await openView(tab.page, site, 'view=network')
    await until(async () => (await drawnOn(tab.page)).some(({ label }) => label === 'VLAN 120\nshop/media'), 'a VLAN is drawn')
    const drawn = async (): Promise<readonly string[]> => (await drawnOn(tab.page)).map(({ id }) => id)
    const wire = 'node/worker-1 wired-to Switch/rack-1/leaf-1'
    assert.ok((await drawnOn(tab.page)).some(({ id, label }) => id.startsWith(wire) && label === 'eth1 · Ethernet1'))
    await until(async () => (await drawn()).includes('node/worker-1 tunnel Vpc/shop/blue'), 'a tunnel is drawn')
    await tab.page.getByRole('button', { name: 'Switches' }).click()
    await until(async () => !(await drawn()).some((id) => id.startsWith('switch/')), 'switches are left out')
    await tab.page.getByRole('button', { name: 'Tunnels' }).click()
    await until(async () => !(await drawn()).some((id) => id.includes(' tunnel ')), 'tunnels are left out')
    assert.match(tab.page.url(), /layers=ports/)
  })

  test('shows of a switch, which is no object, how it is and what it is joined to', async () => {
    await openView(tab.page, site, 'view=network&chosen=switch%2Frack-1%2Fleaf-1')
    await tab.page.locator('.inspector').getByText('reachable').waitFor()
    await tab.page.locator('.inspector').getByText('worker-1').first().waitFor()
  })

  test('follows a pod whose node is closed', async () => {
    await openView(tab.page, site, 'view=network&open=none&chosen=pod%2Fshop%2Fweb-0&follow=1')
    await until(async () => (await drawnOn(tab.page)).some(({ id }) => id === 'pod/shop/web-0'), 'it is drawn')
    assert.ok(!(await drawnOn(tab.page)).some(({ id }) => id === 'pod/shop/cart-0'))
  })

  test('draws of many nodes ranges, each opened by a press, and never more than there is room for', async () => {
    const names = Array.from({ length: 400 }, (_, n) => `many-${n}`)
    await Promise.all(
      names.map((name) => site.server.rest.call('POST', '/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} })),
    )
    await openView(tab.page, site, 'view=network')
    const range = tab.page.getByRole('treeitem', { name: /many-0 … many-3/ })
    await range.waitFor()
    assert.ok((await drawnOn(tab.page)).length <= 1_000)
    assert.equal(await tab.page.getByRole('treeitem', { name: /\bmany-2 0 Ports/ }).count(), 0)
    await range.focus()
    await tab.page.keyboard.press('ArrowRight')
    await tab.page.getByRole('treeitem', { name: /\bmany-2 0 Ports/ }).waitFor()
    assert.match(decodeURIComponent(tab.page.url()), /open=.*nodes\/many-0\.\.many-3/)
  })

  test('asks the server anew after changes, and however many there are a few times a second', async () => {
    await openView(tab.page, site, 'view=network')
    let asked = 0
    tab.page.on('request', (request) => void (asked += request.url().includes('/v1/topology/picture') ? 1 : 0))
    const began = performance.now()
    for (let n = 0; n < 150; n++)
      await site.server.rest.call(
        'PATCH',
        '/v1/namespaces/shop/pods/web-0',
        { metadata: { labels: { round: String(n) } } },
        { 'content-type': 'application/merge-patch+json', 'if-match': '*' },
      )
    await until(() => Promise.resolve(asked > 0), 'it has asked')
    assert.ok(asked <= 2 + (performance.now() - began) / 250, `${asked} questions`)
  })

  test('writes names as they are: no HTML runs, and no mark turns what stands beside it', async () => {
    const name = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(220)}end`
    const vertex = { id: `Node/${name}`, kind: 'Node', name, seen: true, ports: 0, open: false }
    const picture = { nodes: [vertex], edges: [], ports: 0, hidden: 0, offered: { nodes: [name], vpcs: [], vnis: [] } }
    await tab.page.route('**/v1/topology/picture*', (route) => route.fulfill({ json: picture }))
    await tab.page.goto(`${site.line.url}/?view=network`)
    await until(async () => (await drawnOn(tab.page)).length === 1, 'it is drawn')
    const [{ label = '' } = {}] = await drawnOn(tab.page)
    assert.ok(label.length < 40 && !label.includes('\u202e') && label.includes('end'), label)
    assert.equal(await tab.page.locator('main img').count(), 0)
    await tab.page.unroute('**/v1/topology/picture*')
  })

  test('breaks no rule of the policy', () => assert.deepEqual(tab.wrong, []))
})
