import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is on PATH, if anywhere. */
export function onPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

/**
 * Installs packages of the distribution where that needs no question asked: root on Debian. RUNLEVEL=1 keeps them from starting
 * services of their own. Each command is printed before it runs.
 *
 * @returns undefined when they are there afterwards, else why not, as the end of a sentence about what is missing
 */
export async function installPackages(packages: readonly string[], print: (line: string) => void): Promise<string | undefined> {
  if (!existsSync('/etc/debian_version') || !existsSync('/usr/bin/apt-get'))
    return 'it is not on PATH, and only Debian packages are installed by themselves'
  if (process.getuid?.() !== 0) return `it is not on PATH, and only root can install it (apt-get install ${packages.join(' ')})`
  const install = ['install', '-y', '--no-install-recommends', ...packages]
  let done = await aptGet(install, print)
  if (done.code !== 0 && /Unable to locate package|has no installation candidate|404 {2}Not Found/.test(done.output)) {
    done = await aptGet(['update'], print)
    if (done.code === 0) done = await aptGet(install, print)
  }
  if (done.code === 0) return undefined
  return `apt-get could not install it: ${done.output.trim().split('\n').slice(-3).join('; ')}`
}

/** Somebody else installs at the same time, maybe one of us: seconds. */
const waits = ['-o', 'DPkg::Lock::Timeout=600']

function aptGet(args: readonly string[], print: (line: string) => void): Promise<{ code: number; output: string }> {
  print(`RUNLEVEL=1 apt-get ${args.join(' ')}`)
  return new Promise((resolve) => {
    const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
    const child = spawn('/usr/bin/apt-get', [...waits, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (err) => resolve({ code: 1, output: err.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}
