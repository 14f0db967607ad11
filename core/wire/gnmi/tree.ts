// The answer to one Get, put together: a target may say it in one update at the path that was asked, or in many, at what is below it
// (gNMI specification, section 3.3.2), with a prefix before their paths or without.
import { isObject, type Json } from '../../json.ts'
import { jsonOf, type GnmiNotice, type Path, type PathDraft } from './gnmi.ts'
import { plain } from './openconfig-vlans.ts'

type Tree = Record<string, unknown>
type Elem = { readonly name: string; readonly key: ReadonlyMap<string, string> }

/** What stands at the path; undefined where nothing was said of it. */
export function treeAt(wanted: PathDraft, notices: readonly GnmiNotice[]): unknown {
  const at = elemsOf(wanted)
  const leaves = notices.flatMap(({ prefix, update }) =>
    update.flatMap(({ path, val }) =>
      val === undefined ? [] : [{ elems: placeOf([...elemsOf(prefix), ...elemsOf(path)], jsonOf(val), at), value: jsonOf(val) }],
    ),
  )
  const [only] = leaves
  // As it was sent: the names of modules too.
  if (leaves.length === 1 && only!.elems.length === at.length) return only!.value
  const root: Tree = {}
  for (const { elems, value } of leaves) put(root, elems, plain(value))
  return found(root, at)
}

const elemsOf = (path: Path | PathDraft | undefined): Elem[] =>
  (path?.elem ?? []).map(({ name = '', key }) => ({ name: bare(name), key: new Map(key) }))
const bare = (name: string): string => name.replace(/^[A-Za-z][\w-]*:/, '')

/** Some targets leave the path away and mean the one that was asked, not the root. */
function placeOf(elems: readonly Elem[], value: unknown, wanted: readonly Elem[]): readonly Elem[] {
  if (elems.length > 0 || wanted.length === 0) return elems
  return isObject(value) && Object.keys(value).some((name) => bare(name) === wanted[0]!.name) ? elems : wanted
}

function put(root: Tree, elems: readonly Elem[], value: unknown): void {
  const last = elems.at(-1)
  if (last === undefined) return merge(root, isObject(value) ? value : {})
  const holder = elems.slice(0, -1).reduce<Tree>((tree, elem) => step(tree, elem, true) ?? {}, root)
  if (isObject(value)) merge(step(holder, last, true) ?? {}, value)
  else if (Array.isArray(value) && Array.isArray(holder[last.name])) holder[last.name] = joined(holder[last.name] as unknown[], value)
  else holder[last.name] = value
}

/** What an element leads to. */
function step(tree: Tree, { name, key }: Elem, make: boolean): Tree | undefined {
  if (key.size === 0) {
    if (!isObject(tree[name])) tree[name] = make ? {} : tree[name]
    return isObject(tree[name]) ? tree[name] : undefined
  }
  const list = Array.isArray(tree[name]) ? (tree[name] as Tree[]) : []
  const there = list.find((each) => [...key].every(([field, text]) => String(each[field]) === text))
  if (there !== undefined || !make) return there
  const made: Tree = Object.fromEntries(key)
  tree[name] = [...list, made]
  return made
}

function found(root: Tree, elems: readonly Elem[]): unknown {
  const last = elems.at(-1)
  let holder: Tree | undefined = root
  for (const elem of elems.slice(0, -1)) holder = holder && step(holder, elem, false)
  if (last === undefined || holder === undefined) return holder
  return last.key.size === 0 ? holder[last.name] : step(holder, last, false)
}

function merge(into: Tree, more: Json): void {
  for (const [name, value] of Object.entries(more)) {
    const there = into[name]
    if (isObject(there) && isObject(value)) merge(there, value)
    else if (Array.isArray(there) && Array.isArray(value)) into[name] = joined(there, value)
    else into[name] = isObject(value) || Array.isArray(value) ? structuredClone(value) : value
  }
}

const keys = ['name', 'vlan-id', 'index', 'id'] as const
const keyOf = (item: unknown): string | undefined =>
  isObject(item) ? keys.flatMap((key) => (item[key] === undefined ? [] : [`${key} ${String(item[key])}`]))[0] : undefined

/** Entries of a list by their keys; a list of values is said whole. */
function joined(there: readonly unknown[], more: readonly unknown[]): unknown[] {
  if (!more.every(isObject)) return [...more]
  const all = [...there]
  for (const each of more) {
    const same = all.find((one) => keyOf(each) !== undefined && keyOf(one) === keyOf(each))
    if (isObject(same)) merge(same, each)
    else all.push(structuredClone(each))
  }
  return all
}
