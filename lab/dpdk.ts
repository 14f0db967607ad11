// Open vSwitch with DPDK, and guests of vhost-user ports. DPDK wants huge pages: they are raised while somebody holds them, and given
// back after.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { installPackages } from '../platform/programs/debian.ts'
import { cached } from '../platform/programs/cache.ts'
import { run } from '../platform/programs/run.ts'
import { until } from '../platform/programs/until.ts'
import { keep } from '../platform/redis-server/keep.ts'
import type { Namespace } from './namespaces.ts'

/** Debian's, beside the one without DPDK, which stays what `ovs-vswitchd` names. */
const program = '/usr/lib/openvswitch-switch-dpdk/ovs-vswitchd-dpdk'
/** Without the driver of its memory pools it makes no port. */
const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
const poolDriver = (): boolean => libraries.some((folder) => existsSync(join(folder, 'librte_mempool_ring.so.23')))
const packages = ['openvswitch-switch-dpdk', 'librte-mempool-ring23']
const pagesFile = '/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages'
/** Of 2 MiB: what one switch takes that is limited as below, and some. */
export const pagesOfSwitch = 192

/** For `startOvsNode`: one core for its ports, which sleeps while nothing comes. */
export const dpdkSwitch = {
  program,
  otherConfig: [
    'dpdk-init=true',
    'dpdk-extra=--no-pci',
    'dpdk-socket-mem=256',
    'dpdk-socket-limit=320',
    'pmd-maxsleep=500',
    `pmd-cpu-mask=${(2 ** (availableParallelism() - 1)).toString(16)}`,
  ],
} as const

interface Installing {
  readonly install: boolean
  readonly print: (line: string) => void
}

/** Installs it where that is allowed. @returns undefined when it can be started, else why not */
export async function dpdkMissing({ install, print }: Installing): Promise<string | undefined> {
  const isThere = (): boolean => existsSync(program) && poolDriver()
  const why = isThere() || !install ? undefined : await installPackages(packages, print)
  if (!isThere()) return `Open vSwitch with DPDK: ${why ?? `${program} is not there, and installing was declined`}`
  try {
    await (
      await holdHugePages(pagesOfSwitch)
    )()
    return undefined
  } catch (err) {
    return `Open vSwitch with DPDK: ${(err as Error).message}`
  }
}

/** That many more than there are. @returns what gives them back @throws Error where the machine has none to give */
export async function holdHugePages(count: number): Promise<() => Promise<void>> {
  const now = async (): Promise<number> => Number(await readFile(pagesFile, 'utf8'))
  const add = async (more: number): Promise<void> => writeFile(pagesFile, String(Math.max(0, (await now()) + more)))
  const before = await now().catch(() => undefined)
  if (before === undefined) throw new Error('this kernel has no huge pages')
  await add(count)
  const got = (await now()) - before
  const release = (): Promise<void> => add(-got)
  if (got >= count) return release
  await release()
  throw new Error(`${count} huge pages are not to be had: the kernel gave ${got}`)
}

export interface Guest {
  stop(): Promise<void>
}
export interface GuestOptions {
  readonly namespace: Namespace
  readonly socket: string
  /** It makes the socket, and the switch comes to it. */
  readonly serves: boolean
  readonly ifcName: string
  readonly mac: string
  /** Path of a file. */
  readonly log: string
}

/** A program in a pod that has a vhost-user port, and carries its frames to and from a tap there. */
export async function startGuest({ namespace, socket, serves, ifcName, mac, log }: GuestOptions): Promise<Guest> {
  const args = ['netns', 'exec', namespace.name, await guestProgram(), serves ? 'server' : 'client', socket, ifcName, mac]
  const guest = await keep('ip', args, { log })
  await until(async () => (await namespace.exec('ip', 'link', 'set', ifcName, 'up')).code === 0, `the guest has its tap ${ifcName}`)
  return { stop: () => guest.stop() }
}

/** Built where it is not. */
async function guestProgram(): Promise<string> {
  const source = join(import.meta.dirname, 'vhost/guest.c')
  const hash = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 16)
  const folder = await cached(`vhost-guest-${hash}`, async (half) => {
    const { code, stderr } = await run('gcc', ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', source, '-o', join(half, 'guest')])
    if (code !== 0) throw new Error(`gcc ${source}: ${stderr.trim()}`)
  })
  return join(folder, 'guest')
}
