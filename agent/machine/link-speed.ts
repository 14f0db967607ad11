// How much an interface carries, as its card says it.
import { access, readFile } from 'node:fs/promises'

/** Megabits a second (sysfs-class-net), of a card: what the kernel makes by itself says any number. */
export async function linkSpeed(ifname: string): Promise<number | undefined> {
  try {
    await access(`/sys/class/net/${ifname}/device`)
    const speed = Number(await readFile(`/sys/class/net/${ifname}/speed`, 'utf8'))
    return speed > 0 ? speed : undefined
  } catch {
    return undefined
  }
}
