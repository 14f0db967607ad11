// A Vpc sends to the world outside only while its EgressClass and its owner agree: nodes are told of it under both words, and a class
// stays until nobody is told of it. No node lets out who it was never told of, nor, where nothing is wrong with it, who it is told of no
// more. Once all is quiet it is told of, and done, where both agree, on the nodes that have its Ports, for these Ports alone.
import { inNamespaceOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import type { EgressThing } from '../../../core/routing/egress-things.ts'
import type { World } from '../happening.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import type { Machine } from '../world/machines.ts'
import { mayUsePool } from './egress-pools.ts'
import { untroubledMs } from './untroubled.ts'
import type { Station } from '../world/traffic.ts'

type Vpc = Resource<'Vpc'>

/** A worker reads both words live before it tells more; what it then writes may be on its way for so long. */
const underWayMs = 5_000
/** An agent that nothing is wrong with has done by then what it was told. */
const settledMs = 15_000

export const egress: Invariant = {
  name: 'egress',
  begin(world, fail) {
    const { machines, site } = world
    const { scheduler, truth } = site
    /** `Vpc by class` → when both agreed last. */
    const agreedUntil = new Map<string, number>()
    /** `VNI node address` → when nodes were last told of it; undefined: they are. */
    const toldUntil = new Map<string, number | undefined>()
    const hasAgreed = (vpc: Vpc, name: string): boolean =>
      isAgreed(vpc, name, truth) || scheduler.now - (agreedUntil.get(`${keyOfItem(vpc)} by ${name}`) ?? -Infinity) < underWayMs
    const noLongerAgreed = (vpc: Vpc): void => {
      const name = vpc.spec.egressClass
      if (name !== undefined) agreedUntil.set(`${keyOfItem(vpc)} by ${name}`, scheduler.now)
    }
    const inspect = (): void => {
      for (const machine of machines.all.values())
        for (const source of sourcesIn(machine)) {
          if (!toldUntil.has(source)) fail(`${source} is let out, and nodes were never told so`)
          const until = toldUntil.get(source)
          if (until !== undefined && scheduler.now - until >= settledMs && untroubledMs(world, machine.name) >= settledMs)
            fail(`${source} is let out, and nodes are told so no more for ${settledMs / 1_000} s`)
        }
    }
    const remember = (was: readonly string[], is: readonly string[]): void => {
      for (const each of is) toldUntil.set(each, undefined)
      const ended = was.filter((each) => !is.includes(each))
      for (const each of ended) toldUntil.set(each, scheduler.now)
      if (ended.length > 0) scheduler.after(settledMs, 'is who may not send outside still let out?', inspect)
    }
    return {
      landed: perKind({
        EgressClass(before, after) {
          for (const vpc of truth.values('Vpc')) {
            if (before !== undefined && isNamed(before, vpc) && !isAgreed(vpc, before.metadata.name, truth)) noLongerAgreed(vpc)
            if (after === undefined && vpc.status?.egress?.class === before!.metadata.name)
              fail(`EgressClass ${before!.metadata.name} is gone, and Vpc ${keyOfItem(vpc)} still sends by it`)
          }
        },
        Vpc(before, after) {
          if (before !== undefined && wordEnds(before, after)) noLongerAgreed(before)
          const name = classToldAnew(before, after)
          if (name !== undefined && !hasAgreed(after!, name))
            fail(`Vpc ${keyOfItem(after!)} tells nodes that it sends by EgressClass ${name}, and not both agree`)
          remember(toldOf(before), toldOf(after))
        },
      }),
      atRest() {
        inspect()
        for (const vpc of truth.values('Vpc')) for (const problem of toldWrongly(vpc, truth)) fail(`at rest ${problem}`)
        for (const problem of doneWrongly(world)) fail(`at rest ${problem}`)
      },
    }
  },
}

const isStaying = ({ metadata }: Resource): boolean => metadata.deletionTimestamp === undefined
const isNamed = ({ spec, metadata }: Resource<'EgressClass'>, vpc: Vpc): boolean =>
  spec.vpcs.includes(keyOfItem(vpc)) && vpc.spec.egressClass === metadata.name

function isAgreed(vpc: Vpc, name: string, truth: Truth): boolean {
  const egressClass = truth.at('EgressClass', name)
  return egressClass !== undefined && isStaying(egressClass) && isStaying(vpc) && isNamed(egressClass, vpc)
}

const wordEnds = (before: Vpc, after: Vpc | undefined): boolean =>
  after === undefined || after.spec.egressClass !== before.spec.egressClass || !isStaying(after)

function classToldAnew(before: Vpc | undefined, after: Vpc | undefined): string | undefined {
  const [was, is] = [before, after].map((vpc) => vpc?.status?.egress?.class)
  return is === was ? undefined : is
}

/** What agents go by. */
const toldOf = (vpc: Vpc | undefined): readonly string[] =>
  vpc?.status?.egress?.nodes.flatMap(({ node, addresses }) => addresses.map((each) => `VNI ${vpc.status!.vni} of ${node} from ${each}`)) ??
  []

const isHere = (thing: EgressThing): thing is Extract<EgressThing, { readonly kind: 'egress' }> => thing.kind === 'egress'
const sourcesIn = ({ name, kernel }: Machine): readonly string[] =>
  [...kernel.egress.values()].filter(isHere).map(({ vni, source }) => `VNI ${vni} of ${name} from ${source}`)

function portsOf(vpc: Vpc, truth: Truth): readonly Resource<'Port'>[] {
  return [...truth.values('Port')].filter((port) => {
    const subnet = truth.at('Subnet', subnetKeyOf(port))
    return subnet?.spec.vpc !== undefined && inNamespaceOf(subnet, subnet.spec.vpc) === keyOfItem(vpc)
  })
}

const maySend = (vpc: Vpc, name: string, truth: Truth): boolean =>
  isAgreed(vpc, name, truth) && vpc.status?.phase === 'ready' && mayUsePool(vpc, truth.at('EgressClass', name)!, truth)

function* toldWrongly(vpc: Vpc, truth: Truth): Generator<string> {
  const [key, name, told] = [keyOfItem(vpc), vpc.spec.egressClass, vpc.status?.egress]
  if (name === undefined || !maySend(vpc, name, truth)) {
    if (told !== undefined)
      yield `Vpc ${key} tells nodes that it sends by EgressClass ${told.class}, and not both agree, or it may not use its pool`
  } else if (told?.class !== name) yield `Vpc ${key} tells no node that it sends by EgressClass ${name}, and both agree`
  else yield* wrongNodes(vpc, told.nodes, truth)
}

function* wrongNodes(vpc: Vpc, nodes: readonly { readonly node: string }[], truth: Truth): Generator<string> {
  const ports = portsOf(vpc, truth)
  const wired = ports.find((port) => port.status?.node?.wired === true && !nodes.some(({ node }) => node === port.spec.node))
  if (wired !== undefined) yield `Vpc ${keyOfItem(vpc)} does not send from ${wired.spec.node}, where Port ${keyOfItem(wired)} is`
  const empty = nodes.find(({ node }) => !ports.some(({ spec }) => spec.node === node))
  if (empty !== undefined) yield `Vpc ${keyOfItem(vpc)} sends from ${empty.node}, where it has no Port`
}

/** On nodes that are told. */
function* doneWrongly(world: World): Generator<string> {
  const told = new Set([...world.site.truth.values('Vpc')].flatMap(toldOf))
  const here = new Set([...world.machines.all.values()].flatMap(sourcesIn))
  for (const each of here) if (!told.has(each)) yield `${each} is let out, and nodes are not told so`
  yield* strangers(world)
  for (const { machine, port } of world.traffic.stations()) {
    if (port.attachment.kind !== 'vni' || asksForRoutes(port.attachment.vni, world.site.truth)) continue
    const start = `VNI ${port.attachment.vni} of ${machine.name} from `
    const missed = [...told].find((each) => each.startsWith(start) && !here.has(each))
    if (missed !== undefined) yield `${missed} is not let out, and its node is told to`
  }
}

/** Who may send, and is not there. */
function* strangers({ machines, traffic }: World): Generator<string> {
  const there = new Set([...traffic.stations()].flatMap(addressesOf))
  for (const { name, kernel } of machines.all.values())
    for (const thing of kernel.egress.values()) {
      const sender = thing.kind === 'sender' ? `VNI ${thing.vni} of ${name} by ${thing.address}` : undefined
      if (sender !== undefined && !there.has(sender)) yield `${sender} may send outside, and no Port there has the address`
    }
}

/** Then what groups bring goes as they say, or nowhere, and that may be all. */
const asksForRoutes = (vni: number, truth: Truth): boolean =>
  [...truth.values('BGPSpeaker')].some(({ spec }) => spec.groups.some(({ imports }) => imports.some((each) => each.vni === vni)))

function addressesOf({ machine, port: { attachment, addresses } }: Station): readonly string[] {
  return attachment.kind === 'vni' ? addresses.map((each) => `VNI ${attachment.vni} of ${machine.name} by ${each}`) : []
}
