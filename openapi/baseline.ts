// `node bootstrap.mjs openapi/baseline.ts`, when a version is released: what openapi.yaml promises now is what clients rely on.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { document } from './document.ts'

/** Prose and samples are nobody's to rely on. */
const prose = ['description', 'summary', 'example', 'examples', 'tags']
const text = JSON.stringify(document(), (key, value: unknown) => (prose.includes(key) && typeof value !== 'object' ? undefined : value))
// A line for each path, so that a difference can be read.
await writeFile(join(import.meta.dirname, 'baseline.json'), `${text.replaceAll(/,"\/v1/g, ',\n"/v1')}\n`)
