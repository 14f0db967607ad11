// The data planes that a machine of the simulation can have.
import type { Dataplane } from '../../../../core/contracts/dataplane.ts'
import type { Process } from '../../process.ts'
import type { KernelNet } from '../routing/kernel.ts'
import { SwitchModel } from '../switch/model.ts'
import { switchPlane } from '../switch/plane.ts'
import { GraphModel } from './graph/model.ts'
import { graphPlane } from './graph/plane.ts'
import { KernelModel } from './kernel/model.ts'
import { kernelPlane } from './kernel/plane.ts'
import type { PlaneName } from './plane.ts'

export type Plane = SwitchModel | GraphModel | KernelModel

export interface PlaneOn {
  /** Of its tunnel. */
  readonly address: string
  readonly hasLink: (ifcName: string) => boolean
  /** Where a data plane that makes pairs of routers itself makes them. */
  readonly kernel: KernelNet
  /** Physical network → the interface that leads there, where the plane carries VLANs. */
  readonly uplinks?: Readonly<Record<string, string>> | undefined
}

export function planeOf(name: PlaneName, { address, hasLink, kernel, uplinks }: PlaneOn): Plane {
  if (name === 'ovs') return new SwitchModel(hasLink, uplinks)
  return name === 'bess' ? new GraphModel(address, hasLink) : new KernelModel(address, hasLink, kernel)
}

/** As one life of an agent has it. */
export function dataplaneOf(plane: Plane, node: string, process: Process): Dataplane {
  if (plane.name === 'ovs') return switchPlane(plane, node, process)
  return plane.name === 'bess' ? graphPlane(plane, node, process) : kernelPlane(plane, node, process)
}
