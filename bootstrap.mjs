#!/usr/bin/env node
// Plain JavaScript for any Node.js from 18 on: puts the locked dependencies and a new enough Node.js in place,
// then hands over. It knows nothing of Megrez.
//   node bootstrap.mjs FILE.ts [ARG …]          run a program of this repository
//   node bootstrap.mjs --bin PKG[/NAME] [ARG …] run a package's own command
//   node bootstrap.mjs --here FILE.ts [ARG …]   run a program in this very process, where this Node.js is new enough: it begins sooner
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const oldest = [24, 15]
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']

const refuse = (text) => {
  process.stderr.write(`megrez: ${text}\n`)
  process.exit(1)
}

/** Package path → version of a lock file; other platforms' optional packages are never installed, so they do not count. */
function versions(path, mustHaveAll) {
  if (!existsSync(path)) return undefined
  const found = new Map()
  for (const [name, entry] of Object.entries(JSON.parse(readFileSync(path, 'utf8')).packages ?? {})) {
    if (name === '' || (mustHaveAll && entry.optional)) continue
    found.set(name, entry.version)
  }
  return found
}

function upToDate() {
  const want = versions(join(root, 'package-lock.json'), true)
  const have = versions(join(root, 'node_modules/.package-lock.json'), false)
  if (want === undefined) return true
  return have !== undefined && [...want].every(([name, version]) => have.get(name) === version)
}

function install() {
  process.stderr.write('megrez: npm ci --ignore-scripts (dependencies are missing or not the locked ones)\n')
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^npm_(config|package|lifecycle)_/i.test(key) || /registry|cache|prefix|userconfig|proxy|cafile/i.test(key),
    ),
  )
  // npm's warnings about engines speak of the machine's own Node.js, which only runs this file.
  const run = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    env,
    stdio: ['ignore', 2, 2],
  })
  if (run.status !== 0) refuse(`npm ci ended with ${run.status ?? run.signal ?? run.error?.message}; the lines above say why`)
}

/**
 * Two that install at once remove each other's files: the second waits, and finds it done. Whoever ends, however, lets go of the name;
 * names that are no files are Linux's (unix(7)), and elsewhere nobody waits.
 */
async function inTurn(run) {
  if (process.platform !== 'linux') return run()
  const name = `\0megrez-install-${createHash('sha256').update(root).digest('hex')}`
  const door = createServer()
  const isFree = () =>
    new Promise((resolve, reject) => {
      door.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
      door.listen(name, () => resolve(true))
    })
  while (!(await isFree())) await new Promise((resolve) => setTimeout(resolve, 300))
  run()
  door.close()
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** A packaged Node.js has its version: to start one only to ask it takes as long as all else here. */
function versionOf(path) {
  try {
    return JSON.parse(readFileSync(join(dirname(realpathSync(path)), '../package.json'), 'utf8')).version
  } catch {
    return spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim()
  }
}

/** Types that were stripped, and what V8 has compiled, are kept for the next start: for this user alone. */
function compiledFolder() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'megrez', 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch {
    // It is only slower without.
    return undefined
  }
}

async function runHere(file, args) {
  const folder = compiledFolder()
  if (folder !== undefined) (await import('node:module')).enableCompileCache(folder)
  process.removeAllListeners('warning')
  process.on('warning', ({ name, stack }) => name === 'ExperimentalWarning' || process.stderr.write(`${stack}\n`))
  process.argv = [process.execPath, join(root, file), ...args]
  await import(pathToFileURL(join(root, file)).href)
}

function runtime() {
  const ours = join(root, 'node_modules/.bin/node')
  const path = existsSync(ours) ? ours : process.execPath
  const version = path === process.execPath ? process.versions.node : versionOf(path)
  if (!isNewEnough(version)) {
    refuse(
      `Node.js ${version} is too old: ${oldest.join('.')} or newer is needed, and this platform has no packaged one (packages exist for Linux x64 and arm64)`,
    )
  }
  return path
}

/** `--bin PKG[/NAME]` → the file that package.json's bin names. */
function command(spec) {
  const parts = spec.split('/')
  const pkg = spec.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
  const name = parts.at(-1)
  const bin = JSON.parse(readFileSync(join(root, 'node_modules', pkg, 'package.json'), 'utf8')).bin
  return join(root, 'node_modules', pkg, typeof bin === 'string' ? bin : bin[name])
}

if (!upToDate()) await inTurn(() => upToDate() || install())
let args = process.argv.slice(2)
const here = args[0] === '--here'
if (here) args = args.slice(1)
if (args.length === 0) refuse('no program named')
if (here && isNewEnough(process.versions.node)) await runHere(args[0], args.slice(1))
else runThere()

function runThere() {
  const node = runtime()
  args = args[0] === '--bin' ? [command(args[1]), ...args.slice(2)] : [join(root, args[0]), ...args.slice(1)]
  const folder = here ? compiledFolder() : undefined
  const env = folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: folder }
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'inherit', env })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => refuse(error.message))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}
