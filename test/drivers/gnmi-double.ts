// A gNMI target in this process: a tree of JSON with OpenConfig's lists, and faults to order.
import { Metadata, Server, ServerCredentials, status, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js'
import {
  CapabilityRequest,
  CapabilityResponse,
  encodings,
  GetRequest,
  GetResponse,
  jsonOf,
  SetRequest,
  SetResponse,
  SubscribeRequest,
  SubscribeResponse,
  valueOf,
  type Path,
} from '../../core/wire/gnmi/gnmi.ts'
import type { Message } from '../../core/wire/protobuf/protobuf.ts'

type Tree = Record<string, unknown>

export interface GnmiFaults {
  /** The next Sets fail after their first operation was tried: a target is all or nothing, so nothing of it stays. */
  failSets: number
  /** The next Sets are done and their answers lost. */
  loseAnswers: number
  delayMs: number
  /** Of what a Get answers: in one update, one for each entry of a list, or one for each leaf below a prefix. */
  answers: 'whole' | 'entries' | 'leaves'
  /** Called when a Set has come, before it is done: somebody else at the switch, after we have looked. */
  first?: ((tree: Tree) => void) | undefined
  /** Called once a Set is done, before it is answered: somebody else at the switch. */
  then?: ((tree: Tree) => void) | undefined
}
export interface GnmiDouble {
  readonly target: string
  tree: Tree
  readonly faults: GnmiFaults
  sets: number
  /** Ends all sessions. */
  drop(): void
  close(): void
}
export interface DoubleOptions {
  readonly models?: readonly string[]
  readonly supportedEncodings?: readonly number[]
  readonly streams?: boolean
}

export const startingTree = (): Tree => ({
  interfaces: {
    interface: [
      { name: 'a', config: { name: 'a' } },
      {
        name: 'b',
        config: { name: 'b' },
        ethernet: { 'switched-vlan': { config: { 'interface-mode': 'TRUNK', 'trunk-vlans': [7, '10..20'] } } },
      },
      {
        name: 'c',
        config: { name: 'c' },
        ethernet: { 'switched-vlan': { config: { 'interface-mode': 'TRUNK', 'native-vlan': 1, 'trunk-vlans': [1] } } },
      },
      {
        name: 'theirs',
        config: { name: 'theirs' },
        ethernet: { 'switched-vlan': { config: { 'interface-mode': 'ACCESS', 'access-vlan': 500 } } },
      },
      {
        name: 'r',
        config: { name: 'r' },
        subinterfaces: { subinterface: [{ index: 500, config: { index: 500, description: 'to the world' } }] },
      },
      { name: 'lag', config: { name: 'lag', type: 'iana-if-type:ieee8023adLag' }, aggregation: {} },
    ],
  },
  'network-instances': {
    'network-instance': [
      { name: 'default', vlans: { vlan: [{ 'vlan-id': 500, config: { 'vlan-id': 500, name: 'prod' } }] } },
      {
        name: 'uplink',
        config: { name: 'uplink', type: 'openconfig-network-instance-types:L3VRF' },
        interfaces: { interface: [{ id: 'r.500', config: { id: 'r.500', interface: 'r', subinterface: 500 } }] },
      },
    ],
  },
})

export async function gnmiDouble({
  models = ['openconfig-interfaces', 'openconfig-vlan', 'openconfig-network-instance'],
  supportedEncodings = [encodings.JSON_IETF],
  streams = true,
}: DoubleOptions = {}): Promise<GnmiDouble> {
  const server = new Server()
  const open = new Set<ServerDuplexStream<unknown, unknown>>()
  const double: GnmiDouble = {
    target: '',
    tree: startingTree(),
    faults: { failSets: 0, loseAnswers: 0, delayMs: 0, answers: 'whole' },
    sets: 0,
    drop: () => open.forEach((each) => each.emit('error', { code: status.UNAVAILABLE, details: 'the session is lost' })),
    close: () => server.forceShutdown(),
  }
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, double.faults.delayMs))
  const unary = <Asked, Answer, In>(
    path: string,
    asked: Message<Asked, never>,
    answer: Message<Answer, In>,
    handle: (asked: Asked) => In | Promise<In>,
  ) => ({
    path,
    requestStream: false as const,
    responseStream: false as const,
    requestDeserialize: (from: Buffer) => asked.decode(from),
    requestSerialize: () => Buffer.alloc(0),
    responseSerialize: (made: In) => Buffer.from(answer.encode(made)),
    responseDeserialize: () => undefined,
    handle,
  })
  const methods = {
    capabilities: unary('/gnmi.gNMI/Capabilities', CapabilityRequest as never, CapabilityResponse, () => ({
      supportedModels: models.map((name) => ({ name })),
      supportedEncodings,
      gnmiVersion: '0.10.0',
    })),
    get: unary('/gnmi.gNMI/Get', GetRequest as never, GetResponse, async ({ path, encoding }: ReturnType<typeof GetRequest.decode>) => {
      await wait()
      return {
        notification: path.map((each) => encodedUpdate({ path: each, value: found(double.tree, each) }, double.faults.answers, encoding)),
      }
    }),
    set: unary('/gnmi.gNMI/Set', SetRequest as never, SetResponse, async (asked: ReturnType<typeof SetRequest.decode>) => {
      await wait()
      double.faults.first?.(double.tree)
      const after = structuredClone(double.tree)
      for (const path of asked.delete) drop(after, path)
      for (const { path, val } of [...asked.replace, ...asked.update]) put(after, path!, jsonOf(val))
      if (double.faults.failSets-- > 0) throw Object.assign(new Error('no room'), { code: status.INTERNAL })
      double.faults.failSets = Math.max(0, double.faults.failSets)
      double.tree = after
      double.sets++
      double.faults.then?.(double.tree)
      for (const stream of open)
        stream.write({ update: { update: [{ path: { elem: [{ name: 'interfaces' }] }, val: { boolVal: true } }] } })
      if (double.faults.loseAnswers-- > 0) throw Object.assign(new Error('the session is lost'), { code: status.UNAVAILABLE })
      double.faults.loseAnswers = Math.max(0, double.faults.loseAnswers)
      return {}
    }),
  }
  const handlers = Object.fromEntries(
    Object.entries(methods).map(([name, { handle }]) => [
      name,
      (call: ServerUnaryCall<never, unknown>, reply: (problem: object | null, answer?: unknown) => void) => {
        Promise.resolve()
          .then(() => handle(call.request))
          .then(
            (answer) => reply(null, answer),
            (err: Error & { code?: number }) =>
              reply({ code: err.code ?? status.INTERNAL, details: err.message, metadata: new Metadata() }),
          )
      },
    ]),
  )
  const subscribe = {
    path: '/gnmi.gNMI/Subscribe',
    requestStream: true,
    responseStream: true,
    requestDeserialize: (from: Buffer) => SubscribeRequest.decode(from),
    requestSerialize: () => Buffer.alloc(0),
    responseSerialize: (made: never) => Buffer.from(SubscribeResponse.encode(made)),
    responseDeserialize: () => undefined,
  }
  server.addService({ ...methods, subscribe } as never, {
    ...handlers,
    subscribe(call: ServerDuplexStream<unknown, unknown>) {
      if (!streams) return void call.emit('error', { code: status.UNIMPLEMENTED, details: 'no Subscribe' })
      open.add(call)
      call.on('data', () => call.write({ syncResponse: true }))
      call.on('error', () => undefined)
      call.on('end', () => call.end())
      call.on('close', () => open.delete(call))
    },
  })
  const l4Port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (err, bound) => (err === null ? resolve(bound) : reject(err))),
  )
  return Object.assign(double, { target: `127.0.0.1:${l4Port}` })
}

