// A VNI carries broadcast to other nodes if, and only if, its Vpc or a Subnet of it says so: once all is quiet, from every Port that nobody
// judges to every such Port; and before that none leaves a node that nothing is wrong with where no Subnet is told of it any more.
import { inNamespaceOf, type Resource } from '../../../core/kinds/index.ts'
import type { World } from '../happening.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import { untroubledMs } from './untroubled.ts'
import type { Station } from '../world/traffic.ts'

/** An agent that nothing is wrong with has done by then what it was told. */
const settledMs = 15_000

type Subnet = Resource<'Subnet'>

export const broadcast: Invariant = {
  name: 'broadcast',
  begin(world, fail) {
    const { site, machines } = world
    const { scheduler, truth } = site
    let changedAt = 0
    let isUsed = false
    let isWaiting = false
    const isCalm = (node: string): boolean => {
      const { plane } = machines.of(node)
      return plane.pausedAt === undefined && Math.min(untroubledMs(world, node), scheduler.now - plane.begunAt) >= settledMs
    }
    const inspect = (): void => {
      for (const from of stations(world)) {
        const { name } = from.machine
        if (isCalm(name) && !isTold(from.vni, truth) && leaves(from, world)) fail(`${nameOf(from)} sends to all, and no Subnet is told so`)
      }
    }
    const wait = (ms: number): void =>
      void scheduler.after(ms, 'has nobody said anything of broadcast for long?', () => {
        const left = changedAt + settledMs - scheduler.now
        if (left > 0) return wait(left)
        isWaiting = false
        inspect()
      })
    return {
      landed: perKind({
        Vpc: (before, after) => void (isUsed ||= (after ?? before)!.spec.broadcast !== undefined),
        Subnet(before, after) {
          isUsed ||= (after ?? before)!.spec.broadcast !== undefined
          if (!isUsed || toldBy(before) === toldBy(after)) return
          changedAt = scheduler.now
          if (!isWaiting) wait(settledMs)
          isWaiting = true
        },
      }),
      atRest() {
        if (isUsed) for (const problem of carriedWrongly(world)) fail(`at rest ${problem}`)
      },
    }
  },
}

interface VniStation extends Station {
  readonly vni: number
}

/** Those whose Ports stand as they are wired, and that nobody judges. */
function stations({ traffic, site: { truth } }: World): readonly VniStation[] {
  const ports = new Map([...truth.values('Port')].map((port) => [port.metadata.uid, port]))
  return [...traffic.stations()].flatMap((station) => {
    const { attachment, uid } = station.port
    const port = ports.get(uid)
    return attachment.kind === 'vni' && port !== undefined && isInForce(port, station) ? [{ ...station, vni: attachment.vni }] : []
  })
}

function isInForce({ metadata, spec, status = {} }: Resource<'Port'>, { machine, port: { policy, addresses } }: Station): boolean {
  const isJudged = policy !== undefined || status.policy !== undefined
  if (isJudged || metadata.deletionTimestamp !== undefined || status.node?.wired !== true) return false
  return spec.node === machine.name && status.addresses?.join() === addresses.join() && addresses.some(isV4)
}

const isV4 = (address: string): boolean => !address.includes(':')

/** As much of a Subnet as agents go by. */
const toldBy = (subnet: Subnet | undefined): string => `${subnet?.status?.vni} ${subnet?.status?.broadcast}`
const subnetsOf = (vni: number, truth: Truth): readonly Subnet[] => [...truth.values('Subnet')].filter(({ status }) => status?.vni === vni)
/** What agents go by. */
const isTold = (vni: number, truth: Truth): boolean => subnetsOf(vni, truth).some(({ status }) => status?.broadcast === true)
/** What owners say. */
const isSaid = (vni: number, truth: Truth): boolean =>
  subnetsOf(vni, truth).some((subnet) => {
    const vpc = truth.at('Vpc', inNamespaceOf(subnet, subnet.spec.vpc ?? ''))
    return (subnet.spec.broadcast ?? vpc?.spec.broadcast) === true
  })

const leaves = (from: VniStation, { traffic }: World): boolean =>
  traffic.reachAll(from).arrived.some(({ at }) => at.machine !== from.machine)

function* carriedWrongly(world: World): Generator<string> {
  const all = stations(world)
  for (const from of all) {
    const { arrived } = world.traffic.reachAll(from)
    const stranger = arrived.find(({ at: { port } }) => port.attachment.kind !== 'vni' || port.attachment.vni !== from.vni)
    if (stranger !== undefined) yield `${nameOf(from)} sends to all, and Port ${stranger.at.port.of.name} of another network gets it`
    const others = all.filter((to) => to.vni === from.vni && to.machine !== from.machine)
    const isThere = (to: VniStation): boolean => arrived.some(({ at }) => at.port.uid === to.port.uid)
    if (!isSaid(from.vni, world.site.truth)) {
      if (arrived.some(({ at }) => at.machine !== from.machine)) yield `${nameOf(from)} sends to all, and nobody says that it may`
      continue
    }
    const missed = others.find((to) => !isThere(to))
    if (missed !== undefined) yield `what ${nameOf(from)} sends to all does not come to ${nameOf(missed)}`
  }
}

const nameOf = ({ port, machine, vni }: VniStation): string => `Port ${port.of.namespace}/${port.of.name} of VNI ${vni} on ${machine.name}`
