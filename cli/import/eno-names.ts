// Names that ENO takes from elsewhere (bridges, physical networks) as names that objects may have.

/** `br_admin` and `PhysDC` as `br-admin` and `physdc`. */
export const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')

/** Names in a list, or one by itself; undefined where there are none. */
export function namesIn(value: unknown): readonly string[] | undefined {
  const names = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String)
  return names.length === 0 ? undefined : [...new Set(names.map(nameOf))]
}
