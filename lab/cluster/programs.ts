// What a cluster needs of the machine: built, found, or installed from the distribution.
import { existsSync } from 'node:fs'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { clusterComponents, components } from '../programs/binaries.ts'

export type ClusterPrograms = Readonly<Record<(typeof clusterComponents)[number], string>> & {
  readonly busybox: string
  /** Folder of the standard CNI plugins. */
  readonly cniPlugins: string
}

const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin']
/** Debian's packages and the programs they are wanted for. */
const packages: Readonly<Record<string, readonly string[]>> = {
  containerd: ['containerd', 'ctr'],
  runc: ['runc'],
  'busybox-static': ['busybox'],
  iproute2: ['ip'],
  // Of the image.
  bird2: ['bird', 'birdc'],
  haproxy: ['haproxy'],
  ethtool: ['ethtool'],
  'util-linux': ['nsenter', 'unshare', 'setpriv'],
}

/** All of it, or a sentence for each thing that is missing. Builds what it may, which takes minutes the first time. */
export async function clusterPrograms({
  install,
  build = true,
  print,
}: {
  readonly install: boolean
  readonly build?: boolean
  readonly print: (line: string) => void
}): Promise<ClusterPrograms | { readonly missing: readonly string[] }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { missing: ['a cluster: its nodes are namespaces, which only root on Linux can make'] }
  const found = await components(clusterComponents, { report: print, build })
  if ('missing' in found) return found
  const why = await installMissing(install, print)
  const [busybox, cniPlugins] = [onPath('busybox'), pluginFolder()]
  const missing = missingPackages().map((name) => `${name}: ${why ?? 'installed, yet not found'}`)
  if (missing.length > 0 || busybox === undefined || cniPlugins === undefined) return { missing }
  return { ...found, busybox, cniPlugins }
}

/** Why packages that are missing could not be installed, if so. */
async function installMissing(install: boolean, print: (line: string) => void): Promise<string | undefined> {
  const lacking = missingPackages()
  if (lacking.length === 0) return undefined
  return install ? installPackages(lacking, print) : 'it is not there, and installing it was declined'
}

function missingPackages(): string[] {
  const lacking = Object.entries(packages)
    .filter(([, programs]) => programs.some((program) => onPath(program) === undefined))
    .map(([name]) => name)
  return pluginFolder() === undefined ? [...lacking, 'containernetworking-plugins'] : lacking
}

/** The folder of the standard CNI plugins, from Debian where they are not there, or why not. */
export async function standardPlugins({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const name = 'containernetworking-plugins'
  const why =
    pluginFolder() !== undefined
      ? undefined
      : install
        ? await installPackages([name], print)
        : 'it is not there, and installing it was declined'
  const folder = pluginFolder()
  return folder === undefined ? { missing: `${name}: ${why ?? 'installed, yet not found'}` } : { folder }
}

const pluginFolder = (): string | undefined =>
  pluginFolders.find((folder) => existsSync(`${folder}/ptp`) && existsSync(`${folder}/host-local`))
