// Builds the C programs of the agent with gcc, in about a second: the three addons that Node.js loads, for netlink, for starting
// programs and for unix sockets, and the CNI shim that kubelet starts. They land in the cache, in a folder named by a hash of sources,
// flags, Node.js' ABI and machine, so that a change of any is another folder. Nothing here runs by being imported; run as a program it
// builds all and prints where they are, the shim last.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cached, cacheFolder, used } from '../../platform/programs/cache.ts'
import { run } from '../../platform/programs/run.ts'
import { messageOf } from '../../core/errors.ts'

/** Where a program is, or in a sentence why it cannot be. */
export type Built = { readonly path: string } | { readonly missing: string }

interface Recipe {
  /** Every file in them is the program's. */
  readonly folders: readonly string[]
  readonly target: string
  readonly flags: readonly string[]
}

const headers = resolve(import.meta.dirname, '../../node_modules/node-api-headers/include')
const strict = ['-std=c11', '-O2', '-g1', '-Wall', '-Wextra', '-Werror', '-D_FORTIFY_SOURCE=2', '-fstack-protector-strong']
// Hidden: Node.js has C functions of its own, which would be called in place of ours of the same name.
const addon = [...strict, '-shared', '-fPIC', '-fvisibility=hidden', '-pthread', `-I${headers}`]
const recipes = {
  addon: { folders: ['face', 'netlink'], target: 'megrez-netlink.node', flags: addon },
  runner: { folders: ['face', 'runner'], target: 'megrez-runner.node', flags: addon },
  unix: { folders: ['face', 'unix'], target: 'megrez-unix.node', flags: addon },
  // Static: nothing to link when kubelet starts it, and it runs in every image.
  shim: { folders: ['shim'], target: 'megrez-cni', flags: [...strict, '-static', '-s'] },
} as const satisfies Readonly<Record<string, Recipe>>

export interface BuildOptions {
  /** With AddressSanitizer and UndefinedBehaviorSanitizer, for tests; any report ends the process. */
  readonly sanitize?: boolean
}

const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer', '-U_FORTIFY_SOURCE']

function flagsOf(recipe: Recipe, { sanitize = false }: BuildOptions): readonly string[] {
  return sanitize ? [...recipe.flags.filter((flag) => flag !== '-static' && flag !== '-s'), ...sanitizers] : recipe.flags
}

/** Sources and headers, below this folder. */
const filesOf = ({ folders }: Recipe): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder))
      .sort()
      .map((name) => join(folder, name)),
  )

function folderOf(name: keyof typeof recipes, options: BuildOptions): string {
  const recipe = recipes[name]
  const hash = createHash('sha256').update(
    flagsOf(recipe, options)
      .filter((flag) => !flag.startsWith('-I'))
      .join('\0'),
  )
  for (const path of filesOf(recipe)) hash.update(`\0${path}\0`).update(readFileSync(join(import.meta.dirname, path)))
  return `native-${name}-${process.platform}-${process.arch}-abi${process.versions.modules}-${hash.digest('hex').slice(0, 16)}`
}

/** Where an addon or the shim is, if it has been built; builds nothing. */
export function builtNative(name: keyof typeof recipes, options: BuildOptions = {}): Built {
  const folder = join(cacheFolder(), folderOf(name, options))
  const path = join(folder, recipes[name].target)
  return used(folder) && existsSync(path) ? { path } : { missing: `${path} has not been built (node bootstrap.mjs agent/native/build.ts)` }
}

/** Builds it where it is not there yet; says so on standard error. */
export async function buildNative(name: keyof typeof recipes, options: BuildOptions = {}): Promise<Built> {
  const recipe = recipes[name]
  if (name !== 'shim' && !existsSync(headers)) return { missing: 'the headers of Node-API are missing: npm ci installs node-api-headers' }
  try {
    const folder = await cached(folderOf(name, options), async (half) => {
      process.stderr.write(`building ${recipe.target} with gcc\n`)
      const sources = filesOf(recipe)
        .filter((path) => path.endsWith('.c'))
        .map((path) => join(import.meta.dirname, path))
      const args = [...flagsOf(recipe, options), ...sources, '-o', join(half, recipe.target)]
      const { code, stderr } = await run('gcc', args)
      if (code !== 0) throw new Error(`gcc ${args.join(' ')}: ${stderr.trim()}`)
    })
    return { path: join(folder, recipe.target) }
  } catch (error) {
    return { missing: `${recipe.target} cannot be built: ${messageOf(error)}` }
  }
}

if (import.meta.main) {
  for (const name of ['addon', 'runner', 'unix', 'shim'] as const) {
    const built = await buildNative(name)
    if ('missing' in built) process.exitCode = 1
    console.log('path' in built ? built.path : built.missing)
  }
}
