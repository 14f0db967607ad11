// The laws of a data plane on BESS' double.
import assert from 'node:assert/strict'
import { bess } from '../../agent/dataplanes/bess.ts'
import type { Underlay } from '../../agent/dataplanes/bess/hops.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { onTheWay } from '../bess/way.ts'
import { dataplaneLaws, type DataplaneLaws } from '../laws/dataplane.ts'
import type { Drawing } from '../laws/node-wanted.ts'
import { BessdDouble, doubleTarget } from './bessd.ts'

const uplink = { ifcName: 'phy0', mac: '02:00:00:00:0f:00', address: '192.0.2.100', l4Port: 4789 }
export const underlay: Underlay = {
  uplink,
  macsOf: (hosts) =>
    Promise.resolve(new Map(hosts.map((host) => [host, `02:00:00:00:0f:${Number(host.split('.')[3]).toString(16).padStart(2, '0')}`]))),
  claim: () => Promise.resolve(() => Promise.resolve()),
}

interface OnDouble {
  /** Whether the node has a tunnel: a good half of the base is for it. */
  readonly tunnel: boolean
  /** Interface by physical network. */
  readonly uplinks?: Readonly<Record<string, string>>
  readonly seeds: readonly number[]
  /** As the laws of drivers have it. */
  readonly cutEach?: number
  readonly drawing?: Partial<Drawing>
  readonly transitions?: number
}

export function bessLaws(name: string, { tunnel, uplinks = {}, drawing, ...more }: OnDouble): void {
  const laws: DataplaneLaws = {
    ...more,
    drawing: { physicalNetworks: Object.keys(uplinks), types: ['kernel', 'dpdk'], portsMax: 2, endpointsMax: 2, ...drawing },
    open() {
      const daemon = new BessdDouble()
      daemon.modules.set('sink0', { mclass: 'Sink', arg: undefined, outs: new Map(), tables: undefined, reached: false })
      return Promise.resolve({
        instance(through) {
          const channel = daemon.channel()
          const plane: Dataplane<never> = bess({
            target: doubleTarget,
            ...(tunnel && { underlay }),
            uplinks,
            socketFolder: '/run/none',
            besideOthers: true,
            channel: through === undefined ? channel : onTheWay(channel, through.way),
          }) as Dataplane<never>
          return Promise.resolve(plane as Dataplane)
        },
        theirs: () => Promise.resolve([...daemon.modules.keys()].filter((each) => !each.startsWith('mgz:'))),
        spoil: (random) => Promise.resolve(spoilt(daemon, random)),
        close() {
          assert.equal(daemon.ended, undefined)
          return Promise.resolve()
        },
      })
    },
  }
  dataplaneLaws(name, laws)
}

function spoilt(daemon: BessdDouble, random: () => number): string | undefined {
  if (random() < 0.3) {
    const loose = daemon.classes.spoil()
    if (loose !== undefined) return `nothing is limited by ${loose}`
  }
  const names = [...daemon.modules.keys()].filter((name) => name.startsWith('mgz:') && !name.startsWith('mgz:hop.'))
  const name = names[Math.floor(random() * names.length)]
  if (name === undefined) return undefined
  const module = daemon.modules.get(name)!
  const gate = [...module.outs.keys()][0]
  if (random() < 0.5 && gate !== undefined && module.tables === undefined) {
    module.outs.delete(gate)
    return `${name} led nowhere`
  }
  daemon.modules.delete(name)
  for (const { outs } of daemon.modules.values()) for (const [ogate, to] of outs) if (to === name) outs.delete(ogate)
  return `${name} was destroyed`
}
