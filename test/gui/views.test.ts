// Every view as people see it: on a desk and on a phone, dark and light, each held to the rules of accessibility; the pictures are kept.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../setup/until.ts'
import { shots, violationsOn } from './axe.ts'
import { guiSkip, openBrowser, openSite, openTab, signIn, type Site, type Tab } from './browser.ts'
import { makeLively } from './lively.ts'
import { drawnOn, openView } from './people.ts'

/** What each shows once it is all there, and what is clicked for that. */
const shownViews: Readonly<Record<string, readonly [query: string, there: string, click?: string]>> = {
  network: ['view=network', '[role=treeitem]'],
  'network-chosen': ['view=network&chosen=pod%2Fshop%2Fweb-0', '.inspector h2'],
  'network-by-vpc': ['view=network&by=vpc', '[role=treeitem]'],
  objects: ['view=objects&kind=Port', 'tbody tr'],
  object: ['view=objects&kind=Pod&of=shop&name=web-0', '[data-one=Pod] .rows a'],
  addresses: ['view=addresses&subnet=shop%2Ffront', '[data-cells] [data-state=used]'],
  fabric: ['view=fabric', '[data-fabric] tbody tr'],
  node: ['view=node&node=worker-1', 'tbody tr'],
  policy: ['view=policy&vpc=shop%2Fblue', '[data-verdict]'],
  callbacks: ['view=callbacks', '[data-subscription]'],
  secret: ['view=callbacks', '[data-until]', '[data-act=rotate]'],
  health: ['view=health', '[data-figures]'],
}

describe('every view', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    await makeLively(site)
    await mkdir(shots, { recursive: true })
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  for (const [width, height, only] of [
    [1280, 800, ''],
    [390, 844, ''],
    [1920, 1080, 'network'],
  ] as const)
    for (const dark of [false, true])
      test(`at ${width} px, ${dark ? 'dark' : 'light'}: nothing serious for axe, nothing wider than the screen`, async () => {
        const tab: Tab = await openTab(browser, site, { width, height, dark })
        await signIn(tab, site)
        for (const [name, [query, there, click]] of Object.entries(shownViews)) {
          if (!name.startsWith(only)) continue
          await openView(tab.page, site, width < 900 && name.startsWith('network') ? `${query}` : query)
          if (click !== undefined) await tab.page.locator(click).first().click()
          await tab.page.locator(there).first().waitFor({ state: 'attached' })
          if (name.startsWith('network')) await until(async () => (await drawnOn(tab.page)).length > 0, 'it is drawn')
          // Two pictures, as a canvas draws in the second.
          await tab.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
          await tab.page.screenshot({ path: join(shots, `${name}-${width}-${dark ? 'dark' : 'light'}.png`) })
          assert.deepEqual(await violationsOn(tab.page), [], name)
          assert.ok((await tab.page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${name} is wider than the screen`)
        }
        assert.deepEqual(tab.wrong, [])
        await tab.close()
      })
})
