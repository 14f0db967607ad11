// Who listens where BGP does.
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { BGPHost } from './host.ts'

/** TCP (RFC 4271 section 8). */
const bgpL4Port = 179
/** TCP_LISTEN of the kernel's net/tcp_states.h. */
const listening = '0A'

/** @returns who listens on TCP port 179, in words; undefined: nobody */
export async function holderOfBgp(host: BGPHost): Promise<string | undefined> {
  const { stdout } = await host.run('cat', '/proc/net/tcp', '/proc/net/tcp6')
  const port = bgpL4Port.toString(16).toUpperCase().padStart(4, '0')
  for (const line of stdout.split('\n')) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    if (state === listening && local.endsWith(`:${port}`)) return nameOfHolder(inode)
  }
  return undefined
}

async function nameOfHolder(inode: string): Promise<string> {
  for (const pid of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const links = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
    if (links.includes(`socket:[${inode}]`)) return `${(await readFile(`/proc/${pid}/comm`, 'utf8')).trim()} (process ${pid})`
  }
  return 'a process that is not seen from here'
}
