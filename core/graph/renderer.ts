import type { Renderer } from '../contracts/dataplane.ts'
import { renderingBy } from '../pieces/kind.ts'
import { baseItems } from './base.ts'
import type { Element } from './elements.ts'
import { explain } from './explain.ts'
import { networks } from './networks.ts'
import type { GraphOptions } from './options.ts'

/** A node as a graph of BESS modules. What BESS cannot do is left out, and told by unsupported.ts. */
export function graphRenderer(options: GraphOptions): Renderer<Element> {
  return { base: () => baseItems(options.uplink, networks(options.uplinks ?? {})), ...renderingBy('bess', () => options), explain }
}
