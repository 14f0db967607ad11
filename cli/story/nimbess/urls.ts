// What Nimbess' deck says of URLs, where HAProxy is: a policy refuses requests by what they ask for, and the server sees who asks.
import type { Stops } from '../../../lab/lab.ts'
import type { Namespace } from '../../../lab/namespaces.ts'
import { serves } from '../../../lab/nodes/connections.ts'
import { until } from '../../../platform/programs/until.ts'
import { settleMs } from '../../demo/story.ts'
import type { PlacedPod } from '../../demo/two-nodes.ts'
import type { Sentence } from '../sentence.ts'

interface UrlStage {
  readonly from: PlacedPod
  readonly to: PlacedPod
  readonly stops: Stops
  /** From now on requests of `from` for these URLs are refused. */
  readonly refuse: (urls: readonly string[]) => Promise<void>
}

export async function urlSentences({ from, to, stops, refuse }: UrlStage): Promise<readonly Sentence[]> {
  stops.push(await serves(to.sandbox.namespace, server))
  const { address } = to.pod
  let last = ''
  const holds = async (says: string, expected: Readonly<Record<string, string>>): Promise<Sentence> => {
    const isSo = async (): Promise<boolean> => {
      const answers = await Promise.all(Object.keys(expected).map((path) => answerFor(from.sandbox.namespace, `http://${address}${path}`)))
      last = answers.join(', ')
      return answers.every((answer, i) => answer === Object.values(expected)[i])
    }
    return until(isSo, says, settleMs).then(
      () => ({ says, wrong: [] }),
      () => ({ says, wrong: [`the answers are ${last}`] }),
    )
  }
  const served = `200 for ${from.pod.address}`
  await refuse([`${address}/evil`])
  const refused = await holds('a policy refuses a URL, and lets all others of that server pass, which sees who asks', {
    '/evil': '403',
    '/%65vil': '403',
    '/good': served,
  })
  await refuse([])
  return [refused, await holds('and the URL is answered again once the policy refuses it no more', { '/evil': served })]
}

/** Answers every request with the address of who asks. */
const server = `require('node:http').createServer((q, r) => r.end(q.socket.remoteAddress)).listen(80, '0.0.0.0', () => console.log('listens'))`

/** Its status, and what a server says; `none` where nobody answers. */
async function answerFor(from: Namespace, url: string): Promise<string> {
  const script = `fetch('${url}', { signal: AbortSignal.timeout(4000) }).then(
    async (r) => console.log(r.status === 200 ? '200 for ' + (await r.text()) : r.status), () => console.log('none'))`
  return (await from.exec(process.execPath, '-e', script)).stdout.trim()
}
