// What the demo of two nodes found: what is printed, and what --json gives.
import type { Lost } from '../../lab/nodes/ping.ts'

/** A pod of the demo: `red` and `blue` are tenants with the same addresses. */
export interface Cast {
  readonly tenant: string
  readonly name: string
  readonly node: string
  readonly address: string
}

export interface Ping {
  readonly from: string
  readonly to: string
  readonly expected: boolean
  readonly reached: boolean
}
export interface NodesDemo {
  readonly pods: readonly (Cast & { readonly addMs: number })[]
  readonly pings: readonly Ping[]
  /** Packets with another pod's address as their source. */
  readonly spoofed: { readonly sent: number; readonly arrived: number }
  /** kill -9 of both agents, and new ones, while pods ping each other. */
  readonly restart: Lost
  readonly left: readonly string[]
}
