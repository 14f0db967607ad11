// A runtime with Multus: the cluster's network of a pod first, and then each that it names, one call after the other. Of one sandbox no two
// calls are under way at once (CNI specification 1.1, section 3).
import type { Resource } from '../../../core/kinds/index.ts'
import { networksOf } from '../../../core/plan/pod/networks.ts'
import type { Truth } from '../truth.ts'
import type { Machine } from './machines.ts'

type Pod = Resource<'Pod'>
export interface SandboxOn {
  readonly machine: Machine
  readonly containerID: string
}
/** One beside the cluster's own. */
export interface InterfaceRequest {
  readonly ifname: string
  readonly conf: object
}
type Call = (command: string, pod: Pod, sandbox: SandboxOn, of?: InterfaceRequest) => Promise<number>

export class Multus {
  readonly #truth: Truth
  readonly #call: Call
  /** Sandbox → what it was asked to have. */
  readonly #asked = new Map<string, readonly InterfaceRequest[]>()
  /** Sandbox → what is under way for it. */
  readonly #busy = new Map<string, Promise<number>>()

  constructor(truth: Truth, call: Call) {
    this.#truth = truth
    this.#call = call
  }

  /** The first code that is not 0. */
  call(command: 'ADD' | 'DEL', pod: Pod, sandbox: SandboxOn): Promise<number> {
    if (networksOf(pod).length === 0) return this.#call(command, pod, sandbox)
    const { containerID } = sandbox
    const next = (this.#busy.get(containerID) ?? Promise.resolve(0)).then(() =>
      command === 'ADD' ? this.#add(pod, sandbox) : this.#del(pod, sandbox),
    )
    this.#busy.set(containerID, next)
    return next
  }

  async #add(pod: Pod, sandbox: SandboxOn): Promise<number> {
    const configs = networksOf(pod).map((key) => this.#truth.at('NetworkAttachmentDefinition', key)?.spec.config)
    const all = configs.flatMap((config, i) =>
      config === undefined ? [] : [{ ifname: `net${i + 1}`, conf: JSON.parse(config) as object }],
    )
    if (all.length < configs.length) return 1
    this.#asked.set(sandbox.containerID, all)
    for (const each of [undefined, ...all]) {
      const code = await this.#call('ADD', pod, sandbox, each)
      if (code !== 0) return code
    }
    return 0
  }

  /** All of them, whatever becomes of one. */
  async #del(pod: Pod, sandbox: SandboxOn): Promise<number> {
    let code = 0
    for (const each of [...(this.#asked.get(sandbox.containerID) ?? []).toReversed(), undefined])
      code = (await this.#call('DEL', pod, sandbox, each)) || code
    return code
  }
}
