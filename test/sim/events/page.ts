// What happens to those who look at pages: they read nothing for a while, are cut off, begin anew, and read the map.
import type { Kind } from '../../../core/kinds/index.ts'
import { happeningKind } from '../happening.ts'
import { pageKinds } from '../world/page.ts'
import { lookers } from '../world/pages.ts'

interface OfPage {
  /** Which of them. */
  readonly nth: number
}

export const pageIsSlow = happeningKind<OfPage & { readonly ms: number }>({
  name: 'page-is-slow',
  fault: true,
  weight: 5,
  draw: (dice) => ({ nth: dice.int(lookers.length), ms: dice.between(1_000, 60_000) }),
  run({ nth, ms }, { pages, site }) {
    pages.all[nth]!.slowUntil = site.scheduler.now + ms
  },
})

export const pageIsCut = happeningKind<OfPage>({
  name: 'page-is-cut',
  fault: true,
  weight: 5,
  draw: (dice) => ({ nth: dice.int(lookers.length) }),
  run: ({ nth }, { pages }) => pages.all[nth]!.cut(),
})

/** Of one kind all servers hear late, and meanwhile the page is told of others and cut off. */
export const pageIsCutInBetween = happeningKind<OfPage & { readonly kind: Kind; readonly ms: number }>({
  name: 'page-is-cut-in-between',
  fault: true,
  weight: 8,
  draw: (dice) => ({ nth: dice.int(lookers.length), kind: dice.pick(pageKinds), ms: dice.between(2_000, 15_000) }),
  run({ nth, kind, ms }, { pages, site }) {
    for (const process of site.processes.filter(({ name }) => name.startsWith('webhooks-')))
      process.stalls.set(kind, { until: site.scheduler.now + ms, relists: false })
    site.scheduler.after(ms * 0.9, 'a page is cut off', () => pages.all[nth]!.cut())
  },
})

export const pageIsLoadedAnew = happeningKind<OfPage>({
  name: 'page-is-loaded-anew',
  fault: false,
  weight: 2,
  draw: (dice) => ({ nth: dice.int(lookers.length) }),
  run: ({ nth }, { pages }) => pages.all[nth]!.reload(),
})

export const readMap = happeningKind<OfPage>({
  name: 'read-map',
  fault: false,
  weight: 4,
  draw: (dice) => ({ nth: dice.int(lookers.length) }),
  run: ({ nth }, { pages }) => pages.readMap(pages.all[nth]!),
})

export const ofPages = [pageIsSlow, pageIsCut, pageIsCutInBetween, pageIsLoadedAnew, readMap]
