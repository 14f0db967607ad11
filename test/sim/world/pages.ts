// Those who look at pages, one of each tenant and one who sees all, and what waits for them on the servers.
import { hostile } from '../layout.ts'
import type { Site } from '../site.ts'
import { Backlogs } from './backlogs.ts'
import { Page, type Looker, type PageNews, type TopologyNode } from './page.ts'

export const lookers: readonly Looker[] = [
  { role: 'viewer:a', sees: 'a' },
  { role: 'owner:b', sees: 'b', asks: 'b' },
  { role: `operator:${hostile}`, sees: hostile },
  { role: 'viewer' },
]

export interface PageTopology {
  readonly page: Page
  readonly nodes: readonly TopologyNode[]
  /** Of the store, before it was asked for and once it was answered. */
  readonly from: number
  readonly to: number
}

export class Pages {
  readonly #site: Site
  readonly all: readonly Page[]
  /** Somebody looks. */
  areOpen = false
  /** Nothing goes wrong any more: what was written is soon told. */
  isCalm = false
  readonly backlogs = new Backlogs()
  readonly #onNews: ((news: PageNews) => void)[] = []
  readonly #onTopology: ((topology: PageTopology) => void)[] = []

  constructor(site: Site) {
    this.#site = site
    const tell = (news: PageNews): void => this.#onNews.forEach((listener) => listener(news))
    this.all = lookers.map((looker) => new Page(site, looker, tell))
  }

  begin(): void {
    this.areOpen = true
    for (const page of this.all) page.begin()
  }

  calm(): void {
    this.isCalm = true
    for (const page of this.all) page.slowUntil = 0
    if (this.areOpen)
      for (const page of this.all) this.#site.scheduler.after(250_000, `${page.name} reads its map`, () => this.readMap(page))
  }

  /** Has a page ask for the whole network. */
  readMap(page: Page): void {
    const { truth } = this.#site
    const from = truth.version
    page.topology().then(
      (nodes) => {
        if (nodes !== undefined) for (const listener of this.#onTopology) listener({ page, nodes, from, to: truth.version })
      },
      (err: unknown) => this.#site.crash(page.name, 'cannot read its map', err),
    )
  }

  onNews(listener: (news: PageNews) => void): void {
    this.#onNews.push(listener)
  }

  onTopology(listener: (topology: PageTopology) => void): void {
    this.#onTopology.push(listener)
  }
}
