// A machine with BESS: bessd, which forgets all it had when it ends, and sockets on interfaces, which end with the interface.
import { endpointItems, portItems } from '../../../../../core/graph/items.ts'
import type { GraphOptions } from '../../../../../core/graph/options.ts'
import { kernelDevice } from '../../../../../core/graph/ports.ts'
import { gatewayMac } from '../../../../../core/net/gateway-mac.ts'
import { tunDst, tunId, tunSrc } from '../../../../../core/pipeline/openflow/fields.ts'
import { readField, type Frame, type Written } from '../../../../../core/pipeline/model/frame.ts'
import { frameOf, hexOf, outerOf } from '../../../../../core/pipeline/model/bytes.ts'
import { tunnel, type Out, type PlacedEnd, type PlaneModel } from '../plane.ts'
import { Graph } from '../../../../../core/graph/model/graph.ts'
import { run, type Packet } from '../../../../../core/graph/model/run.ts'

const isWhere = (key: string): boolean => /^(rule\/(fwd|route)\/|module\/to\.)/.test(key)
const gateway = gatewayMac.replaceAll(':', '')

export class GraphModel implements PlaneModel {
  readonly name = 'bess'
  readonly findsV6 = false
  readonly graph = new Graph()
  readonly drift = new Set<() => void>()
  readonly options: GraphOptions & { readonly uplink: NonNullable<GraphOptions['uplink']> }
  onAmiss: () => void = () => undefined
  up = true
  life = 1
  begunAt = 0
  pausedAt: number | undefined
  lastPausedAt = -1
  readonly #hasLink: (name: string) => boolean
  /** How many interfaces have had a name, one after the other. */
  readonly #links = new Map<string, number>()

  constructor(address: string, hasLink: (name: string) => boolean) {
    this.#hasLink = hasLink
    this.options = {
      uplink: { ifcName: 'phy0', mac: '02:00:00:00:0f:00', address, l4Port: 4789 },
      dpdkBy: 'vhost-user',
      socketFolder: '/run/megrez',
    }
  }

  end(): void {
    this.up = false
    this.life++
    this.graph.clear()
    this.pausedAt = undefined
  }

  begin(now: number): void {
    this.begunAt = now
    this.up = true
    for (const wake of this.drift) wake()
  }

  powerOff(): void {
    this.end()
    this.drift.clear()
  }

  unplugged(ifcName: string): void {
    this.#links.set(ifcName, this.linkOf(ifcName) + 1)
  }

  linkOf(ifcName: string): number {
    return this.#links.get(ifcName) ?? 0
  }

  hasLink(ifcName: string): boolean {
    return this.#hasLink(ifcName)
  }

  pause(now: number): void {
    this.graph.running = false
    this.pausedAt = now
  }

  resume(now: number): void {
    this.graph.running = true
    this.pausedAt = undefined
    this.lastPausedAt = now
  }

  take(frame: Frame, from: string): readonly Out[] {
    const role = from === tunnel ? 'up' : this.#roleOf(from)
    if (!this.up || !this.graph.running || role === undefined) return []
    const bytes = from === tunnel ? outerOf(this.#outer(frame)) + hexOf(frame) : hexOf(frame)
    const outs: Out[] = []
    run(
      this.graph,
      role === 'up' ? 'up.in' : role.replace(/^p\./, 'in.'),
      { bytes, metadata: new Map() },
      {
        port: (out, is) => void outs.push(...this.#outBy(out, is)),
        tunnel: (packet) => void outs.push(intoTunnel(packet)),
      },
    )
    return outs
  }

  #outer(frame: Frame): Parameters<typeof outerOf>[0] {
    const { address, l4Port } = this.options.uplink
    return { vni: Number(readField(frame, tunId)), from: Number(readField(frame, tunSrc)), to: ipOf(address), l4Port }
  }

  #roleOf(ifcName: string): string | undefined {
    const vdev = kernelDevice(ifcName)
    for (const [role, port] of this.graph.ports) if (port.vdev === vdev && port.link === this.linkOf(ifcName)) return role
    return undefined
  }

  #outBy(role: string, bytes: string): readonly Out[] {
    const port = this.graph.ports.get(role)
    const at = /^kernel,iface=(.+)$/.exec(port?.vdev ?? '')?.[1]
    return at === undefined || port!.link !== this.linkOf(at) || !this.#hasLink(at) ? [] : [{ at, frame: frameOf(bytes) }]
  }

  leadsToKernel(): boolean {
    return true
  }

  seen(): Iterable<readonly [key: string, text: string]> {
    return this.graph.seen()
  }

  leftOver(): readonly string[] {
    return [...this.graph.ports.values()]
      .flatMap(({ vdev }) => /^kernel,iface=(.+)$/.exec(vdev)?.[1] ?? [])
      .filter((at) => !this.#hasLink(at))
  }

  *places(): Generator<readonly [key: string, text: string]> {
    for (const [key, text] of this.graph.seen()) if (isPlace([key, text])) yield [key, unjudged(text)]
  }

  *placesOf(piece: PlacedEnd): Generator<readonly [key: string, text: string]> {
    if ('endpoint' in piece && piece.isRouted === true) return
    for (const { key, text } of 'port' in piece ? portItems(piece.port, this.options) : endpointItems(piece.endpoint, this.options))
      if (isPlace([key, text])) yield [key, unjudged(text)]
  }
}

/** Where a port is, is the same whether policies judge what it is sent or not. */
const unjudged = (text: string): string => text.replace(/^chk\./, 'out.')

/** Gateways are the same everywhere. */
const isPlace = ([key]: readonly [key: string, text: string]): boolean => isWhere(key) && !key.endsWith(gateway)

const ipOf = (address: string): number => address.split('.').reduce((value, part) => value * 256 + Number(part), 0)

function intoTunnel({ bytes, metadata }: Packet): Out {
  const frame: Written = new Map(frameOf(bytes))
  frame.set(tunId, Number.parseInt(metadata.get('tun_id') ?? '0', 16))
  frame.set(tunDst, Number.parseInt(metadata.get('tun_ip_dst') ?? '0', 16))
  return { at: tunnel, frame }
}
