// bessd in this process: the calls that we use, with the refusals and the deadly oddities that the real one was seen to have
// (core/bessctl.cc, core/module_graph.cc, core/modules/*.cc of github.com/NetSys/bess at 1d8f708). It carries no packets.
import { Server, ServerCredentials, status, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js'
import * as wire from '../../core/wire/bess/control.ts'
import * as args from '../../core/wire/bess/modules.ts'
import { unpack, type Any, type Message, type ReadOf } from '../../core/wire/protobuf/protobuf.ts'
import { PeerUnavailable } from '../../core/errors.ts'
import type { Channel } from '../../platform/grpc/channel.ts'
import { hasTask, TrafficClasses } from './bessd-classes.ts'
import { Tables, type Refusal } from './bessd-tables.ts'

interface Module {
  readonly mclass: string
  readonly arg: Any | undefined
  readonly outs: Map<number, string>
  readonly tables: Tables | undefined
  /** Something was connected to its input once: with none, what it leads to loses its metadata. */
  reached: boolean
}
interface Port {
  readonly driver: string
  readonly arg: Any | undefined
}

/** Output gates by class; core/modules/*.h, kNumOGates. */
const gatesOf: Readonly<Record<string, number>> = { ExactMatch: 8192, WildcardMatch: 8192, Replicate: 32, PortOut: 0, Sink: 0 }
const [ENOENT, EBUSY, EEXIST, ENODEV, EINVAL] = [2, 16, 17, 19, 22]
/** Commands that no worker may run beside. */
const unsafe: ReadonlySet<string> = new Set(['add', 'delete', 'clear', 'set_gates', 'set_runtime_config'])
const refusal = (code: number, errmsg: string): { readonly error: Refusal } => ({ error: { code, errmsg } })
const fine = {}

interface Handler {
  readonly asked: Message<object>
  readonly answer: Message<object>
  readonly run: (asked: never) => object
}
const handler = <Out extends object, In extends object, Answer extends object, Draft extends object>(
  asked: Message<Out, In>,
  answer: Message<Answer, Draft>,
  run: (asked: Out) => Draft,
): Handler => ({ asked: asked, answer: answer, run: run })

/** One process changes a target's graph at a time: another one that tests beside us has a double of its own. */
export const doubleTarget = `double-${process.pid}`

export class BessdDouble {
  readonly modules = new Map<string, Module>()
  readonly ports = new Map<string, Port>()
  readonly classes = new TrafficClasses(this.modules, (why) => (this.ended = why))
  running = false
  /** Why it ended; from then on it answers nobody. */
  ended: string | undefined
  #checked = true
  #worker = false
  #listeners = new Set<(connected: boolean) => void>()

  readonly #handlers: Readonly<Record<string, Handler>> = {
    GetVersion: handler(wire.EmptyRequest, wire.VersionResponse, () => ({ version: 'double' })),
    PauseAll: handler(wire.EmptyRequest, wire.EmptyResponse, () => {
      this.running = false
      return fine
    }),
    CheckSchedulingConstraints: handler(wire.EmptyRequest, wire.CheckSchedulingConstraintsResponse, () => {
      this.#worker ||= this.#hasTask()
      this.#checked = true
      return fine
    }),
    ResumeAll: handler(wire.EmptyRequest, wire.EmptyResponse, () => this.#resume()),
    ListWorkers: handler(wire.EmptyRequest, wire.ListWorkersResponse, () => ({
      workersStatus: this.#worker ? [{ wid: 0, core: 0, running: this.running }] : [],
    })),
    ListPorts: handler(wire.EmptyRequest, wire.ListPortsResponse, () => ({
      ports: [...this.ports].map(([name, { driver, arg }]) => ({ name, driver, driverArg: arg })),
    })),
    CreatePort: handler(wire.CreatePortRequest, wire.CreatePortResponse, (asked) => this.#createPort(asked)),
    DestroyPort: handler(wire.DestroyPortRequest, wire.EmptyResponse, ({ name }) => this.#destroyPort(name)),
    ListModules: handler(wire.EmptyRequest, wire.ListModulesResponse, () => ({
      modules: [...this.modules].map(([name, { mclass }]) => ({ name, mclass })),
    })),
    CreateModule: handler(wire.CreateModuleRequest, wire.CreateModuleResponse, (asked) => this.#createModule(asked)),
    DestroyModule: handler(wire.DestroyModuleRequest, wire.EmptyResponse, ({ name }) => this.#destroyModule(name)),
    GetModuleInfo: handler(wire.GetModuleInfoRequest, wire.GetModuleInfoResponse, ({ name }) => this.#infoOf(name)),
    ConnectModules: handler(wire.ConnectModulesRequest, wire.EmptyResponse, (asked) => this.#connect(asked)),
    DisconnectModules: handler(wire.DisconnectModulesRequest, wire.EmptyResponse, ({ name, ogate }) => this.#disconnect(name, ogate)),
    ListTcs: handler(wire.ListTcsRequest, wire.ListTcsResponse, () => this.classes.list()),
    AddTc: handler(wire.TrafficClassRequest, wire.EmptyResponse, ({ class: asked }) => {
      this.#worker = true
      return this.classes.add(asked!)
    }),
    UpdateTcParams: handler(wire.TrafficClassRequest, wire.EmptyResponse, ({ class: asked }) => this.classes.update(asked!)),
    UpdateTcParent: handler(wire.TrafficClassRequest, wire.EmptyResponse, ({ class: asked }) => this.classes.move(asked!)),
    GetTcStats: handler(wire.GetTcStatsRequest, wire.GetTcStatsResponse, () => ({ packets: 0, bits: 0 })),
    ModuleCommand: handler(wire.CommandRequest, wire.CommandResponse, (asked) => this.#command(asked)),
  }

  /** As after kill -9 and a new start. */
  restart(): void {
    for (const tell of this.#listeners) tell(false)
    this.modules.clear()
    this.ports.clear()
    this.classes.clear()
    this.running = false
    this.#worker = false
    this.#checked = true
    this.ended = undefined
    for (const tell of this.#listeners) tell(true)
  }

  /** @param path `/bess.pb.BESSControl/…` @throws Error once it has ended, or where it has no such call */
  answer(path: string, asked: Uint8Array): Uint8Array {
    const found = this.#handlers[path.slice(path.lastIndexOf('/') + 1)]
    if (this.ended !== undefined) throw new Error(`ended: ${this.ended}`)
    if (found === undefined) throw new Error(`${path} is not offered`)
    return found.answer.encode(found.run(found.asked.decode(asked) as never))
  }

  /** Without a network, for trials by the thousand; the same bytes all the same. */
  channel(): Channel {
    const none = (): never => {
      throw new Error('bessd has no streams')
    }
    return {
      target: doubleTarget,
      unary: (method, asked) => {
        try {
          return Promise.resolve(method.decode(this.answer(method.path, method.encode(asked))))
        } catch (cause) {
          return Promise.reject(new PeerUnavailable({ target: doubleTarget, method: method.path, reason: String(cause), cause }))
        }
      },
      serverStream: none,
      bidi: none,
      ready: () => Promise.resolve(),
      onConnected: (tell) => {
        this.#listeners.add(tell)
        return () => this.#listeners.delete(tell)
      },
      close: () => undefined,
    }
  }

  /** Over gRPC. @param address `unix:/path` */
  async serve(address: string): Promise<() => void> {
    const server = new Server()
    const raw = (bytes: Buffer): Buffer => bytes
    const methods = Object.keys(this.#handlers).map((name) => [
      name,
      {
        path: `/${wire.service}/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: raw,
        requestDeserialize: raw,
        responseSerialize: raw,
        responseDeserialize: raw,
      },
    ])
    const implementation = Object.fromEntries(
      Object.keys(this.#handlers).map((name) => [
        name,
        (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
          try {
            done(null, Buffer.from(this.answer(name, call.request)))
          } catch (err) {
            done({ code: status.UNAVAILABLE, details: String(err) })
          }
        },
      ]),
    )
    server.addService(Object.fromEntries(methods), implementation)
    await new Promise<void>((resolve, reject) =>
      server.bindAsync(address, ServerCredentials.createInsecure(), (err) => (err === null ? resolve() : reject(err))),
    )
    return () => server.forceShutdown()
  }

  #hasTask(): boolean {
    return [...this.modules.values()].some(hasTask)
  }

  #resume(): object {
    const outs = [...this.modules.values()].some(({ mclass }) => mclass === 'PortOut')
    if (!this.#checked && outs && this.#hasTask())
      this.ended = 'ResumeAll without CheckSchedulingConstraints, and a packet came to a PortOut'
    const unwritten = [...this.modules].find(([, module]) => !module.reached && this.#meetsReader(module, new Set()))
    if (unwritten !== undefined && this.#hasTask())
      this.ended = `a packet came to a table whose metadata nobody writes, behind ${unwritten[0]}`
    this.running = this.#worker
    return fine
  }

  /** @param written on the way to it */
  #meetsReader(module: Module, seen: Set<Module>, written: readonly string[] = []): boolean {
    if (seen.has(module) || ['VXLANDecap', 'VXLANEncap', 'IPEncap'].includes(module.mclass)) return false
    seen.add(module)
    const own = module.mclass === 'SetMetadata' ? (unpack(args.SetMetadataArg, module.arg)?.attrs ?? []).map(({ name }) => name) : []
    const all = [...written, ...own]
    return [...module.outs.values()].some((name) => {
      const next = this.modules.get(name)
      if (next === undefined) return false
      return next.tables?.reads.some((each) => !all.includes(each)) === true || this.#meetsReader(next, seen, all)
    })
  }

  #createPort({ name, driver, arg }: ReadOf<typeof wire.CreatePortRequest>): object {
    if (this.ports.has(name)) this.ended = `CreatePort of ${name}, which was taken`
    if (driver === 'PCAPPort') {
      this.ports.set(name, { driver, arg })
      return { name }
    }
    const vdev = unpack(args.PMDPortArg, arg)?.vdev ?? ''
    const device = vdev.split(',')[0]
    if (vdev === '') return refusal(EINVAL, 'No port specified')
    if ([...this.ports.values()].some((port) => unpack(args.PMDPortArg, port.arg)?.vdev?.split(',')[0] === device))
      return refusal(EBUSY, 'rte_eth_dev_configure() failed')
    if ([...this.ports.values()].filter((port) => port.driver === 'PMDPort').length >= 32)
      return refusal(ENODEV, `Cannot attach vdev ${vdev}`)
    this.ports.set(name, { driver, arg })
    return { name }
  }

  #destroyPort(name: string): object {
    if (!this.ports.has(name)) return refusal(ENOENT, `No port \`${name}' found`)
    const used = [...this.modules.values()].some(
      ({ mclass, arg }) =>
        (mclass === 'PortInc' || mclass === 'PortOut') &&
        unpack(mclass === 'PortInc' ? args.PortIncArg : args.PortOutArg, arg)?.port === name,
    )
    if (used) return refusal(EBUSY, 'in use')
    this.ports.delete(name)
    return fine
  }

  #createModule({ name, mclass, arg }: ReadOf<typeof wire.CreateModuleRequest>): object {
    if (args.moduleArgs[mclass] === undefined && mclass !== 'Sink') return refusal(ENOENT, `No mclass '${mclass}' found`)
    if (this.modules.has(name)) return refusal(EEXIST, `Module ${name} exists`)
    const of = mclass === 'PortInc' ? args.PortIncArg : mclass === 'PortOut' ? args.PortOutArg : undefined
    if (of !== undefined && !this.ports.has(unpack(of, arg)?.port ?? '')) return refusal(ENODEV, 'Port not found')
    this.modules.set(name, { mclass, arg, outs: new Map(), tables: Tables.of(mclass, arg), reached: false })
    this.#checked = false
    return { name }
  }

  #destroyModule(name: string): object {
    if (!this.modules.delete(name)) return refusal(ENOENT, `No module '${name}' found`)
    for (const { outs } of this.modules.values()) for (const [gate, to] of outs) if (to === name) outs.delete(gate)
    return fine
  }

  #infoOf(name: string): object {
    const module = this.modules.get(name)
    if (module === undefined) return refusal(ENOENT, `No module '${name}' found`)
    const ogates = [...module.outs].map(([ogate, to]) => ({ ogate, name: to })).sort((a, b) => a.ogate - b.ogate)
    const upstream = [...this.modules].flatMap(([from, { outs }]) =>
      [...outs].flatMap(([ogate, to]) => (to === name ? [{ ogate, name: from }] : [])),
    )
    return { name, mclass: module.mclass, ogates, igates: upstream.length === 0 ? [] : [{ igate: 0, ogates: upstream }] }
  }

  #connect({ m1, m2, ogate }: ReadOf<typeof wire.ConnectModulesRequest>): object {
    const [from, to] = [this.modules.get(m1), this.modules.get(m2)]
    if (from === undefined || to === undefined) return refusal(ENOENT, `No module '${from === undefined ? m1 : m2}' found`)
    if (ogate >= (gatesOf[from.mclass] ?? 1) || to.mclass === 'PortInc') return refusal(EINVAL, 'failed')
    if (from.outs.has(ogate)) return refusal(EBUSY, 'failed')
    from.outs.set(ogate, m2)
    to.reached = true
    return fine
  }

  #disconnect(name: string, ogate: number): object {
    const module = this.modules.get(name)
    if (module === undefined) return refusal(ENOENT, `No module '${name}' found`)
    module.outs.delete(ogate)
    return fine
  }

  #command({ name, cmd, arg }: ReadOf<typeof wire.CommandRequest>): object {
    const module = this.modules.get(name)
    if (module === undefined) return refusal(ENOENT, `No module '${name}' found`)
    if (this.running && unsafe.has(cmd)) return refusal(EBUSY, `There is a running worker and command '${cmd}' is not MT safe`)
    return commands[`${module.mclass} ${cmd}`]?.(arg) ?? module.tables?.command(cmd, arg) ?? refusal(95, `no command '${cmd}'`)
  }
}

/** Of modules that are no tables. */
const commands: Readonly<Record<string, (arg: Any | undefined) => object>> = {
  'ArpResponder add': (arg) => (unpack(args.ArpResponderArg, arg)?.ip ? fine : refusal(EINVAL, 'IP address is missing')),
  'Replicate set_gates': () => fine,
}
