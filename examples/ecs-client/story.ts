// A container service that has its network from Megrez, over REST alone: a Port first, then a pod that is joined to it, and away
// with both. It polls nothing: it is told.
import { Ecs, type Identity } from './client.ts'
import { startReceiver } from './receiver.ts'

export interface Tenant extends Identity {
  /** A Subnet that it may use. */
  readonly subnet: string
  readonly vpc: string
  /** What callbacks are signed with: `whsec_…`. */
  readonly secret: string
}

const patienceMs = 60_000

/** @returns the addresses that the Port had before, with, and after the pod: the same ones */
export async function run(
  { subnet, vpc, secret, ...identity }: Tenant,
  say: (line: string) => void,
): Promise<readonly (readonly string[])[]> {
  const ecs = new Ecs(identity)
  const receiver = await startReceiver(secret)
  const signal = AbortSignal.timeout(patienceMs)
  const addresses = async (name: string): Promise<readonly string[]> => (await ecs.getPort(name)).status?.addresses ?? []
  try {
    await ecs.createPort('task-1', { subnet, portID: 'task-1', retain: true, callbackURL: receiver.url })
    await receiver.phase('Port', 'task-1', 'ready', signal)
    const before = await addresses('task-1')
    say(`Port task-1 is ready with ${before.join(', ')}`)

    await ecs.createPod(
      'task-1',
      { containers: [{ name: 'task', image: 'example.org/task' }], vpc, nics: [{ name: 'eth0', subnet, portID: 'task-1' }] },
      receiver.url,
    )
    await receiver.phase('Pod', 'task-1', 'ready', signal)
    const joined = await addresses('task-1')
    say('pod task-1 is joined to it')

    await ecs.deletePod('task-1')
    await receiver.phase('Pod', 'task-1', 'deleted', signal)
    const after = await addresses('task-1')
    say(`pod task-1 is gone, and the Port keeps ${after.join(', ')}`)

    await ecs.deletePort('task-1')
    await receiver.phase('Port', 'task-1', 'deleted', signal)
    say('Port task-1 is gone')
    return [before, joined, after]
  } finally {
    receiver.stop()
  }
}
