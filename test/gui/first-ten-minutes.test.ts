// docs/first-ten-minutes.md, step by step.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'
import { guiSkip, openBrowser, openSite, openTab, type Site, type Tab } from './browser.ts'
import { drawnOn } from './people.ts'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/first-ten-minutes.md'), 'utf8')
const commands = [...text.matchAll(/^```sh\n([^]*?)```$/gm)].map(([, command = '']) => command.trim())

describe('the first ten minutes', { skip: guiSkip }, () => {
  let browser: Browser
  let site: Site
  let tab: Tab
  before(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), openSite()])
    tab = await openTab(browser, site)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  test('1. the link that npm start prints opens a page that says that nothing is there', async () => {
    assert.equal(commands[0], 'npm start')
    await tab.page.goto(site.line.signInUrl)
    await tab.page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor()
    await tab.page.getByRole('button', { name: 'Play the demo' }).waitFor()
  })

  test('2. the command of the page makes a pod, and it appears with its addresses', async () => {
    const [, , , ...args] = (commands[1] ?? '').split(' ')
    const { code, stderr } = await run(
      process.execPath,
      [join(root, 'bootstrap.mjs'), 'cli/main.ts', ...args.slice(1), '--data', site.folder],
      {
        cwd: root,
      },
    )
    assert.equal(code, 0, stderr)
    await until(async () => (await drawnOn(tab.page)).some(({ label }) => label === '192.168.0.12'), 'the link with its address is drawn')
  })

  test('3. the pod is chosen in the list, looked at closer, and says how it came to be so', async () => {
    await tab.page.getByRole('treeitem', { name: /nginx/ }).first().click()
    await tab.page.getByRole('link', { name: 'Look closer' }).click()
    await tab.page.getByRole('heading', { name: 'How it came to be so' }).waitFor()
    await tab.page.getByText('kubelet: 2 min').waitFor()
    await tab.page.getByRole('link', { name: 'made-before' }).click()
    await tab.page.locator('[data-one="Port"]').getByText('Conditions').waitFor()
  })

  test('4. a search finds it by its address; letters go to views', async () => {
    await tab.page.keyboard.press('/')
    await tab.page.keyboard.type('192.168.0.12')
    await tab.page.getByRole('option').first().waitFor()
    await tab.page.keyboard.press('Enter')
    await tab.page.locator('[data-one="Port"]').getByText('nginx').first().waitFor()
    for (const [, letter = '', title = ''] of text.matchAll(
      /`(\w)`\s(Network|Objects|Addresses|Routing|Services|Fabric|Clouds|Node|Policy|Callbacks|Health)/g,
    )) {
      await tab.page.keyboard.press('g')
      await tab.page.keyboard.press(letter)
      await tab.page.locator(`main[aria-label="${title}"]`).waitFor()
    }
  })

  test('5. a Vpc that is used is not deleted, and the answer says so', async () => {
    await tab.page.goto(`${site.line.url}/?view=objects&kind=Vpc&of=demo&name=vpc-1a2b3c4d`)
    await tab.page.getByRole('button', { name: 'Delete …' }).click()
    await tab.page.getByText('Used by Subnet subnet-1').waitFor()
  })
})
