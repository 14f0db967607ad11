// `npm run gen`: everything that is generated from tables, written where it differs; and pages of Markdown in lines that end.
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import '../openapi/generate.ts'
import { antiSpoofingPage, antiSpoofingPath } from './repo/anti-spoofing-page.ts'
import { cliPage, cliPath } from './repo/cli-page.ts'
import { dashboard, dashboardPath } from './repo/dashboard.ts'
import { architecturePage, architecturePath } from './repo/folders-table.ts'
import { metricsPage, metricsPath } from './repo/metrics-page.ts'
import { pipelinePage, pipelinePath } from './repo/pipeline-page.ts'
import { settingsPage, settingsPath } from './repo/settings-page.ts'
import { isWrapped } from './repo/pages.ts'
import { read, repoFiles } from './repo/sources.ts'
import { wakesPage, wakesPath } from './repo/wakes-page.ts'
import { wrapped } from '../openapi/wrapped.ts'

const root = resolve(import.meta.dirname, '..')
const pages = {
  [architecturePath]: architecturePage,
  [cliPath]: cliPage,
  [settingsPath]: settingsPage,
  [metricsPath]: metricsPage,
  [pipelinePath]: pipelinePage,
  [antiSpoofingPath]: antiSpoofingPage,
  [wakesPath]: wakesPage,
  [dashboardPath]: dashboard,
}
for (const [path, pageOf] of Object.entries(pages)) {
  const page = pageOf()
  const target = join(root, path)
  if ((await readFile(target, 'utf8').catch(() => undefined)) === page) continue
  await writeFile(target, page)
  console.log(`wrote ${path}`)
}
for (const path of repoFiles().filter(isWrapped)) {
  const page = read(path)
  if (wrapped(page) === page) continue
  await writeFile(join(root, path), wrapped(page))
  console.log(`wrapped ${path}`)
}
