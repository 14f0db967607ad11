// Whether packets of a connection pass: its client pings the endpoint's addresses out of its own interface.
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import { run, type Outcome } from '../../../programs/run.ts'

/** For an answer to one ping. */
const answerSeconds = 0.3

/**
 * For `heal`, of mechanism KERNEL; of others it is taken that they pass, as nothing of the kernel's is there to ask.
 *
 * @param program runs one in the client's network namespace; absent: this process is in it
 */
export const pingEndpoint =
  (program: (name: string, ...args: readonly string[]) => Promise<Outcome> = (name, ...args) => run(name, args)) =>
  async ({ mechanism, context }: Connection): Promise<boolean> => {
    const addresses = (context?.ipContext?.dstIpAddrs ?? []).map((text) => text.replace(/\/.*$/, ''))
    if (mechanism?.type !== 'KERNEL' || addresses.length === 0) return true
    const out = ['-n', '-c', '1', '-W', String(answerSeconds), '-I', mechanism.parameters.get('name') ?? '']
    const answers = await Promise.all(addresses.map((address) => program('ping', ...out, address)))
    return answers.every(({ code }) => code === 0)
  }
