// How soon a pod that is a client of a NetworkService reaches its endpoint, against a pod that is just in the same Subnet; and connections
// of gRPC through an nsmgr, a forwarder and an endpoint of ours: how many a second, and what each that is open holds in all of them.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startTwoNodes } from '../../cli/demo/two-nodes.ts'
import { ServiceStage, type ServiceNic } from '../../cli/story/nsm/stage.ts'
import { inLab } from '../../lab/lab.ts'
import { realClock } from '../../platform/clock.ts'
import { trials } from '../setup/trials.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { openNsmSystem } from './lib/nsm-system.ts'
import { interleaved, type Measured } from './lib/rounds.ts'

export const description =
  "a pod's way from its creation to its first answer from a NetworkService's endpoint, beside a bare Port's; connections of gRPC a second, and bytes each"

const rounds = 15
const tenant = 't'
const connections = trials(10_000)
const longestMs = 540_000

/** From the creation of a pod to the first echo that it gets. Milliseconds. */
async function firstEcho(stage: ServiceStage, name: string, nic: ServiceNic, to: string): Promise<number> {
  const began = realClock.elapsed()
  const { sandbox } = await stage.place(name, 'n1', nic)
  const { code, stdout } = await sandbox.namespace.exec('ping', '-c', '1', '-i', '0.01', '-w', '20', to)
  if (code !== 0) throw new Error(`${name} reaches nobody: ${stdout}`)
  return realClock.elapsed() - began
}

const podsOf = (): Promise<Record<'client' | 'bare', Measured>> =>
  inLab(async (lab, stops) => {
    const stage = await ServiceStage.open(await startTwoNodes(lab, false, stops), tenant, 'dns')
    await stage.place('server', 'n1', { serves: 'dns' })
    await stage.place('neighbour', 'n1', { subnet: 'all' })
    await stage.serving(1)
    const [server, neighbour] = [await stage.addressOf('server'), await stage.addressOf('neighbour')]
    let n = 0
    return interleaved(rounds, {
      client: () => firstEcho(stage, `client-${n++}`, { networkService: 'dns' }, server),
      bare: () => firstEcho(stage, `bare-${n++}`, { subnet: 'all' }, neighbour),
    })
  })

function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function connectionsOf(): Promise<{ readonly rate: number; readonly bytes: number }> {
  const system = await openNsmSystem({ tokenMs: 3_600_000 })
  try {
    await system.connectMany(200, 'warm')
    const held = heldBytes()
    const began = realClock.elapsed()
    await system.connectMany(connections)
    const seconds = (realClock.elapsed() - began) / 1_000
    return { rate: connections / seconds, bytes: (heldBytes() - held) / connections }
  } finally {
    await system.stop()
  }
}

export default async function connect(): Promise<readonly Metric[]> {
  realClock.after(longestMs, () => process.exit(1), { keepsAlive: true })
  const { client, bare } = await podsOf()
  console.log(`first echo: client ${client.median.toFixed(0)} ms, bare ${bare.median.toFixed(0)} ms (spread ${bare.spread.toFixed(2)})`)
  const { rate, bytes } = await connectionsOf()
  return [
    {
      ...absolute('request-p50', 'ms beyond the floor', client.median - bare.median, { atMost: 10 }),
      floor: Number(bare.median.toPrecision(6)),
      ratio: Number((client.median / bare.median).toPrecision(6)),
      spread: Number(bare.spread.toPrecision(6)),
    },
    absolute('rate', 'connections a second', rate, { atLeast: 100 }),
    absolute('bytes-per-connection', 'bytes in client, nsmgr, forwarder and endpoint together', bytes, { atMost: 10_240 }),
  ]
}
