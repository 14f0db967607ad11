import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { atLeast, versionIn } from './versions.ts'

/** The modules' own go.mod files ask for it (2026-11). */
const oldest = [1, 24]

export interface GoProgram {
  readonly module: string
  readonly version: string
  /** The main package, inside the module. */
  readonly package: string
  /** `path.to.Variable=value` pairs for the linker: without them the programs report no version, and clients refuse them. */
  readonly stamps: readonly string[]
}

export class BuildFailed extends Error {}

/** Why Go programs cannot be built here, or undefined when they can. */
export async function goMissing(): Promise<string | undefined> {
  const go = await run('go', ['env', 'GOVERSION'])
  const version = versionIn(go.stdout)
  if (go.code === 0 && version !== undefined && atLeast(version, oldest)) return undefined
  const have = go.code === 0 ? `the go on PATH is ${go.stdout.trim()}` : 'there is no go on PATH'
  return `${have}; building needs Go ${oldest.join('.')} or newer (https://go.dev/dl)`
}

/** Builds a main package of a published module into `folder/NAME`, by a throw-away module around it. */
export async function buildGo(name: string, program: GoProgram, folder: string): Promise<void> {
  const work = join(folder, 'module')
  await mkdir(work)
  const go = (args: readonly string[]) => must(args, work)
  const source = `${program.module}@v${program.version}`
  await go(['mod', 'init', 'megrez.test/build'])
  const { GoMod } = JSON.parse(await go(['mod', 'download', '-json', source])) as { GoMod: string }
  const replaces = stagingReplaces(await readFile(GoMod, 'utf8'), program.version)
  await go(['mod', 'edit', `-require=${source}`, ...replaces])
  await writeFile(join(work, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${program.package}"\n`)
  await go(['mod', 'tidy'])
  const flags = ['-s', '-w', ...program.stamps.flatMap((stamp) => ['-X', stamp])].join(' ')
  await go(['build', '-mod=mod', '-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', join(work, name), program.package])
  if (!existsSync(join(work, name))) throw new BuildFailed(`go build of ${program.package} left no program`)
  await rename(join(work, name), join(folder, name))
  await rm(work, { recursive: true })
}

/**
 * Kubernetes' go.mod replaces its published staging modules by folders that its module does not carry; each has a
 * release of its own, v0.MINOR.PATCH for Kubernetes v1.MINOR.PATCH.
 */
export function stagingReplaces(goMod: string, version: string): string[] {
  const staging = [...goMod.matchAll(/^\s*(?:replace\s+)?(k8s\.io\/[\w.-]+)\s+=>\s+\.\/staging\//gm)]
  return staging.map(([, module]) => `-replace=${module}=${module}@v0.${version.replace(/^1\./, '')}`)
}

async function must(args: readonly string[], cwd: string): Promise<string> {
  const done = await run('go', args, { cwd, env: { CGO_ENABLED: '0', GOWORK: 'off', GO111MODULE: 'on' } })
  if (done.code === 0) return done.stdout
  const why = done.stderr.trim().split('\n').slice(-8).join('\n') || done.stdout.trim()
  throw new BuildFailed(`go ${args.slice(0, 2).join(' ')} (${cwd}): ${why}`)
}
