// What an agent takes of its machine beside links and data plane, as something handed in: a simulation has another.
import type { CniCommand, CniRequest } from '../../core/wire/cni/cni.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { DelegateConf } from '../cni/conf.ts'

/** One request of the container runtime as the shim sends it, and the text that it prints. */
export type CniReply = (request: Uint8Array) => Promise<string>

export interface Listening {
  /** Takes no more calls, and waits for those under way. */
  close(): Promise<void>
}
export interface PluginCall {
  readonly request: CniRequest
  /** Where plugins are looked for beside the runtime's own path. */
  readonly bin: string
  readonly signal: AbortSignal
}
/** How a Port's program has ended. */
export interface ProgramRan {
  readonly exitStatus: number
  readonly stdOut: string
  readonly stdErr: string
}
/** KOS's exit status of what never really ran. */
export const neverRan = -2

export interface Machine {
  /** Takes calls of the container runtime there. */
  listen(path: string, answer: CniReply): Promise<Listening>
  /** Puts our CNI configuration in front of the cluster's own. */
  install(config: Config, log: Log): Promise<void>
  /** The same again, where others have written beside ours. */
  refreshConf(config: Config, log: Log): Promise<void>
  /** Calls when something in the folder has changed, as far as the system tells. @returns ends it */
  watchFolder(path: string, onChange: () => void): () => void
  /** Gives the cluster's own its place back. */
  leave(config: Config): Promise<void>
  /** Undefined as long as there is none that can be read. */
  delegateConf(folder: string): Promise<DelegateConf | undefined>
  /** The path of Multus' plugin, where that is there and has no configuration. */
  multusAway(config: Config): Promise<string | undefined>
  /** Starts a CNI plugin. @throws DelegateFailed */
  plugin(command: CniCommand, type: string, stdin: object, call: PluginCall): Promise<string>
  /** Runs a Port's program, it and its arguments, in that network namespace or the node's own. Never throws. */
  run(command: readonly string[], netns?: string): Promise<ProgramRan>
  /** For the socket of a dpdk port at this path, which is made by others. Twice is once. */
  makeSocketFolder(socket: string): Promise<void>
  hasSocketFolder(socket: string): Promise<boolean>
  /** With its folder, where nothing else is in there. Gone already is success. */
  dropSocket(socket: string): Promise<void>
  /** In the network namespace of the process. */
  hasInterface(ifname: string): Promise<boolean>
}
