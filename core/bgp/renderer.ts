// The contract of configurations: what a speaker is to do, as the text of one daemon or another.
import type { SeenSession } from './session-state.ts'
import type { SpeakerSpec } from './speaker.ts'

/** What a text depends on beside the speaker itself. */
export interface Surroundings {
  /** The password of that session; undefined: it cannot be had. */
  readonly password: (secret: { readonly name: string; readonly key: string }) => string | undefined
  /** Blocks that the node has a link into. */
  readonly links: readonly string[]
  /** Routes of the node's own through a gateway, by which next hops that are not on a link are found. */
  readonly underlay: readonly { readonly prefix: string; readonly via: string }[]
  /** Host routes of Ports here, and blocks behind them, by the number of the group's table. */
  readonly hostRoutes: (table: number) => readonly string[]
  /** Of service addresses that are about to go from here, likewise. */
  readonly leavingRoutes: (table: number) => readonly string[]
  /** Milliseconds until BFD of that neighbour misses the daemon, as was seen of it; 0: nothing was. */
  readonly missedAfterMs: (neighbour: string) => number
}

/** Something of the speaker that is not in the text, and why; where it is from, as a JSON pointer. */
export interface LeftOut {
  readonly at: string
  readonly reason: string
}

export interface Rendered {
  readonly text: string
  readonly leftOut: readonly LeftOut[]
}

/**
 * Promises, tested on the real programs:
 * 1 equal arguments, equal text; what changes of one session changes nothing of another;
 * 2 nothing that an object says becomes syntax: what could is refused, by its path;
 * 3 no route passes from one group to another, and no table but the groups' own is written;
 * 4 the rules of safety hold whatever the filters say.
 */
export interface Renderer {
  /** @throws SpeakerInvalid with the path of what cannot be said */
  render(speaker: SpeakerSpec, around: Surroundings): Rendered
  /** What the daemon says of its sessions (birdc, vtysh), as sessions of the speaker. */
  read(text: string, speaker: SpeakerSpec): readonly SeenSession[]
  /**
   * What the daemon says of BFD, as milliseconds until a neighbour misses it; those with whom BFD is up, by their addresses.
   *
   * @param inForce the configuration that it has
   */
  missedAfter(answer: string, inForce: string): ReadonlyMap<string, number>
}
