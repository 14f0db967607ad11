// npm run gui: Doppler's files, into gui/dist. A checkout's first start and the image's build do the same.
import { readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { parseAllDocuments } from 'yaml'

const root = import.meta.dirname
// WriteAnswer aside: a server that reads the folder finds all of one build, and two builds at once do not mix.
const aside = join(root, `dist/.${process.pid}`)

const { version } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as { readonly version: string }
/** A file of manifests, imported: its documents. */
const manifests: Plugin = {
  name: 'manifests',
  transform(text, id) {
    if (!id.endsWith('.yaml')) return undefined
    const documents = parseAllDocuments(text).map((document) => document.toJS() as unknown)
    return { code: `export default ${JSON.stringify(documents)}`, moduleType: 'js', map: null }
  },
}

await build({
  root,
  configFile: false,
  // It is served below whatever path somebody puts before it.
  base: './',
  logLevel: process.argv.includes('--quiet') ? 'warn' : 'info',
  plugins: [
    manifests,
    // A page that is open knows by it that its server has been replaced.
    {
      name: 'version',
      transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'megrez-version', content: version }, injectTo: 'head' as const }],
    },
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: aside,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // What it would add is a script for browsers that are older than the target.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
})
await rm(join(root, 'dist/assets'), { recursive: true, force: true })
await rename(join(aside, 'assets'), join(root, 'dist/assets')).catch((err: NodeJS.ErrnoException) => {
  // Another build was quicker, of the same files.
  if (err.code !== 'ENOTEMPTY') throw err
})
await rename(join(aside, 'index.html'), join(root, 'dist/index.html'))
await rm(aside, { recursive: true, force: true })
