// Search by anything: a name, an address, a MAC, a port id, a VNI or a VLAN.
import { useId, useState } from 'preact/hooks'
import { useFound, type SearchResult } from './search-results.ts'
import { goTo, linkTo } from './place.ts'

export function Search() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const id = useId()
  const { results, asking } = useFound(text)
  const go = (result: SearchResult | undefined): void => {
    if (result === undefined) return
    setOpen(false)
    setText('')
    goTo(linkTo(result.kind, result.namespace, result.name))
    // Letters that are pressed now are for the page again.
    document.getElementById('content')?.focus()
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setAt(Math.min(results.length - 1, at + 1)),
    ArrowUp: () => setAt(Math.max(0, at - 1)),
    Enter: () => go(results[at]),
    Escape: () => setOpen(false),
  }
  return (
    <div class="search" role="search">
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label="Search"
        aria-expanded={open && text !== ''}
        aria-controls={id}
        aria-autocomplete="list"
        {...(open && results.length > 0 && { 'aria-activedescendant': `${id}-${at}` })}
        placeholder="Search: name, address, MAC, VNI …"
        value={text}
        maxLength={253}
        spellcheck={false}
        autoComplete="off"
        data-search
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
          setOpen(true)
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (act === undefined) return
          event.preventDefault()
          act()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      <ul id={id} role="listbox" aria-label="What was found" hidden={!open || text === ''}>
        {results.map((result, i) => (
          <li
            key={`${result.kind}/${result.namespace ?? ''}/${result.name}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={() => go(result)}
          >
            <span class="kind">{result.kind}</span>
            <bdi>{result.name}</bdi>
            <span class="quiet">{[result.namespace, result.because].filter((each) => each !== undefined).join(' · ')}</span>
          </li>
        ))}
        {results.length === 0 && <li class="quiet">{asking ? 'Searching …' : 'Nothing has it'}</li>}
      </ul>
    </div>
  )
}
