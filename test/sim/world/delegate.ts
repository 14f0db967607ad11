// The cluster's own CNI on a machine: two plugins in a row, of which each keeps something for a sandbox, and fails when it is told to.
import type { DelegateConf } from '../../../agent/cni/conf.ts'
import type { PluginCall } from '../../../agent/machine/machine.ts'
import { DelegateFailed } from '../../../core/errors.ts'
import type { CniCommand } from '../../../core/wire/cni/cni.ts'
import type { Process } from '../process.ts'

const plugins = ['ipam', 'bridge'] as const
export const delegateConf: DelegateConf = { name: 'cluster', cniVersion: '1.1.0', plugins: plugins.map((type) => ({ type })) }

/** What goes wrong with the next call of one: nothing was done, or all of it was and nobody hears so. */
export interface DelegateFault {
  readonly plugin: number
  readonly how: 'not begun' | 'half'
  readonly of: 'ADD' | 'DEL'
}

export class Delegate {
  readonly faults: DelegateFault[] = []
  /** `plugin containerID` of what is kept. */
  readonly kept = new Set<string>()

  async call(
    command: CniCommand,
    type: string,
    { request: { containerID, ifname, netns, conf } }: PluginCall,
    process: Process,
  ): Promise<string> {
    await process.pass(process.way(), `delegate ${type} ${command} ${containerID}`)
    const at = this.faults.findIndex((fault) => fault.of === command && plugins[fault.plugin] === type)
    const fault = at < 0 ? undefined : this.faults.splice(at, 1)[0]!
    const key = `${type} ${containerID}`
    if (fault?.how !== 'not begun') {
      if (command === 'ADD') this.kept.add(key)
      if (command === 'DEL') this.kept.delete(key)
      if (command === 'GC') this.#collect(type, new Set((conf['cni.dev/valid-attachments'] ?? []).map((each) => each.containerID)))
    }
    await process.pass(process.way(), `delegate ${type} answers`)
    if (fault !== undefined) throw new DelegateFailed({ plugin: type, reason: 'it was told to fail' })
    return command === 'ADD'
      ? JSON.stringify({
          cniVersion: '1.1.0',
          interfaces: [{ name: ifname, sandbox: netns }],
          ips: [{ address: '10.244.0.5/24', interface: 0 }],
          dns: {},
        })
      : ''
  }

  #collect(type: string, valid: ReadonlySet<string>): void {
    for (const key of this.kept) {
      const [of = '', containerID = ''] = key.split(' ')
      if (of === type && !valid.has(containerID)) this.kept.delete(key)
    }
  }

  /** Whether every plugin keeps something for a sandbox. */
  hasWhole(containerID: string): boolean {
    return plugins.every((type) => this.kept.has(`${type} ${containerID}`))
  }
}
