// Builds the C programs of the agent with gcc, in about a second: the two addons that Node.js loads, for netlink and for starting
// programs, and the CNI shim that kubelet starts. They land in the cache, in a folder named by a hash of source, flags, Node.js' ABI
// and machine, so that a change of any is another folder. Nothing here runs by being imported; run as a program it builds all and
// prints where they are, the shim last.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cached, cacheFolder } from '../../platform/programs/cache.ts'
import { run } from '../../platform/programs/run.ts'

/** Where a program is, or in a sentence why it cannot be. */
export type Built = { readonly path: string } | { readonly missing: string }

interface Recipe {
  readonly source: string
  readonly target: string
  readonly flags: readonly string[]
}

const headers = resolve(import.meta.dirname, '../../node_modules/node-api-headers/include')
const strict = ['-std=c11', '-O2', '-g1', '-Wall', '-Wextra', '-Werror', '-D_FORTIFY_SOURCE=2', '-fstack-protector-strong']
const addon = [...strict, '-shared', '-fPIC', '-pthread', `-I${headers}`]
const recipes = {
  addon: { source: 'netlink.c', target: 'megrez-netlink.node', flags: addon },
  runner: { source: 'runner.c', target: 'megrez-runner.node', flags: addon },
  // Static: nothing to link when kubelet starts it, and it runs in every image.
  shim: { source: 'shim.c', target: 'megrez-cni', flags: [...strict, '-static', '-s'] },
} as const satisfies Readonly<Record<string, Recipe>>

export interface BuildOptions {
  /** With AddressSanitizer and UndefinedBehaviorSanitizer, for tests; any report ends the process. */
  readonly sanitize?: boolean
}

const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer', '-U_FORTIFY_SOURCE']

function flagsOf(recipe: Recipe, { sanitize = false }: BuildOptions): readonly string[] {
  return sanitize ? [...recipe.flags.filter((flag) => flag !== '-static' && flag !== '-s'), ...sanitizers] : recipe.flags
}

function folderOf(name: keyof typeof recipes, options: BuildOptions): string {
  const recipe = recipes[name]
  const flags = flagsOf(recipe, options).filter((flag) => !flag.startsWith('-I'))
  const hash = createHash('sha256').update(readFileSync(join(import.meta.dirname, recipe.source))).update(flags.join('\0'))
  return `native-${name}-${process.platform}-${process.arch}-abi${process.versions.modules}-${hash.digest('hex').slice(0, 16)}`
}

/** Where an addon or the shim is, if it has been built; builds nothing. */
export function builtNative(name: keyof typeof recipes, options: BuildOptions = {}): Built {
  const path = join(cacheFolder(), folderOf(name, options), recipes[name].target)
  return existsSync(path) ? { path } : { missing: `${path} has not been built (node bootstrap.mjs agent/native/build.ts)` }
}

/** Builds it where it is not there yet; says so on standard error. */
export async function buildNative(name: keyof typeof recipes, options: BuildOptions = {}): Promise<Built> {
  const recipe = recipes[name]
  if (name !== 'shim' && !existsSync(headers)) return { missing: 'the headers of Node-API are missing: npm ci installs node-api-headers' }
  try {
    const folder = await cached(folderOf(name, options), async (half) => {
      process.stderr.write(`building ${recipe.target} with gcc\n`)
      const args = [...flagsOf(recipe, options), join(import.meta.dirname, recipe.source), '-o', join(half, recipe.target)]
      const { code, stderr } = await run('gcc', args)
      if (code !== 0) throw new Error(`gcc ${args.join(' ')}: ${stderr.trim()}`)
    })
    return { path: join(folder, recipe.target) }
  } catch (error) {
    return { missing: `${recipe.target} cannot be built: ${error instanceof Error ? error.message : String(error)}` }
  }
}

if (import.meta.main) {
  for (const name of ['addon', 'runner', 'shim'] as const) {
    const built = await buildNative(name)
    if ('missing' in built) process.exitCode = 1
    console.log('path' in built ? built.path : built.missing)
  }
}
