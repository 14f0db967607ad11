// The BGP daemon of a machine as one life of its agent has it: BIRD's model, by the contract of daemons, with our renderer of BIRD.
import { BGPHost } from '../../../../agent/bgp/host.ts'
import type { Daemon } from '../../../../agent/bgp/daemon.ts'
import { bird as renderer } from '../../../../core/bgp/bird/bird.ts'
import { epochMs, type Process } from '../../process.ts'
import type { Site } from '../../site.ts'
import type { BirdModel } from './bird.ts'

/** Where nothing goes wrong any more, nobody waits for a look: each is a step. */
const pollMs = { storm: 1_000, calm: 20_000 }

export function daemonOf(model: BirdModel, process: Process, site: Site): Daemon {
  const way = (): Promise<void> => process.pass(process.way(), 'the BGP daemon')
  return {
    program: 'bird',
    renderer,
    get pollMs() {
      return site.calm ? pollMs.calm : pollMs.storm
    },
    needsHostRoutes: false,
    version: () => Promise.resolve(model.running ? '2.0.12' : undefined),
    listens: (text) => /^protocol bgp /m.test(text),
    inForce: () => Promise.resolve(model.text),
    async apply(text) {
      await way()
      model.configure(text)
      await way()
    },
    async start() {
      await way()
      model.start()
      await way()
    },
    show: () => Promise.resolve(shown(model)),
    showBfd: () => Promise.resolve(bfdShown(model)),
  }
}

/** As `show protocols all` tells of sessions. */
function shown({ config, ends }: BirdModel): string {
  return (config?.sessions ?? [])
    .map(({ name }) => {
      const end = ends.get(name)
      const since = new Date(epochMs + (end?.since ?? 0)).toISOString().replace(/\.\d+Z$/, 'Z')
      const state = end?.isUp === true ? 'Established' : 'Active'
      return [
        `${name} BGP --- ${end?.isUp === true ? 'up' : 'start'} ${since} ${state}`,
        `  BGP state:          ${state}`,
        `  Routes: ${end?.told.size ?? 0} imported, 0 exported`,
      ].join('\n')
    })
    .join('\n')
}

/** As `show bfd sessions` tells of them. */
const bfdShown = ({ bfdIntervals }: BirdModel): string =>
  [...bfdIntervals].map(([neighbour, ms]) => `${neighbour} eth0 Up 2026-01-01T00:00:00Z ${(ms / 1000).toFixed(3)} 0.000`).join('\n')

/** A node of the simulation: nobody else listens there where BGP does. */
export class SimulatedHost extends BGPHost {
  override run(program: string): ReturnType<BGPHost['run']> {
    if (program !== 'cat') throw new TypeError(`a node of the simulation does not run ${program}`)
    return Promise.resolve({ code: 0, stdout: '', stderr: '' })
  }
}
