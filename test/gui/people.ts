// What tests of the page look at: the five pods of the demo, and what one does to see something.
import type { Page } from 'playwright-core'
import { applyAll, manifestsOf } from '../../cli/demo/story.ts'
import type { PageServer, Site } from './browser.ts'

/** `pod5` has a pod with two NICs. */
export async function applyDemo({ server: { rest } }: Site, which: readonly number[] = [1, 2, 3, 4, 5]): Promise<void> {
  for (const n of which) await applyAll(rest, await manifestsOf(`pod${n}.yaml`), `pod${n}`)
}

/** Goes to a view by its address, and waits until it is live. */
export async function openView(page: Page, { line }: PageServer, query: string): Promise<void> {
  await page.goto(`${line.url}/?${query}`)
  await page.locator('[data-live="live"]').waitFor()
}

interface CanvasElement {
  readonly id: string
  readonly label: string
  readonly far: boolean
  /** What a traced packet does there. */
  readonly way?: string
}
/** What stands on the canvas, as Cytoscape has it. */
export const drawnOn = (page: Page): Promise<readonly CanvasElement[]> =>
  page.evaluate(`(() => {
    const core = document.querySelector('[data-canvas]')?._cyreg?.cy
    return core === undefined ? [] : core.elements().map((e) => ({ id: e.id(), label: e.data('label') ?? '', far: e.hasClass('far'), way: e.data('way') }))
  })()`)
