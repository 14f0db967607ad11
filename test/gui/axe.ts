// What axe finds on a page, and where pictures are kept.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export const shots = join(import.meta.dirname, 'shots')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}
/** As a content script would: the page's own policy lets nothing else in. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  const found: readonly Violation[] = await page.evaluate(`${axe}; axe.run(document).then(({ violations }) => violations)`)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
