// bessd's calls that we use, each with its own refusals. gRPC's status is OK where BESS refuses: `error.code` is an errno.
// Never called: ResetPorts and the other Resets, KillBess, ResumeAll without CheckSchedulingConstraints before it, CreatePort with
// a name that may be taken or with a UnixSocketPort (they end or corrupt the daemon, or are not ours to do). classes.ts has when
// UpdateTcParent does.
import { PeerConflict, PeerRefused } from '../../../core/errors.ts'
import * as wire from '../../../core/wire/bess/control.ts'
import { EmptyArg, moduleArgs } from '../../../core/wire/bess/modules.ts'
import { pack, unpack, type Any, type Message, type ReadOf, type WrittenOf } from '../../../core/wire/protobuf/protobuf.ts'
import type { Channel } from '../../../platform/grpc/channel.ts'
import { method, type Method } from '../../../platform/grpc/method.ts'

interface Answered {
  readonly error?: { readonly code: number; readonly errmsg: string }
}
const call = <Out, Request, Answer, In>(
  name: string,
  request: Message<Out, Request>,
  answer: Message<Answer, In>,
): Method<Request, Answer> => method(wire.service, name, request, answer)

const calls = {
  version: call('GetVersion', wire.EmptyRequest, wire.VersionResponse),
  pauseAll: call('PauseAll', wire.EmptyRequest, wire.EmptyResponse),
  resumeAll: call('ResumeAll', wire.EmptyRequest, wire.EmptyResponse),
  check: call('CheckSchedulingConstraints', wire.EmptyRequest, wire.CheckSchedulingConstraintsResponse),
  workers: call('ListWorkers', wire.EmptyRequest, wire.ListWorkersResponse),
  ports: call('ListPorts', wire.EmptyRequest, wire.ListPortsResponse),
  createPort: call('CreatePort', wire.CreatePortRequest, wire.CreatePortResponse),
  destroyPort: call('DestroyPort', wire.DestroyPortRequest, wire.EmptyResponse),
  modules: call('ListModules', wire.EmptyRequest, wire.ListModulesResponse),
  portStats: call('GetPortStats', wire.GetPortStatsRequest, wire.GetPortStatsResponse),
  info: call('GetModuleInfo', wire.GetModuleInfoRequest, wire.GetModuleInfoResponse),
  createModule: call('CreateModule', wire.CreateModuleRequest, wire.CreateModuleResponse),
  destroyModule: call('DestroyModule', wire.DestroyModuleRequest, wire.EmptyResponse),
  connect: call('ConnectModules', wire.ConnectModulesRequest, wire.EmptyResponse),
  disconnect: call('DisconnectModules', wire.DisconnectModulesRequest, wire.EmptyResponse),
  classes: call('ListTcs', wire.ListTcsRequest, wire.ListTcsResponse),
  classStats: call('GetTcStats', wire.GetTcStatsRequest, wire.GetTcStatsResponse),
  addClass: call('AddTc', wire.TrafficClassRequest, wire.EmptyResponse),
  setClass: call('UpdateTcParams', wire.TrafficClassRequest, wire.EmptyResponse),
  moveClass: call('UpdateTcParent', wire.TrafficClassRequest, wire.EmptyResponse),
  command: call('ModuleCommand', wire.CommandRequest, wire.CommandResponse),
}

type TrafficClassDraft = WrittenOf<typeof wire.TrafficClass>

const enoent = 2
/** ENOENT, EBUSY, EEXIST: the graph is another one than it was a moment ago. */
const rivals: ReadonlySet<number> = new Set([enoent, 16, 17])

export type Daemon = ReturnType<typeof daemonOn>

export function daemonOn(channel: Channel, signal: AbortSignal) {
  /** `gone`: what is not there any more is success. */
  async function ask<Request, Answer extends Answered>(
    how: Method<Request, Answer>,
    request: Request,
    { gone = false } = {},
  ): Promise<Answer> {
    const answer = await channel.unary(how, request, { signal })
    const { code = 0, errmsg = '' } = answer.error ?? {}
    if (code === 0 || (gone && code === enoent)) return answer
    const values = { target: channel.target, method: how.path, reason: `errno ${code}, ${errmsg}` }
    throw rivals.has(code) ? new PeerConflict(values) : new PeerRefused(values)
  }
  return {
    target: channel.target,
    version: async () => (await ask(calls.version, {})).version,
    pause: () => ask(calls.pauseAll, {}),
    /** The check tells modules which workers run them; without it the first packet into a PortOut ends the daemon. */
    async resume() {
      const { fatal, modules } = await ask(calls.check, {})
      if (fatal)
        throw new PeerRefused({ target: channel.target, method: calls.check.path, reason: modules.map(({ name }) => name).join(', ') })
      await ask(calls.resumeAll, {})
    },
    workers: async () => (await ask(calls.workers, {})).workersStatus,
    ports: async () => (await ask(calls.ports, {})).ports,
    modules: async () => (await ask(calls.modules, {})).modules,
    info: (name: string) => ask(calls.info, { name }, { gone: true }),
    /** @param name one that nobody has */
    createPort: (name: string, device: Pick<ReadOf<typeof wire.CreatePortRequest>, 'driver' | 'arg'>) =>
      ask(calls.createPort, { name, ...device }),
    portStats: (name: string) => ask(calls.portStats, { name }, { gone: true }),
    destroyPort: (name: string) => ask(calls.destroyPort, { name }, { gone: true }),
    createModule: (name: string, mclass: string, arg: object) =>
      ask(calls.createModule, { name, mclass, arg: pack(moduleArgs[mclass]!, arg) }),
    destroyModule: (name: string) => ask(calls.destroyModule, { name }, { gone: true }),
    connect: (m1: string, ogate: number, m2: string) => ask(calls.connect, { m1, ogate, m2, igate: 0, skipDefaultHooks: false }),
    disconnect: (name: string, ogate: number) => ask(calls.disconnect, { name, ogate }, { gone: true }),
    /** All of them, whatever worker they have. */
    classes: async () => (await ask(calls.classes, { wid: -1 })).classesStatus,
    /** @param name of a class, or of a task */
    classStats: (name: string) => ask(calls.classStats, { name }, { gone: true }),
    addClass: (wanted: TrafficClassDraft) => ask(calls.addClass, { class: wanted }),
    setClass: (wanted: TrafficClassDraft) => ask(calls.setClass, { class: wanted }),
    /** @param parent a class that is there and has no child; none: to some worker, as a task that has just been made */
    moveTask: (module: string, parent: string) => ask(calls.moveClass, { class: { leafModuleName: module, parent, wid: -1 } }),
    command: (name: string, cmd: string, arg: Any, options: { readonly gone?: boolean } = {}) =>
      ask(calls.command, { name, cmd, arg }, options),
    /** An answer that carries a message. */
    async query<Out, In>(name: string, cmd: string, answer: Message<Out, In>): Promise<Out | undefined> {
      return unpack(answer, (await ask(calls.command, { name, cmd, arg: pack(EmptyArg, {}) }, { gone: true })).data)
    },
  }
}