interface PathUpdate {
  readonly path: Path
  readonly value: unknown
}

function encodedUpdate({ path, value }: PathUpdate, how: GnmiFaults['answers'], encoding: number): object {
  const said = (each: PathUpdate): object => ({ path: each.path, val: valueOf(each.value, encoding) })
  if (how === 'whole') return { update: [said({ path, value })] }
  if (how === 'entries') return { update: below({ path, value }, (each) => each.path.elem.length > path.elem.length).map(said) }
  return {
    prefix: path,
    update: below({ path: { ...path, elem: [] }, value }, (each) => typeof each.value !== 'object' || Array.isArray(each.value)).map(said),
  }
}

/** Down from here to what fits. */
function below({ path, value }: PathUpdate, fits: (said: PathUpdate) => boolean): PathUpdate[] {
  if (fits({ path, value })) return [{ path, value }]
  return Object.entries(value as Tree).flatMap(([name, each]) => {
    const entries =
      Array.isArray(each) && each.every((one) => typeof one === 'object')
        ? (each as Tree[]).map((one) => [keyOf(one), one] as const)
        : [[new Map<string, string>(), each] as const]
    return entries.flatMap(([key, one]) => below({ path: { ...path, elem: [...path.elem, { name, key }] }, value: one }, fits))
  })
}
const keyOf = (entry: Tree): Map<string, string> =>
  new Map(
    ['name', 'vlan-id', 'index', 'id']
      .filter((key) => entry[key] !== undefined)
      .slice(0, 1)
      .map((key) => [key, String(entry[key])]),
  )

interface ResolvedPath {
  readonly holder: Tree
  readonly name: string
  readonly key: readonly [string, string] | undefined
}

/** The tree that a path's last element is in; made on the way where `make`. */
function placeOf(tree: Tree, { elem }: Path, make: boolean): ResolvedPath | undefined {
  let at: Tree | undefined = tree
  for (const [i, { name, key }] of elem.entries()) {
    const place: ResolvedPath = { holder: at, name, key: [...key][0] }
    if (i === elem.length - 1) return place
    at = step(place, make)
    if (at === undefined) return undefined
  }
  return undefined
}

function step({ holder, name, key }: ResolvedPath, make: boolean): Tree | undefined {
  if (key === undefined) return (holder[name] ??= make ? {} : undefined) as Tree | undefined
  const list = (holder[name] ??= make ? [] : undefined) as Tree[] | undefined
  const there = list?.find((each) => String(each[key[0]]) === key[1])
  if (there !== undefined || !make) return there
  const made: Tree = { [key[0]]: key[1] }
  list!.push(made)
  return made
}

function found(tree: Tree, path: Path): unknown {
  const place = placeOf(tree, path, false)
  const value = place && (place.key === undefined ? place.holder[place.name] : step(place, false))
  if (value === undefined) throw Object.assign(new Error('path without data'), { code: status.NOT_FOUND })
  return value
}

function drop(tree: Tree, path: Path): void {
  const place = placeOf(tree, path, false)
  if (place === undefined) return
  const { holder, name, key } = place
  if (key === undefined) delete holder[name]
  else holder[name] = ((holder[name] ?? []) as Tree[]).filter((each) => String(each[key[0]]) !== key[1])
}

function put(tree: Tree, path: Path, value: unknown): void {
  const place = placeOf(tree, path, true)!
  if (place.key === undefined) place.holder[place.name] = value
  else Object.assign(step(place, true)!, value)
}
