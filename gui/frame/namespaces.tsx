// Which namespace is looked at. Namespaces need not exist as objects: those of what was seen are offered, and any may be written.
import { effect, signal } from '@preact/signals'
import { allKinds } from '../contract/kinds.ts'
import { session } from '../contract/session.ts'
import { objects } from '../live/objects.ts'
import { choose, place } from './place.ts'

const seen = signal<readonly string[]>([])
effect(() => {
  if (session.state.value === 'out') seen.value = []
})
effect(() => {
  const all = new Set<string>()
  for (const kind of allKinds)
    for (const { metadata } of objects.of(kind).values()) {
      if (metadata.namespace !== undefined) all.add(metadata.namespace)
      if (kind === 'Namespace') all.add(metadata.name)
    }
  offerNamespaces(all)
})

/** Namespaces that a view knows of beside objects. */
export function offerNamespaces(names: Iterable<string>): void {
  const all = new Set([...seen.peek(), ...names])
  if (all.size !== seen.peek().length) seen.value = [...all].sort()
}

export function NamespaceChoice() {
  const chosen = place.value['namespace'] ?? ''
  const take = (event: Event): void => {
    const value = (event.currentTarget as HTMLInputElement).value.trim()
    if (value !== chosen) choose({ namespace: value === '' ? undefined : value })
  }
  return (
    <label class="namespace">
      <span>Namespace</span>
      <input
        list="namespaces"
        value={chosen}
        placeholder="all"
        onChange={take}
        autoComplete="off"
        spellcheck={false}
        maxLength={253}
        data-namespace
      />
      <datalist id="namespaces">
        {seen.value.slice(0, 500).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}
