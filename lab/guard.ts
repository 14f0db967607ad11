// Outlives the process that opened a lab, in whatever way it goes, and takes the lab down. Its standard input is that process'
// to hold open.
import { finished } from 'node:stream/promises'
import { cleanUp } from './clean.ts'

const [id = '', folder = ''] = process.argv.slice(2)
process.stdin.resume()
await finished(process.stdin).catch(() => undefined)
const left = await cleanUp(id, folder)
for (const each of left) process.stderr.write(`${each}\n`)
process.exitCode = left.length === 0 ? 0 : 1
