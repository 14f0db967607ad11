// The kubelet of each Node: a sandbox for every pod, asked for until it is there; taken down when the pod goes.
import type { Resource } from '../../../core/kinds/index.ts'
import { keyOf, refOf } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { shimBytes } from '../../agent/node.ts'
import type { World } from '../happening.ts'
import { type Machine } from './machines.ts'
import { netnsOf } from './netns.ts'
import { Multus, type InterfaceRequest, type SandboxOn } from './multus.ts'
import type { Verb } from './runtime.ts'
import { kubeletFinalizer } from './outside.ts'

type Pod = Resource<'Pod'>

const noticedMs = 800
const usualPatienceMs = 150_000
/** As kubelet does: from three seconds on, twice as long each time. */
const againMs = (attempt: number): number => Math.min(60_000, 3_000 * 2 ** attempt)

const lateMs = 20_000

export function runKubelets({ site, outside, machines }: World): void {
  const { truth, scheduler } = site
  const dice = site.dice.fork('kubelets')
  /** UID of a pod → the sandbox it has, or is to have. */
  const sandboxes = new Map<string, { readonly containerID: string; readonly machine: Machine; readonly boot: number }>()
  /** All there ever were, in order. */
  const past: { readonly pod: Pod; readonly containerID: string; readonly machine: Machine; readonly boot: number }[] = []
  /**
   * Sandboxes of which an agent has answered something: what was asked for others was never in its hands, and cannot be carried out late.
   */
  const heard = new Set<string>()
  let numbers = 0
  /** Its kubelet hears of it once it is heard itself. */
  const connectedIn = (node: string | undefined): number => Math.max(0, (machines.all.get(node ?? '')?.cutUntil ?? 0) - scheduler.now)
  const soon = (what: string, pod: Pod, doing: (pod: Pod) => void): void =>
    void scheduler.after(connectedIn(pod.spec.nodeName) + dice.next() * noticedMs, `kubelet ${what} pod ${keyOf(pod.metadata)}`, () =>
      doing(pod),
    )
  truth.on(({ kind, before, after }) => {
    if (kind !== 'Pod') return
    const pod = (after ?? before) as Pod
    const goes = after === undefined || isGoing(pod)
    // One that was never placed has no kubelet that would hold it up.
    if (pod.spec.nodeName === undefined) return goes ? soon('forgets', pod, letGo) : undefined
    if ((before as Pod | undefined)?.spec.nodeName === undefined) soon('sees', pod, begin)
    if (goes) soon('ends', pod, end)
  })
  site.onMachine((name, up) => {
    if (up)
      for (const pod of truth.values('Pod'))
        if (pod.spec.nodeName === name)
          scheduler.after(dice.next() * noticedMs, `kubelet sees pod ${keyOf(pod.metadata)}`, () => (isGoing(pod) ? end(pod) : begin(pod)))
  })

  const current = (pod: Pod): Pod | undefined => {
    const there = truth.at('Pod', keyOf(pod.metadata))
    return there?.metadata.uid === pod.metadata.uid ? there : undefined
  }

  function begin(pod: Pod, attempt = 0): void {
    const there = current(pod)
    const machine = machines.of(pod.spec.nodeName ?? there?.spec.nodeName ?? '')
    if (there === undefined || isGoing(there) || !machine.up) return
    const containerID = `c${++numbers}`
    const sandbox = { containerID, machine, boot: machine.boot }
    sandboxes.set(pod.metadata.uid, sandbox)
    past.push({ pod, ...sandbox })
    outside.spawn('ADD', async () => {
      const ok = (await multus.call('ADD', there, { machine, containerID })) === 0
      if (ok && machine.repeatedAdds > 0 && machine.repeatedAdds-- > 0) await multus.call('ADD', there, { machine, containerID })
      if (sandboxes.get(pod.metadata.uid)?.containerID !== containerID) return
      if (ok) machine.sandboxes.set(pod.metadata.uid, containerID)
      if (ok) await outside.process.pass(connectedIn(machine.name), `kubelet says that ${keyOf(pod.metadata)} runs`)
      if (ok)
        return outside.write('kubelet', () =>
          outside.status(
            'Pod',
            keyOf(pod.metadata),
            (was) => (isPodFinished({ ...there, status: was } as Pod) ? was! : { ...was, phase: 'Running' }),
            'kubelet',
          ),
        )
      await multus.call('DEL', there, { machine, containerID })
      scheduler.after(
        againMs(attempt),
        `kubelet tries pod ${keyOf(pod.metadata)} again`,
        () => sandboxes.get(pod.metadata.uid)?.containerID === containerID && begin(pod, attempt + 1),
      )
    })
  }

  function end(pod: Pod): void {
    const sandbox = sandboxes.get(pod.metadata.uid)
    sandboxes.delete(pod.metadata.uid)
    if (sandbox === undefined || sandbox.boot !== sandbox.machine.boot || !sandbox.machine.up) return letGo(pod)
    const { machine, containerID } = sandbox
    const del = async (attempt = 0): Promise<void> => {
      if (machine.lostDels > 0 && machine.lostDels-- > 0) return letGo(pod)
      if ((await multus.call('DEL', pod, { machine, containerID })) === 0 || machine.boot !== sandbox.boot) return letGo(pod)
      scheduler.after(againMs(attempt), `kubelet takes down ${containerID} again`, () => outside.spawn('DEL', () => del(attempt + 1)))
    }
    outside.spawn('DEL', del)
  }

  function letGo(pod: Pod): void {
    const there = current(pod)
    if (there?.metadata.deletionTimestamp === undefined) return
    outside.write('kubelet', () =>
      truth.commit([{ do: 'removeFinalizer', ref: refOf(there), uid: there.metadata.uid, finalizer: kubeletFinalizer }], 'kubelet'),
    )
    site.graceIsOver(there)
  }

  machines.runtime = {
    renew(pod, del) {
      const old = sandboxes.get(pod.metadata.uid)
      if (
        old === undefined ||
        !old.machine.up ||
        old.boot !== old.machine.boot ||
        old.machine.sandboxes.get(pod.metadata.uid) !== old.containerID
      )
        return
      const down = (attempt = 0): void =>
        outside.spawn('DEL', async () => {
          if ((await multus.call('DEL', pod, old)) === 0 || old.machine.boot !== old.boot) return
          // A kubelet goes on until a sandbox that is no pod's is down.
          scheduler.after(againMs(attempt), `runtime takes down ${old.containerID} again`, () => down(attempt + 1))
        })
      if (del === 'before') down()
      begin(pod)
      if (del === 'after') down()
      if (del === 'late') scheduler.after(dice.next() * lateMs, `runtime takes down ${old.containerID} late`, () => down())
    },
    ask(verb, node, nth) {
      const machine = machines.of(node)
      const all = past.filter((each) => each.machine === machine && each.boot === machine.boot)
      const one = all[all.length - 1 - nth]
      if (one === undefined || !machine.up) return
      if (!isAsked(verb, one, machine)) return
      outside.spawn(verb, async () => {
        await call(verb, one.pod, one)
        // An ADD that was overtaken by its end is ended once more.
        if (verb === 'ADD') await call('DEL', one.pod, one)
      })
    },
  }

  /** Of one that is there a runtime asks what does no harm; whatever comes late is of one that it has given up. */
  function isAsked(verb: Verb, { pod, containerID }: { readonly pod: Pod; readonly containerID: string }, machine: Machine): boolean {
    // Section 3 of the specification: not while anything is added or deleted. Whether it waits for the end of GC is another matter.
    if (verb === 'GC') return machine.calls === 0
    const isThere = sandboxes.get(pod.metadata.uid)?.containerID === containerID
    if (verb === 'ADD') return !isThere && heard.has(containerID)
    return verb === 'DEL' ? !isThere : isThere
  }

  /** What the runtime knows of a machine, as GC tells it. */
  const valid = (machine: Machine): object[] =>
    [...sandboxes.values()].filter((each) => each.machine === machine).map(({ containerID }) => ({ containerID, ifname: 'eth0' }))

  const multus = new Multus(truth, call)

  /** The code that the runtime is answered; -1 where nobody answers. */
  async function call(
    command: string,
    { metadata: { namespace = '', name, uid } }: Pod,
    { machine, containerID }: SandboxOn,
    of?: InterfaceRequest,
  ): Promise<number> {
    await outside.process.pass(outside.process.way(), `CNI ${command} ${namespace}/${name} ${containerID}`)
    if (machine.answer === undefined) return -1
    const { boot } = machine
    const env = {
      CNI_COMMAND: command,
      CNI_PATH: '/opt/cni/bin',
      ...(command !== 'GC' && command !== 'STATUS' && sandboxOf({ namespace, name, uid }, containerID, of)),
    }
    const text = await answered(command, env, machine, of)
    const code = machine.boot === boot ? Number(text.slice(0, text.indexOf('\n'))) : -1
    if (code !== -1) heard.add(containerID)
    if (command === 'DEL' && code === 0) machine.ended.add(containerID)
    scheduler.say(machine.name, `CNI ${command} ${namespace}/${name} ${containerID}: ${code} ${code === 0 ? '' : text.slice(0, 200)}`)
    return code
  }

  /** An agent that dies answers no more: the runtime gives up after a while, or much sooner. */
  async function answered(
    command: string,
    env: Readonly<Record<string, string>>,
    machine: Machine,
    of?: InterfaceRequest,
  ): Promise<string> {
    const conf = of?.conf ?? {
      cniVersion: '1.1.0',
      name: 'megrez',
      type: 'megrez',
      ...(command === 'GC' && { 'cni.dev/valid-attachments': valid(machine) }),
    }
    const patienceMs = command === 'ADD' ? (machine.cancelledAdds.shift() ?? usualPatienceMs) : usualPatienceMs
    machine.calls++
    const text = await Promise.race([
      machine.answer!(shimBytes(env, JSON.stringify(conf))),
      outside.process.pass(patienceMs, `CNI ${command} is given up`).then(() => '-1\n'),
    ])
    machine.calls--
    machine.calledAt = scheduler.now
    return text
  }
}

const sandboxOf = (pod: Parameters<typeof netnsOf>[0], containerID: string, of?: InterfaceRequest): Readonly<Record<string, string>> => ({
  CNI_CONTAINERID: containerID,
  CNI_NETNS: netnsOf(pod, containerID),
  CNI_IFNAME: of?.ifname ?? 'eth0',
  CNI_ARGS: `IgnoreUnknown=1;K8S_POD_NAMESPACE=${pod.namespace};K8S_POD_NAME=${pod.name};K8S_POD_UID=${pod.uid}`,
})

const isGoing = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined || isPodFinished(pod)
