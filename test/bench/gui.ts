// The page in a real browser, on a whole server: 200 nodes with 5,000 pods of one NIC each. The floor of a picture is Cytoscape alone,
// in the same browser, with the same elements at the same places.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { buildPage } from '../../lab/programs/page.ts'
import { openBrowser, openSite, openTab, signIn, type Site } from '../gui/browser.ts'
import { until } from '../setup/until.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { inFlight, interleaved, show } from './lib/rounds.ts'

export const description = 'the page: first picture, a frame while it moves, heap while Ports change, and what is loaded'

const [nodes, pods, connections, rounds, frames] = [200, 5_000, 16, 5, 60]
/** How long changes go on for, and how many a second: MEGREZ_BENCH_GUI_SECONDS=600 is the whole. */
const seconds = Number(process.env['MEGREZ_BENCH_GUI_SECONDS'] ?? 30)
const perSecond = 100
const dist = join(import.meta.dirname, '../../gui/dist')

async function fill({ server: { rest } }: Site): Promise<void> {
  const post = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await rest.call('POST', path, body)
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${answer.detail ?? ''}`)
  }
  const apiVersion = 'megrez.io/v1alpha1'
  await post('/v1/namespaces/bench/vpcs', { apiVersion, kind: 'Vpc', metadata: { name: 'blue' }, spec: {} })
  await post('/v1/namespaces/bench/subnets', {
    apiVersion,
    kind: 'Subnet',
    metadata: { name: 'wide' },
    spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/16' } },
  })
  for (let n = 0; n < nodes; n++) await post('/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${n}` }, spec: {} })
  let made = 0
  await inFlight(connections, pods, () => {
    const n = made++
    const metadata = { name: `p-${n}`, annotations: { 'megrez.io/vpc': 'blue' } }
    const spec = { nodeName: `node-${n % nodes}`, containers: [{ name: 'p', image: 'example.org/p' }] }
    return post('/v1/namespaces/bench/pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec })
  })
}

const core = `document.querySelector('[data-canvas]')._cyreg.cy`

/** Until what is drawn stands on the canvas, in milliseconds. */
async function firstPicture(page: Page, site: Site): Promise<number> {
  await page.goto('about:blank')
  const began = performance.now()
  await page.goto(`${site.line.url}/?view=network`)
  await page.evaluate(
    `(async () => { while (!(document.querySelector('[data-canvas]')?._cyreg?.cy.elements().length > ${nodes})) await new Promise(requestAnimationFrame) })()`,
  )
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return performance.now() - began
}

/** Milliseconds for one frame while the picture is moved, on average of many. */
const frameOf = (page: Page, cy: string): Promise<number> =>
  page.evaluate(`(async () => {
    const cy = ${cy}
    const next = () => new Promise(requestAnimationFrame)
    await next()
    const began = performance.now()
    for (let i = 0; i < ${frames}; i++) { cy.panBy({ x: i % 2 === 0 ? 7 : -7, y: 3 }); await next() }
    return (performance.now() - began) / ${frames}
  })()`)

/** A page with nothing but Cytoscape. */
async function bare(page: Page, elements: unknown): Promise<void> {
  await page.setContent('<div id="c" style="position:absolute;inset:0"></div>')
  await page.addScriptTag({ content: readFileSync(createRequire(import.meta.url).resolve('cytoscape/dist/cytoscape.min.js'), 'utf8') })
  await page.evaluate(
    `window.cy = cytoscape({ container: document.getElementById('c'), elements: ${JSON.stringify(elements)}, layout: { name: 'preset', fit: true } })`,
  )
}

/** What the page shows of all, and of one node: of the network it holds a picture, and the server counts. @throws where one is missing */
async function mustCount(page: Page, when: string): Promise<void> {
  const shows = async (of: string, count: number): Promise<void> => {
    await page.locator('[data-filter=node]').selectOption(of)
    await until(
      async () => (await page.locator('[data-count]').textContent()) === `${count} Ports`,
      `${count} Ports of ${of || 'all'} ${when}`,
    )
  }
  await shows('node-7', pods / nodes)
  await shows('', pods)
}

/** The view that holds all of them, which a heap is to be compared with. @throws where one is missing */
async function holdAll(page: Page, site: Site): Promise<void> {
  await page.goto(`${site.line.url}/?view=objects&kind=Port`)
  await page.getByText(`300 of ${pods} are shown`).waitFor()
}

/** After a forced collection, in MiB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_048_576
}

async function change({ server: { rest } }: Site): Promise<void> {
  const began = performance.now()
  for (let n = 0; performance.now() - began < seconds * 1_000; n++) {
    const body = { metadata: { labels: { round: String(n) } } }
    const headers = { 'content-type': 'application/merge-patch+json', 'if-match': '*' }
    const { status, body: answer } = await rest.call('PATCH', `/v1/namespaces/bench/pods/p-${n % pods}`, body, headers)
    if (status !== 200) throw new Error(`PATCH: ${status} ${answer.detail ?? ''}`)
    await new Promise((done) => setTimeout(done, Math.max(0, (n * 1_000) / perSecond - (performance.now() - began))))
  }
}

const bundleKib = (): number =>
  globSync('{index.html,assets/*}', { cwd: dist }).reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0) / 1_024

export default async function gui(): Promise<readonly Metric[]> {
  await buildPage()
  const [browser, site] = await Promise.all([openBrowser(), openSite()])
  try {
    await fill(site)
    const tab = await openTab(browser, site)
    await signIn(tab, site)
    await tab.page.locator('[data-count]').waitFor()
    await until(async () => (await tab.page.locator('[data-count]').textContent()) === `${pods} Ports`, 'all Ports are made')
    const pictures: number[] = []
    for (let i = 0; i < rounds; i++) pictures.push(await firstPicture(tab.page, site))
    const floor = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    await bare(floor, await tab.page.evaluate(`${core}.elements().jsons()`))
    const drawn: number = await tab.page.evaluate(`${core}.elements().length`)
    console.log(`${drawn} elements are drawn`)
    const figures = await interleaved(rounds, { ours: () => frameOf(tab.page, core), bare: () => frameOf(floor, 'window.cy') })
    show('ms a frame', figures)
    const before = await heapOf(tab.page)
    await mustCount(tab.page, 'before')
    await change(site)
    const after = await heapOf(tab.page)
    await mustCount(tab.page, 'after')
    await holdAll(tab.page, site)
    const holding = await heapOf(tab.page)
    console.log(
      `heap ${before.toFixed(1)} MiB before ${seconds} s of ${perSecond} changes a second, ${after.toFixed(1)} MiB after; ${holding.toFixed(1)} MiB with all Ports in a list`,
    )
    return [
      absolute('first-picture', 'ms', pictures.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0, { atMost: 2_000 }),
      againstFloor('frame', 'ms', { value: figures.ours.median, floor: figures.bare }, { atMost: 1.5 }),
      absolute('heap', 'MiB', Math.max(after, holding), { atMost: 250 }),
      absolute('bundle', 'KiB', bundleKib(), { atMost: 400 }),
    ]
  } finally {
    await browser.close()
    await site.close()
  }
}
