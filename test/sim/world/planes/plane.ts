// What a machine's data plane is to the simulation, whichever it is: it takes frames, it ends and begins anew, and an agent has it.
import type { Endpoint, LocalPort } from '../../../../core/node/wanted.ts'
import type { Out } from '../../../../core/linux/model/bridge.ts'
import type { Dice } from '../../dice.ts'
import type { Frame } from '../../../../core/pipeline/model/frame.ts'

export { tunnel, type Out } from '../../../../core/linux/model/bridge.ts'

export const planeNames = ['ovs', 'bess', 'linux'] as const
export type PlaneName = (typeof planeNames)[number]

/** What has its place in a VNI: a Port here, or an address elsewhere. */
export type PlacedEnd = { readonly port: LocalPort } | { readonly endpoint: Endpoint; readonly isRouted?: boolean }

export interface PlaneModel {
  readonly name: PlaneName
  readonly up: boolean
  /** When it began, in virtual milliseconds. */
  readonly begunAt: number
  /** Since when nothing passes, as a change is being made; undefined: it passes. */
  readonly pausedAt: number | undefined
  /** When something was paused last. */
  readonly lastPausedAt: number
  /** Whether whoever asks for a neighbour's MAC by neighbour discovery is answered. */
  readonly findsV6: boolean
  /** Called after each change, while frames may come out where nobody meant them to. */
  onAmiss: () => void
  /** Its program ends. Of the kernel: somebody deletes its devices. */
  end(now: number): void
  /** @param dice where what it had before is mixed up now */
  begin(now: number, dice?: Dice): void
  /** The power goes, with all that is not on a disk. */
  powerOff(now: number): void
  /** An interface has gone, also where another of its name is there at once. */
  unplugged(ifcName: string): void
  /** What becomes of a frame that comes in. @param at an interface, or `tunnel` */
  take(frame: Frame, at: string): readonly Out[]
  /** Whether what a VNI sends to its gateway comes out of its pair of devices, where it has one. */
  leadsToKernel(vni: number): boolean
  /** Key → text of all that there is. */
  seen(): Iterable<readonly [key: string, text: string]>
  /** Interfaces that it has something of, although they are not there any more. */
  leftOver(): readonly string[]
  /** Key → text of all that says where an address or a MAC is. */
  places(): Iterable<readonly [key: string, text: string]>
  /** The same of what a Port here or an address elsewhere is rendered to. */
  placesOf(piece: PlacedEnd): Iterable<readonly [key: string, text: string]>
}
