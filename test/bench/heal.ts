// A client's endpoint is killed: how long until the endpoint that it has then answers it.
import { startTwoNodes } from '../../cli/demo/two-nodes.ts'
import { ServiceStage } from '../../cli/story/nsm/stage.ts'
import { inLab } from '../../lab/lab.ts'
import { realClock } from '../../platform/clock.ts'
import { until } from '../../platform/programs/until.ts'
import { trials } from '../setup/trials.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { quantile } from './lib/rounds.ts'

export const description = "a client's endpoint is killed, until the other one answers the client: p50 and p99"

const kills = trials(40)
const tenant = 't'
const longestMs = 540_000

const killsOf = (): Promise<readonly number[]> =>
  inLab(async (lab, stops) => {
    const stage = await ServiceStage.open(await startTwoNodes(lab, false, stops), tenant, 'dns')
    await stage.place('server-0', 'n1', { serves: 'dns' })
    await stage.serving(1)
    await stage.place('client', 'n1', { networkService: 'dns' })
    const took: number[] = []
    for (let n = 1; n <= kills; n++) {
      // Now on the one node, now on the other: the client has the one that was there before.
      await stage.place(`server-${n}`, n % 2 === 0 ? 'n1' : 'n2', { serves: 'dns' })
      await stage.serving(2)
      const [had, next] = [await stage.addressOf(`server-${n - 1}`), await stage.addressOf(`server-${n}`)]
      await until(() => stage.pings('client', had), 'the client reaches the one that it has', 30_000)
      const { sandbox, on } = stage.pods.get(`server-${n - 1}`)!
      const began = realClock.elapsed()
      await stage.end(`server-${n - 1}`)
      const gone = on.cni('DEL', sandbox)
      const { code } = await stage.pods.get('client')!.sandbox.namespace.exec('ping', '-c', '1', '-i', '0.01', '-w', '30', next)
      took.push(realClock.elapsed() - began)
      if (code !== 0) throw new Error(`kill ${n}: the client reaches nobody`)
      await gone
    }
    return took
  })

export default async function heal(): Promise<readonly Metric[]> {
  realClock.after(longestMs, () => process.exit(1), { keepsAlive: true })
  const took = await killsOf()
  console.log(`${took.length} kills: p50 ${quantile(took, 0.5).toFixed(0)} ms, most ${Math.max(...took).toFixed(0)} ms`)
  return [absolute('p99', 'ms', quantile(took, 0.99), { atMost: 2_000 })]
}
