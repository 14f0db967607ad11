import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** So many different TCP ports that nobody on loopback listens on at the moment, for programs that cannot be told 0. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports
}
