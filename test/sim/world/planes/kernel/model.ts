// A machine whose kernel is the data plane: bridges, tunnels and tables of nftables, which outlive every agent and go with the power.
import { endpointItems, portItems } from '../../../../../core/linux/items.ts'
import { textOf, type LinuxItem } from '../../../../../core/linux/linux-items.ts'
import type { LinuxOptions } from '../../../../../core/linux/options.ts'
import { doorName } from '../../../../../core/net/router-name.ts'
import { gatewayMac } from '../../../../../core/net/gateway-mac.ts'
import type { Frame } from '../../../../../core/pipeline/model/frame.ts'
import type { KernelNet } from '../../routing/kernel.ts'
import type { Out, PlacedEnd, PlaneModel } from '../plane.ts'
import { Bridges } from '../../../../../core/linux/model/bridge.ts'
import { Things } from '../../../../../core/linux/model/things.ts'

export class KernelModel implements PlaneModel {
  readonly name = 'linux'
  readonly findsV6 = true
  readonly things: Things
  readonly drift = new Set<() => void>()
  readonly options: LinuxOptions
  onAmiss: () => void = () => undefined
  readonly up = true
  life = 1
  begunAt = 0
  readonly pausedAt = undefined
  readonly lastPausedAt = -1
  readonly #bridges: Bridges
  readonly #hasLink: (name: string) => boolean
  readonly #kernel: KernelNet

  constructor(address: string, hasLink: (name: string) => boolean, kernel: KernelNet) {
    this.#kernel = kernel
    this.#hasLink = hasLink
    this.options = { tunnelAddress: address, l4Port: 4789 }
    this.things = new Things(hasLink)
    this.#bridges = new Bridges(this.things)
  }

  /** A kernel does not end: somebody deletes all its bridges and tunnels, which is told of. */
  end(now: number): void {
    this.begunAt = now
    for (const thing of [...this.things.all]) if (thing.kind === 'bridge' || thing.kind === 'tunnel') this.things.drop(thing)
    for (const wake of this.drift) wake()
  }

  begin(now: number): void {
    this.begunAt = now
  }

  powerOff(now: number): void {
    this.begunAt = now
    this.life++
    this.things.clear()
    this.drift.clear()
  }

  /** @throws LinkRefused where what it speaks of is not there */
  put(thing: LinuxItem): void {
    if (thing.kind === 'door') this.#kernel.makePair(thing.vni, true)
    this.things.put(thing)
  }

  drop(thing: LinuxItem): void {
    if (thing.kind === 'door') {
      this.#kernel.dropPair(thing.vni)
      this.things.unplugged(doorName(thing.vni))
    }
    this.things.drop(thing)
  }

  unplugged(ifcName: string): void {
    this.things.unplugged(ifcName)
  }

  take(frame: Frame, from: string): readonly Out[] {
    return this.#bridges.take(frame, from)
  }

  /** A VNI that floods has a pair also where its bridge alone routes. */
  leadsToKernel(vni: number): boolean {
    return this.things.at<'router'>(`router/${doorName(vni)}`)?.to === 'kernel'
  }

  seen(): Iterable<readonly [key: string, text: string]> {
    return this.things.seen()
  }

  leftOver(): readonly string[] {
    return [...this.things.all].flatMap((each) => (ofPort(each) && !this.#hasLink(each.ifname) ? [each.ifname] : []))
  }

  *places(): Generator<readonly [key: string, text: string]> {
    for (const [key, text] of this.things.seen()) if (isPlace(key, text)) yield [key, text]
  }

  *placesOf(piece: PlacedEnd): Generator<readonly [key: string, text: string]> {
    const items = 'port' in piece ? portItems(piece.port, undefined, this.options) : endpointItems(piece.endpoint, piece.isRouted)
    for (const { key, value } of items) if (isPlace(key, textOf(value))) yield [key, textOf(value)]
  }
}

type OfPort = Extract<LinuxItem, { readonly kind: 'guarded' | 'source' | 'option' | 'untagged' | 'guest' | 'limited' | 'marked' }>
const ofPort = (thing: LinuxItem): thing is OfPort =>
  ['guarded', 'source', 'option', 'untagged', 'guest', 'limited', 'marked'].includes(thing.kind)

/** Gateways are the same everywhere. */
const isPlace = (key: string, text: string): boolean =>
  /^(fdb|vtep|neighbour)\//.test(key) && text !== gatewayMac && !key.endsWith(`/${gatewayMac}`)
