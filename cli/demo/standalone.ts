// The demo of one machine: five pods get their Nics, two fight for an address, everybody is told, and nothing is left.
import { demoNamespaces } from '../../examples/demo-steps.ts'
import { print } from './print.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { Rest } from './rest.ts'
import { startServer } from './server.ts'
import { allTold, playStep, stepsOf, takeBack, type Demo, type PodShown, type Refused } from './story.ts'

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
  const refused: Refused[] = []
  for (const step of await stepsOf()) {
    const shown = await playStep(rest, to, step)
    if (shown === undefined) continue
    if ('nics' in shown) pods.push(shown)
    else refused.push(shown)
  }
  const left = await takeBack(rest, demoNamespaces)
  await allTold(to, pods)
  return { pods, refused, notices: to.notices, left }
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
