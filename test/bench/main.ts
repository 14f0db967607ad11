// npm run bench: lists the benchmarks. npm run bench -- name: runs one; the last line of its output is JSON.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Bench } from './lib/metric.ts'

const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'main')
  .sort()
const load = async (name: string) => (await import(join(import.meta.dirname, `${name}.ts`))) as Bench

async function list(): Promise<void> {
  for (const name of names) console.log(`${name.padEnd(12)} ${(await load(name)).description}`)
}

async function run(name: string): Promise<void> {
  const bench = await load(name)
  console.log(bench.description)
  const metrics = await bench.default()
  for (const { metric, value, unit, floor, ratio, spread, target, met } of metrics) {
    const compared = floor === null ? '' : `, floor ${floor}${spread === null ? '' : ` (spread ${spread})`}, ratio ${ratio}`
    const verdict = met === null ? 'too noisy to judge' : met ? 'met' : 'MISSED'
    console.log(`${metric}: ${value} ${unit}${compared}; target ${target}: ${verdict}`)
  }
  console.log(JSON.stringify({ name, metrics }))
}

const [asked, ...rest] = process.argv.slice(2)
if (asked === undefined) await list()
else if (rest.length === 0 && names.includes(asked)) {
  await run(asked)
  process.exit(0)
} else {
  console.error(`no such benchmark: ${process.argv.slice(2).join(' ')}; there are ${names.join(', ')}`)
  process.exitCode = 2
}
