// The demo of one machine: five pods get their Nics, two fight for an address, everybody is told, and nothing is left.
import { until } from '../../platform/programs/until.ts'
import { print } from './print.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { Rest } from './rest.ts'
import { startServer } from './server.ts'
import {
  applyAll,
  manifestsOf,
  refusal,
  settleMs,
  showPod,
  takeBack,
  withCallback,
  type Demo,
  type PodShown,
  type Refused,
} from './story.ts'

/** @returns what was not as it should be */
export async function demoStandalone({ json, install }: { readonly json: boolean; readonly install: boolean }): Promise<readonly string[]> {
  const server = await startServer(install ? [] : ['--no-install'])
  const receiver = await startReceiver()
  try {
    const demo = await play(new Rest(server), receiver)
    process.stdout.write(json ? `${JSON.stringify(demo)}\n` : print(demo))
    return wrongWith(demo)
  } finally {
    await server.stop()
    await receiver.stop()
  }
}

async function play(rest: Rest, to: Receiver): Promise<Demo> {
  const pods: PodShown[] = []
  for (const n of [1, 2, 3, 4, 5])
    pods.push(
      await showPod(
        rest,
        to,
        `pod${n}`,
        (await manifestsOf(`pod${n}.yaml`)).map((each) => withCallback(each, to.url)),
      ),
    )
  const refused = await both(rest)
  const namespaces = [...pods.map((pod) => pod.namespace), 'together']
  const left = await takeBack(rest, namespaces)
  // Deletion does not wait for its notices; the demo does.
  await until(
    async () =>
      pods.every((pod) =>
        to.notices.some((notice) => notice.kind === 'Pod' && notice.namespace === pod.namespace && notice.phase === 'deleted'),
      ),
    'the last notices have come',
    settleMs,
  )
  return { pods, refused, notices: to.notices, left }
}

/** pod3 and pod5 in one namespace: both ask for 192.168.0.12. */
async function both(rest: Rest): Promise<readonly Refused[]> {
  const five = await manifestsOf('pod5.yaml')
  const three = (await manifestsOf('pod3.yaml')).filter((each) => each.kind === 'Pod')
  const named = (of: typeof five, name: string): typeof five =>
    of.map((each) => (each.kind === 'Pod' ? { ...each, metadata: { ...each.metadata, name } } : each))
  await applyAll(rest, [...five.filter((each) => each.kind !== 'Pod'), ...named(three, 'pod3')], 'together')
  const answer = await applyAll(
    rest,
    named(
      five.filter((each) => each.kind === 'Pod'),
      'pod5',
    ),
    'together',
  )
  return answer.status === 201 ? [] : [refusal('together/pod5', answer)]
}

function wrongWith(demo: Demo): string[] {
  const wrong: string[] = []
  if (demo.pods.some((pod) => pod.nics.length === 0 || pod.nics.some((nic) => nic.address === '')))
    wrong.push('a pod is without an address')
  if (demo.refused.length !== 1) wrong.push('the taken address was not refused')
  if (demo.left.length > 0) wrong.push(`left behind: ${demo.left.join(', ')}`)
  if (demo.notices.some((notice) => !notice.signed)) wrong.push('a notice was not signed')
  const last = new Map<string, number>()
  for (const { kind, namespace, name, sequence } of demo.notices) {
    const key = `${kind} ${namespace}/${name}`
    if (sequence < (last.get(key) ?? 0)) wrong.push(`${key} was told out of order`)
    last.set(key, sequence)
  }
  return wrong
}
