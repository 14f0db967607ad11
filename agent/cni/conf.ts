// The CNI configuration of a node: ours comes first in the runtime's folder and stays there; what the cluster's own CNI has put
// there, or puts there later, is moved into a folder of ours, whence it is delegated to.
import { chmod, copyFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cniVersions, type CniVersion } from '../../core/wire/cni.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'

export const ourFile = '00-megrez.conflist'
export const shimName = 'megrez'
/** Behind the name of a configuration that we delegate to. */
export const movedSuffix = '.megrez-moved'

/** In the delegate's folder while the node is given back. */
export const leavingMark = '.megrez-leaving'

/** One plugin of the delegate's chain. */
export interface Plugin {
  readonly type: string
  readonly capabilities?: Readonly<Record<string, boolean>>
  readonly [more: string]: unknown
}
export interface DelegateConf {
  readonly name: string
  readonly cniVersion: string
  readonly plugins: readonly Plugin[]
}

type Folders = Pick<Config, 'cniConf' | 'cniDelegate' | 'cniBin' | 'cniSocket' | 'cniShim'>

const isConf = (file: string): boolean => /\.(conf|conflist|json)$/.test(file)

async function confsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((problem: NodeJS.ErrnoException) => {
    if (problem.code === 'ENOENT') return []
    throw problem
  })
  return files.filter(isConf).sort()
}

/** The delegate's configuration, the first in its folder; undefined as long as there is none that can be read. */
export async function delegateConf(folder: string): Promise<DelegateConf | undefined> {
  const first = await firstConf(folder)
  return first === undefined ? undefined : readConf((await textOf(join(folder, first))) ?? '')
}

/** A list of plugins as it is, a single one as a list of one. A lone loopback, which runtimes bring along, makes no pod's interface. */
function readConf(text: string): DelegateConf | undefined {
  try {
    const conf = JSON.parse(text) as Partial<DelegateConf> & Partial<Plugin>
    const { name, cniVersion = '0.4.0', plugins = [conf as Plugin] } = conf
    const right = typeof name === 'string' && Array.isArray(plugins) && plugins.every(({ type }) => typeof type === 'string')
    return right && plugins.some(({ type }) => type !== 'loopback') ? { name, cniVersion, plugins } : undefined
  } catch {
    return undefined
  }
}

/** The version that the delegate speaks, where we do too; runtimes that know no newer one refuse a conf that names it. */
const versionFor = (delegate: DelegateConf | undefined): CniVersion => cniVersions.find((each) => each === delegate?.cniVersion) ?? '1.0.0'

/** Puts the shim and the configuration in place. */
export async function install(config: Folders, log: Log): Promise<void> {
  const { cniConf, cniDelegate, cniBin, cniShim } = config
  await mkdir(cniDelegate, { recursive: true })
  await mkdir(cniConf, { recursive: true })
  await rm(join(cniDelegate, leavingMark), { force: true })
  if (cniShim !== undefined) await putShim(cniShim, cniBin)
  await takeOver(cniConf, cniDelegate, log)
  await replace(join(cniConf, ourFile), await ourConf(config))
}

/**
 * The same again where others have written beside ours: what they have put there is moved, and ours says what the delegate can. Writes only
 * what differs, and nothing where ours has been taken away: whoever has done so gives the node back.
 */
export async function refreshConf(config: Folders, log: Log): Promise<void> {
  const { cniConf, cniDelegate } = config
  const ours = join(cniConf, ourFile)
  const isLeft = async (): Promise<boolean> => (await textOf(ours)) === undefined || (await textOf(join(cniDelegate, leavingMark))) !== undefined
  if (await isLeft()) return
  await takeOver(cniConf, cniDelegate, log)
  const text = await ourConf(config)
  if (text !== (await textOf(ours)) && !(await isLeft())) await replace(ours, text)
}

async function ourConf({ cniDelegate, cniSocket }: Folders): Promise<string> {
  const delegate = await delegateConf(cniDelegate)
  const capabilities = Object.assign({}, ...(delegate?.plugins ?? []).map((plugin) => plugin.capabilities ?? {})) as Plugin['capabilities']
  const plugin = { type: shimName, socket: cniSocket, ...(Object.keys(capabilities ?? {}).length > 0 && { capabilities }) }
  return `${JSON.stringify({ cniVersion: versionFor(delegate), name: 'megrez', plugins: [plugin] }, undefined, 2)}\n`
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

async function putShim(shim: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const next = join(folder, `.${shimName}.next`)
  await copyFile(shim, next)
  await chmod(next, 0o755)
  await rename(next, join(folder, shimName))
}

/**
 * The first that is not ours is the cluster's own, as runtimes choose it, and the newest counts: its daemon may write it late, or anew.
 * One behind what is delegated to already is somebody else's (podman's), and stays.
 */
async function takeOver(from: string, to: string, log: Log): Promise<void> {
  const first = await firstConf(from, ourFile)
  const delegated = await firstConf(to)
  if (first === undefined || (delegated !== undefined && first > delegated)) return
  const text = await textOf(join(from, first))
  if (text !== (await textOf(join(to, first)))) log.info({ file: first, to }, 'the configuration of the cluster\'s own CNI is moved: it is delegated to')
  const next = join(to, `.${first}.next`)
  await copyFile(join(from, first), next)
  await rename(next, join(to, first))
  await rename(join(from, first), join(from, `${first}${movedSuffix}`))
}

/** The name of the first that can be read and makes interfaces. */
async function firstConf(folder: string, but?: string): Promise<string | undefined> {
  for (const file of await confsIn(folder)) if (file !== but && readConf((await textOf(join(folder, file))) ?? '') !== undefined) return file
  return undefined
}

async function replace(path: string, text: string): Promise<void> {
  const file = await open(`${path}.next`, 'w', 0o644)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await rename(`${path}.next`, path)
}
