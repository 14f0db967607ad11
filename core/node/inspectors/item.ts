// An inspector as one thing that a node carries: its key is its name, its text all that it is made from.
import type { Because } from '../because.ts'
import { inspectorName, type InspectedDirection } from './names.ts'
import type { Item } from '../item.ts'
import { sha256 } from '../../net/sha256.ts'
import { inspectorFiles, isAddressList } from './haproxy.ts'
import type { Inspector, InspectorFiles } from './inspected.ts'

/** What is there of an inspector, or is to be. Of one that is only to go nothing but its name matters. */
export interface InspectorThing {
  readonly vni: number
  readonly direction: InspectedDirection
  readonly mtu: number
  readonly files: InspectorFiles
  /** The text of its item. */
  readonly text: string
}

const prefix = 'inspector/'
export const isInspectorKey = (key: string): boolean => key.startsWith(prefix)
export const inspectorKey = (vni: number, direction: InspectedDirection): string => `${prefix}${inspectorName(vni, direction)}`

/** None where there is nothing to inspect. */
export function inspectorItems(inspector: Inspector, because: Because): readonly Item<InspectorThing>[] {
  const { vni, direction, mtu } = inspector
  if (!inspector.policies.some(({ subjects, inspections }) => subjects.length > 0 && inspections.length > 0)) return []
  const files = inspectorFiles(inspector)
  const text = textOf(mtu, files)
  return [{ key: inspectorKey(vni, direction), text, value: { vni, direction, mtu, files, text }, because }]
}

/** A short word for all of it. */
const textOf = (mtu: number, files: InspectorFiles): string =>
  [...sha256(JSON.stringify([mtu, ...files]))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** @throws Error for a key that is no inspector's */
export function namedInspector(key: string): InspectorThing {
  const [, vni, direction] = /^inspector\/ml([0-9a-f]{6})([ei])$/.exec(key) ?? []
  if (vni === undefined) throw new Error(`no inspector: ${key}`)
  return { vni: parseInt(vni, 16), direction: direction === 'e' ? 'egress' : 'ingress', mtu: 0, files: new Map(), text: '' }
}

/** Which lists of addresses are others now; undefined: so is something else. */
export function changedAddressLists(before: InspectorFiles, after: InspectorFiles): readonly string[] | undefined {
  if (before.size !== after.size) return undefined
  const changed = [...after].filter(([name, text]) => before.get(name) !== text).map(([name]) => name)
  return changed.every((name) => before.has(name) && isAddressList(name)) ? changed : undefined
}
