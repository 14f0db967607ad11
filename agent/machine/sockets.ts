// Folders and files of dpdk ports' sockets.
import { access, mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function makeSocketFolder(socket: string): Promise<void> {
  await mkdir(dirname(socket), { recursive: true, mode: 0o750 })
}

export const hasSocketFolder = (socket: string): Promise<boolean> =>
  access(dirname(socket)).then(
    () => true,
    () => false,
  )

/** Its folder goes with the last: a pod's program may have left files there, and kubelet takes its mounts away later than we come. */
export async function dropSocket(socket: string): Promise<void> {
  await rm(socket, { force: true })
  await rmdir(dirname(socket)).catch(() => undefined)
}
