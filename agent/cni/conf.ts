// The CNI configuration of a node: ours comes first in the runtime's folder and stays there; what the cluster's own CNI has put
// there, or puts there later, is moved into a folder of ours, whence it is delegated to. Multus comes before ours and calls us, as it would
// the cluster's own CNI: by the file that it has chosen when it started, which is then a copy of ours (docs/multus.md).
import { chmod, copyFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cniVersions, type CniVersion } from '../../core/wire/cni/cni.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'

/** Behind Multus' `00-multus.conf`, in front of what CNIs of clusters are called. */
export const ourFile = '01-megrez.conflist'
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

/** Of Multus, thick and thin. */
const isMultus = (type: string): boolean => type === 'multus-shim' || type === 'multus'
/** Multus that calls the cluster's own by a file, and so may call us. One that has copied it is what makes interfaces. */
const isMeta = ({ type, clusterNetwork }: Plugin): boolean =>
  isMultus(type) && typeof clusterNetwork === 'string' && clusterNetwork.includes('/')
/** Ours, or the copy of it that stands where Multus reads. */
export const isOurs = async (path: string): Promise<boolean> =>
  listIn((await textOf(path)) ?? '')?.plugins.some(({ type }) => type === shimName) === true
/** What makes interfaces of its own: not loopback, which runtimes bring along, nor us. */
const isMaker = (plugin: Plugin): boolean => !['loopback', shimName].includes(plugin.type) && !isMeta(plugin)
const isConf = (file: string): boolean => /\.(conf|conflist|json)$/.test(file)

async function confsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return []
    throw err
  })
  return files.filter(isConf).sort()
}

/** The delegate's configuration, the first in its folder; undefined as long as there is none that can be read. */
export async function delegateConf(folder: string): Promise<DelegateConf | undefined> {
  const first = await firstConf(folder)
  return first === undefined ? undefined : readConf((await textOf(join(folder, first))) ?? '')
}

function readConf(text: string): DelegateConf | undefined {
  const conf = listIn(text)
  return conf?.plugins.some(isMaker) === true ? conf : undefined
}

/** A list of plugins as it is, a single one as a list of one. */
function listIn(text: string): DelegateConf | undefined {
  try {
    const conf = JSON.parse(text) as Partial<DelegateConf> & Partial<Plugin>
    const { name, cniVersion = '0.4.0', plugins = [conf as Plugin] } = conf
    const right = typeof name === 'string' && Array.isArray(plugins) && plugins.every(({ type }) => typeof type === 'string')
    return right ? { name, cniVersion, plugins } : undefined
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
  await takeOver(config, log)
  const text = await ourConf(config)
  for (const file of [ourFile, ...(await calledBy(cniConf))]) await replace(join(cniConf, file), text)
}

/**
 * The same again where others have written beside ours: what they have put there is moved, and ours says what the delegate can. Writes only
 * what differs, and nothing where ours has been taken away: whoever has done so gives the node back.
 */
export async function refreshConf(config: Folders, log: Log): Promise<void> {
  const { cniConf, cniDelegate } = config
  const isLeft = async (): Promise<boolean> =>
    (await textOf(join(cniConf, ourFile))) === undefined || (await textOf(join(cniDelegate, leavingMark))) !== undefined
  if (await isLeft()) return
  await takeOver(config, log)
  const text = await ourConf(config)
  for (const file of [ourFile, ...(await calledBy(cniConf))])
    if (text !== (await textOf(join(cniConf, file))) && !(await isLeft())) await replace(join(cniConf, file), text)
}

/**
 * The files of this folder by which Multus calls what makes a pod's first interface, but for ours: it chooses one when it starts, reads it
 * with each pod, and keeps to it.
 */
async function calledBy(folder: string): Promise<readonly string[]> {
  const called = (await listsIn(folder))
    .flatMap(({ plugins }) => plugins)
    .filter(isMeta)
    .map(({ clusterNetwork }) => basename(String(clusterNetwork)))
  return [...new Set(called)].filter((file) => isConf(file) && file !== ourFile)
}

/**
 * Multus' plugin where it is and its configuration is not: its daemon takes that away when it ends, and the runtime calls us past it.
 *
 * @returns the path of the plugin
 */
export async function multusAway({
  cniConf,
  cniDelegate,
  cniBin,
}: Pick<Folders, 'cniConf' | 'cniDelegate' | 'cniBin'>): Promise<string | undefined> {
  const plugin = (await readdir(cniBin)).find(isMultus)
  if (plugin === undefined) return undefined
  const called = [...(await listsIn(cniConf)), ...(await listsIn(cniDelegate))].flatMap(({ plugins }) => plugins)
  return called.some(({ type }) => isMultus(type)) ? undefined : join(cniBin, plugin)
}

const listsIn = async (folder: string): Promise<readonly DelegateConf[]> =>
  (await Promise.all((await confsIn(folder)).map(async (file) => listIn((await textOf(join(folder, file))) ?? '')))).filter(
    (conf) => conf !== undefined,
  )

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
async function takeOver(config: Folders, log: Log): Promise<void> {
  const { cniConf: from, cniDelegate: to } = config
  const first = await firstConf(from)
  const delegated = await firstConf(to)
  if (first === undefined || (delegated !== undefined && first > delegated)) return
  const text = await textOf(join(from, first))
  if (text !== (await textOf(join(to, first))))
    log.info({ file: first, to }, "the configuration of the cluster's own CNI is moved: it is delegated to")
  const next = join(to, `.${first}.next`)
  await copyFile(join(from, first), next)
  await rename(next, join(to, first))
  if (!(await calledBy(from)).includes(first)) return rename(join(from, first), join(from, `${first}${movedSuffix}`))
  // Who calls by this file always finds one.
  await copyFile(join(from, first), join(from, `${first}${movedSuffix}`))
  await replace(join(from, first), await ourConf(config))
}

/** The name of the first that can be read and makes interfaces. */
async function firstConf(folder: string): Promise<string | undefined> {
  for (const file of await confsIn(folder)) if (readConf((await textOf(join(folder, file))) ?? '') !== undefined) return file
  return undefined
}

async function replace(path: string, text: string): Promise<void> {
  const file = await open(`${path}.next`, 'w', 0o644)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await rename(`${path}.next`, path)
}
