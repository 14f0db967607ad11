import type { FunctionComponent } from 'preact'
import type { Kind } from '../contract/kinds.ts'
import type { PagePlace } from '../frame/place.ts'
import type { Following } from '../live/connection.ts'

/** What a folder of views exports: one line in ./index.ts offers it. */
export interface View {
  /** In the address. */
  readonly name: string
  readonly title: string
  /** Pressed after g. */
  readonly letter: string
  /** An SVG path in a box of 20 by 20, drawn as a line. */
  readonly icon: string
  /** What it shows, live. */
  readonly kinds: (place: PagePlace) => readonly Kind[]
  /** How, where it does not hold all objects of those kinds. */
  readonly follows?: Omit<Following, 'kinds'>
  readonly Page: FunctionComponent<{ readonly place: PagePlace }>
}
