// keepalived of the distribution: an address that goes from one pod to another, by VRRP version 3 (RFC 9568).
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { until } from '../../platform/programs/until.ts'
import type { Lab } from '../lab.ts'
import type { Namespace } from '../namespaces.ts'

/** @returns what keeps it from running here; undefined: nothing */
export async function keepalivedMissing({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<string | undefined> {
  if (onPath('keepalived') !== undefined) return undefined
  const why = install ? await installPackages(['keepalived'], print) : 'installing was declined'
  return onPath('keepalived') === undefined ? `keepalived: ${why ?? 'the package has not the program'}` : undefined
}

export interface VirtualRouter {
  readonly id: number
  /** With the length of its block. */
  readonly address: string
  readonly priority: number
  /** The address is at RFC 9568's MAC, 00:00:5e:00:01 and the number, in place of the interface's own. */
  readonly virtualMac: boolean
}

/** Milliseconds between advertisements: whoever misses three is the next master, a little later the lower its priority. */
const advertisedMs = 300

const confOf = ({ id, address, priority, virtualMac }: VirtualRouter): string => `
global_defs {
  router_id lab
  vrrp_version 3
}
vrrp_instance lab {
  state BACKUP
  interface eth0
  virtual_router_id ${id}
  priority ${priority}
  advert_int ${advertisedMs / 1000}
  ${virtualMac ? `use_vmac vrrp${id}` : ''}
  virtual_ipaddress {
    ${address}
  }
}
`

export interface Keepalived {
  /** kill -9 of all its processes; resolves once they are gone. */
  kill(): Promise<void>
  /** It gives the address away, and ends. */
  stop(): Promise<void>
}

/** @param name of its folder */
export async function startKeepalived(lab: Lab, name: string, namespace: Namespace, router: VirtualRouter): Promise<Keepalived> {
  const folder = join(lab.folder, name)
  await mkdir(folder, { recursive: true })
  const [conf, parent, child] = ['conf', 'parent.pid', 'child.pid'].map((file) => join(folder, file)) as [string, string, string]
  await writeFile(conf, confOf(router))
  const args = ['--vrrp', '--dont-fork', '--log-console', '--log-detail', '--use-file', conf, '--pid', parent, '--vrrp_pid', child]
  const kept = await lab.start('keepalived', args, {
    log: name,
    space: { name: namespace.name, pid: 0, enter: ['ip', 'netns', 'exec', namespace.name] },
  })
  const childPid = async (): Promise<number> => Number(await readFile(child, 'utf8').catch(() => ''))
  await Promise.race([
    until(async () => (await childPid()) > 0, `keepalived of ${name} runs`),
    kept.ended.then((code) => Promise.reject(new Error(`keepalived of ${name} ended with ${code}: see ${name}.log`))),
  ])
  return {
    async kill() {
      // The parent would start another.
      process.kill(kept.pid, 'SIGSTOP')
      process.kill(await childPid(), 'SIGKILL')
      process.kill(kept.pid, 'SIGKILL')
      await kept.ended
    },
    stop: () => kept.stop(),
  }
}
