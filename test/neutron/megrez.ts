// The command line, on the server of the tests.
import { outputOf, type CommandOutput } from '../cli/command-output.ts'
import type { PodsOfCloud } from './pods.ts'

export const megrez = (cloud: PodsOfCloud, ...args: readonly string[]): Promise<CommandOutput> => {
  const { url, token } = cloud.agents().server
  return outputOf(args, { MEGREZ_URL: url, MEGREZ_TOKEN: token })
}
