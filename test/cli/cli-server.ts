// A REST server over a store in memory, and the command line that asks it.
import type { AddressInfo } from 'node:net'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

export interface CliServer {
  readonly rest: Harness
  readonly url: string
  /** A word is what stands between spaces. */
  megrez(line: string, token?: string): Promise<CommandOutput>
  close(): Promise<void>
}

export async function openCliServer(): Promise<CliServer> {
  const rest = await openHarness()
  await rest.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(rest.app.server.address() as AddressInfo).port}`
  return {
    rest,
    url,
    megrez: (line, token = rest.token) =>
      outputOf(
        line.split(' ').filter((word) => word !== ''),
        { MEGREZ_URL: url, MEGREZ_TOKEN: token },
      ),
    close: () => rest.close(),
  }
}
