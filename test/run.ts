// What `npm test` runs. `node bootstrap.mjs test/run.ts [--all] [GROUP …] [FILE.test.ts …] [--no-install] [--twice] [FLAG …]`
// A FLAG is one of node --test.
// Groups: fast (no services), sim, redis, kube, node, cluster, policy, bess, nsm, fabric, neutron, process, gui; none named: all, in that
// order, without what takes long or minutes to build; --all: with that too. --twice runs each group again on the same servers, in random
// order.
import { matchesGlob, resolve } from 'node:path'
import { allMinutes, groups, stages } from './setup/groups.ts'
import type { Group, Service } from './setup/groups.ts'
import { runTests } from './setup/node-test.ts'
import { select } from './setup/selection.ts'
import type { SelectedGroup } from './setup/selection.ts'
import { openServices } from './setup/services.ts'

const root = resolve(import.meta.dirname, '..')
const strict = process.env.CI === 'true'
/** Where the peers are said to be there, a peer that is not fails its group. */
const peers: readonly Service[] = ['bess', 'policy-oracle', 'nsm-peer']
const isNeeded = ({ needs }: Group): boolean =>
  strict || (process.env.MEGREZ_PEERS_REQUIRED === '1' && needs.some((service) => peers.includes(service)))
const selection = select(process.argv.slice(2), root)
if ('unknown' in selection) {
  console.error(
    `unknown: ${selection.unknown.join(' ')}; groups are ${Object.keys(groups).join(', ')}; a flag's value is written --flag=value`,
  )
  process.exit(2)
}
const { flags, install, twice, everyday } = selection
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
const services = openServices({ install, build: !everyday })

interface Result {
  readonly name: string
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'left to --all' | 'no test files'
  readonly missing: readonly string[]
  /** The tests that failed. */
  readonly failed: readonly string[]
  /** Files that an everyday run leaves out. */
  readonly left: readonly string[]
  readonly seconds: number
}

async function provide(wanted: readonly Service[]) {
  const provided = []
  for (const service of wanted) provided.push(await services.get(service))
  return {
    env: Object.assign({}, ...provided.map((each) => ('env' in each ? each.env : {}))) as Record<string, string>,
    missing: provided.flatMap((each) => ('missing' in each ? each.missing : [])),
  }
}

/** A group that misses what it needs. */
function verdictWithout(group: Group): Result['verdict'] {
  if (everyday && group.whereBuilt) return 'left to --all'
  return isNeeded(group) ? 'failed' : 'skipped'
}

async function runGroup({ group, files }: SelectedGroup, isAlone: boolean): Promise<Omit<Result, 'seconds' | 'left'>> {
  const { name } = group
  if (files.length === 0) return { name, verdict: 'no test files', missing: [], failed: [] }
  const needed = await provide(group.needs)
  if (needed.missing.length > 0) return { name, verdict: verdictWithout(group), missing: needed.missing, failed: [] }
  const used = await provide(group.uses)
  console.log(`\n── ${name}: ${files.length} files`)
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(group.endMs)])
  const shared = files.filter((file) => group.shared?.some((glob) => matchesGlob(file, glob)))
  const { concurrency, timeoutMs, waits } = group
  const prefix = isAlone ? undefined : name
  const options = { root, env: { ...used.env, ...needed.env }, concurrency, shared, timeoutMs, prefix, signal, waits }
  let { code, failed } = await runTests(files, { ...options, flags })
  if (twice && code === 0) ({ code, failed } = await runTests(files, { ...options, flags: [...flags, '--test-randomize'] }))
  return {
    name,
    verdict: code !== 0 || (strict && !everyday && used.missing.length > 0) ? 'failed' : 'passed',
    missing: used.missing,
    failed,
  }
}

const done = new Map<string, Result>()
async function runTrack(track: readonly SelectedGroup[], isAlone: boolean): Promise<void> {
  for (const selected of track) {
    if (stop.signal.aborted) return
    const [{ name }, began] = [selected.group, performance.now()]
    const result = await runGroup(selected, isAlone)
    done.set(name, { ...result, left: selected.left, seconds: Math.round((performance.now() - began) / 1000) })
  }
}
/** What takes what others leave of the machine does so in the stages after its own too. */
const isPatient = (track: readonly SelectedGroup[]): boolean => track.every(({ group }) => group.waits === true)
try {
  const waiting: Promise<void>[] = []
  for (const stage of stages) {
    const tracks = stage
      .map((names) => names.flatMap((name) => selection.groups.filter(({ group }) => group.name === name)))
      .filter((track) => track.length > 0)
    const [patient, others] = [tracks.filter(isPatient), tracks.filter((track) => !isPatient(track))]
    waiting.push(...patient.map((track) => runTrack(track, selection.groups.length === 1)))
    await Promise.all(others.map((track) => runTrack(track, others.length === 1 && waiting.length === 0)))
  }
  await Promise.all(waiting)
} finally {
  await services.close()
}
const results = Object.keys(groups).flatMap((name) => done.get(name) ?? [])
/** What an everyday run has not run, and what the whole takes. */
function leftLine(): string {
  const left = results.flatMap(({ name, verdict, left: files }) => {
    if (verdict === 'left to --all') return [name]
    return files.length === 0
      ? []
      : [`of ${name} ${files.map((file) => file.split('/').slice(2).join('/').replace('.test.ts', '')).join(', ')}`]
  })
  return `left to npm test -- --all, which takes some ${allMinutes} minutes on two cores: ${left.join('; ') || 'nothing'}`
}
console.log('')
for (const { name, verdict, missing, failed } of results) console.log([`${name}: ${verdict}`, ...missing, ...failed].join('\n    '))
console.log(`took ${results.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')}`)
if (everyday) console.log(leftLine())
else if (strict && results.some(({ missing }) => missing.length > 0)) console.log('CI=true: what is missing counts as a failure')
process.exitCode = stop.signal.aborted || results.some(({ verdict }) => verdict === 'failed') ? 1 : 0
