// Ends the agents for good: what the chart runs before it is uninstalled. Each gives its node back while it ends; one that does not
// answer, on a node that is dead, holds nothing up.
import { leavingAnnotation } from '../core/kinds/annotations.ts'
import { pause, realClock } from '../platform/clock.ts'
import { absent, ok } from '../platform/kube/answers.ts'
import type { KubeApi } from '../platform/kube/client.ts'
import { readConfig } from '../platform/config.ts'
import { makeLog, type Log } from '../platform/log.ts'
import { openKubeStore } from '../platform/store/kube/open.ts'

/** As the chart names it. */
const daemonSet = 'megrez-agent'
/** A pod that ends has 30 s; helm waits for five minutes. */
const waitMs = 90_000
const pollMs = 500
const clock = realClock

/** @throws Error where the API server refuses */
async function endAgents(client: KubeApi, namespace: string, log: Log): Promise<void> {
  const at = { resource: 'daemonsets', path: `/apis/apps/v1/namespaces/${namespace}/daemonsets/${daemonSet}` }
  const send = async (ask: Omit<Parameters<KubeApi['ask']>[0], 'resource' | 'path'>): Promise<boolean> => {
    const answer = await client.ask({ ...at, ...ask })
    if (!ok(answer) && !absent(answer)) throw new Error(`${ask.verb} ${at.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return ok(answer)
  }
  await send({
    verb: 'patch',
    contentType: 'application/merge-patch+json',
    body: { metadata: { annotations: { [leavingAnnotation]: 'true' } } },
  })
  // It stays until its pods have gone, so that each can still ask it.
  await send({ verb: 'delete', body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' } })
  const end = clock.elapsed() + waitMs
  while (await send({ verb: 'get' })) {
    if (clock.elapsed() > end) return log.warn({ waitMs }, 'not every agent has ended: its node is as it left it')
    await pause(pollMs, clock)
  }
  log.info('every agent has ended, and given its node back')
}

const config = readConfig(process.env)
const store = await openKubeStore({ plain: true, ...(config.kubeconfig !== undefined && { kubeconfig: config.kubeconfig }) })
try {
  await endAgents(store.client, config.namespace, makeLog(config.logLevel))
} finally {
  await store.close()
}
