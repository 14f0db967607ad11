// A server of Node.js on its address, and off it.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'

export interface ListenAddress {
  /** Absent: all addresses of the machine, IPv6 too where it has one. */
  readonly host: string | undefined
  /** 0: a free one. */
  readonly l4Port: number
}
export interface Listening {
  readonly l4Port: number
  /** Whoever is connected is cut off. */
  close(): Promise<void>
}

export const hostOf = (host: string | undefined): string =>
  host ?? (Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6')) ? '::' : '0.0.0.0')

/** @param server of HTTP or HTTPS @throws what listening throws */
export async function listen(server: Server, { host, l4Port }: ListenAddress): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: hostOf(host), port: l4Port }, () => resolve())
  })
  return { l4Port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
