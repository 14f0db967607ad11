// The CNI configuration of a node: ours comes first in the runtime's folder and stays there; what the cluster's own CNI had put
// there is moved into a folder of ours, whence it is delegated to.
import { chmod, copyFile, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { cniVersions, type CniVersion } from '../../core/wire/cni.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'

export const ourFile = '00-megrez.conflist'
export const shimName = 'megrez'
/** Behind the name of a configuration that we delegate to. */
export const movedSuffix = '.megrez-moved'

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
  for (const file of await confsIn(folder)) {
    const conf = readConf(await readFile(join(folder, file), 'utf8'))
    if (conf !== undefined) return conf
  }
  return undefined
}

/** A list of plugins as it is, a single one as a list of one. */
function readConf(text: string): DelegateConf | undefined {
  try {
    const conf = JSON.parse(text) as Partial<DelegateConf> & Partial<Plugin>
    const { name, cniVersion = '0.4.0' } = conf
    if (typeof name !== 'string') return undefined
    if (Array.isArray(conf.plugins) && conf.plugins.length > 0) return { name, cniVersion, plugins: conf.plugins }
    return typeof conf.type === 'string' ? { name, cniVersion, plugins: [conf as Plugin] } : undefined
  } catch {
    return undefined
  }
}

/** The version that the delegate speaks, where we do too; runtimes that know no newer one refuse a conf that names it. */
const versionFor = (delegate: DelegateConf | undefined): CniVersion => cniVersions.find((each) => each === delegate?.cniVersion) ?? '1.0.0'

/** Puts the shim and the configuration in place. What others have put beside ours is moved; ours stays until it is uninstalled. */
export async function install(config: Folders, log: Log): Promise<void> {
  const { cniConf, cniDelegate, cniBin, cniSocket, cniShim } = config
  await mkdir(cniDelegate, { recursive: true })
  await mkdir(cniConf, { recursive: true })
  if (cniShim !== undefined) await putShim(cniShim, cniBin)
  await takeOver(cniConf, cniDelegate, log)
  const delegate = await delegateConf(cniDelegate)
  const capabilities = Object.assign({}, ...(delegate?.plugins ?? []).map((plugin) => plugin.capabilities ?? {})) as Plugin['capabilities']
  const plugin = { type: shimName, socket: cniSocket, ...(Object.keys(capabilities ?? {}).length > 0 && { capabilities }) }
  await replace(join(cniConf, ourFile), `${JSON.stringify({ cniVersion: versionFor(delegate), name: 'megrez', plugins: [plugin] }, undefined, 2)}\n`)
}

async function putShim(shim: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const next = join(folder, `.${shimName}.next`)
  await copyFile(shim, next)
  await chmod(next, 0o755)
  await rename(next, join(folder, shimName))
}

/** The first that is not ours is the delegate's, and the newest counts: its daemon writes it anew. */
async function takeOver(from: string, to: string, log: Log): Promise<void> {
  const [first] = (await confsIn(from)).filter((file) => file !== ourFile)
  if (first === undefined || readConf(await readFile(join(from, first), 'utf8')) === undefined) return
  const next = join(to, `.${first}.next`)
  await copyFile(join(from, first), next)
  await rename(next, join(to, first))
  await rename(join(from, first), join(from, `${first}${movedSuffix}`))
  log.info({ file: first, to }, 'the configuration of the cluster\'s own CNI was moved: it is delegated to')
}

async function replace(path: string, text: string): Promise<void> {
  const file = await open(`${path}.next`, 'w', 0o644)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await rename(`${path}.next`, path)
}
