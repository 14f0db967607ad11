// An interface in the node's own network that no router may configure: whoever is on the tenant's segment could give the node routes.
import { writeFile } from 'node:fs/promises'

/** Before it is up. A kernel without IPv6, or an interface in another namespace than that of this process, has no such file. */
export async function refuseRouterAdvertisements(ifname: string): Promise<void> {
  try {
    await writeFile(`/proc/sys/net/ipv6/conf/${ifname}/accept_ra`, '0')
  } catch (err) {
    if ((err as { readonly code?: string }).code !== 'ENOENT') throw err
  }
}
