// Ten thousand changes a second from a live server, for ten seconds.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, CDPSession } from 'playwright-core'
import { until } from '../setup/until.ts'
import { guiSkip, openBrowser, openTab, signIn } from './browser.ts'
import { Flood } from './flood.ts'
import { openLiveServer, type LiveServer } from './live-server.ts'
import { openView } from './people.ts'

/** After all garbage is collected, in bytes. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

describe('a flood of changes', { skip: guiSkip }, () => {
  const flood = new Flood({ perSecond: 10_000, seconds: 10 })
  let browser: Browser
  let server: LiveServer
  before(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), openLiveServer({ serve: flood.over })])
  })
  after(async () => {
    await browser?.close()
    await server?.close()
  })

  test('leaves the page in motion, answers the keyboard, costs no memory, and ends with what is so', async () => {
    const tab = await openTab(browser, server)
    const { page } = tab
    await signIn(tab, server)
    await openView(page, server, 'view=objects&kind=Port')
    const session = await tab.context.newCDPSession(page)
    const heapBefore = await heapOf(session)
    await page.evaluate(`{
      globalThis.pictures = { count: 0, longestMs: 0 }
      let last = performance.now()
      const one = (now) => {
        pictures.count++
        pictures.longestMs = Math.max(pictures.longestMs, now - last)
        last = now
        requestAnimationFrame(one)
      }
      requestAnimationFrame(one)
    }`)
    flood.begin()
    let keys = 0
    while (!flood.isOver) {
      await page.keyboard.press('t')
      await page.locator(`html[data-theme="${keys++ % 2 === 0 ? 'dark' : 'light'}"]`).waitFor()
    }
    const first = page.locator('tbody tr').first()
    await until(async () => (await first.textContent())?.includes(flood.lastAddress) === true, 'it shows what is so')
    const pictures: { readonly count: number; readonly longestMs: number } = await page.evaluate('pictures')
    const grownMiB = ((await heapOf(session)) - heapBefore) / 2 ** 20
    // 28 pictures a second and 350 ms at most on two idle cores; here, what a person would call stuck.
    assert.ok(pictures.count > 50 && pictures.longestMs < 2_000, JSON.stringify(pictures))
    assert.ok(keys > 3, `${keys} keys were answered`)
    assert.ok(grownMiB < 16, `${grownMiB} MiB more`)
    assert.deepEqual(tab.wrong, [])
  })
})
