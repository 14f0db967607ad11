import { connection } from '../live/connection.ts'
import { Icon } from '../parts/icon.tsx'
import { NamespaceChoice } from './namespaces.tsx'
import { Search } from './search.tsx'
import { helpOpen } from './keys.tsx'
import { signOut } from './sign-in.tsx'
import { otherTheme, theme } from './theme.ts'

const icons = {
  dark: 'M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z',
  light:
    'M10 6.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2ZM10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M15.7 4.3l-1.2 1.2M5.5 14.5l-1.2 1.2',
  keys: 'M7.600 7.600a2.400 2.400 0 1 1 3.600 2.100c-.800.500-1.200 1-1.200 2M10 14.500v.300',
  out: 'M8 4H4.5v12H8M12 6.5 15.5 10 12 13.500M15.500 10H8',
}

export function Header() {
  return (
    <header class="top">
      <NamespaceChoice />
      <Search />
      <Live />
      <button
        type="button"
        class="plain"
        onClick={otherTheme}
        aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
        title="Colours (t)"
      >
        <Icon path={icons[theme.value === 'dark' ? 'light' : 'dark']} />
      </button>
      <button type="button" class="plain" onClick={() => (helpOpen.value = true)} aria-label="Keys" title="Keys (?)">
        <Icon path={icons.keys} />
      </button>
      <button type="button" class="plain" onClick={() => void signOut()} aria-label="Sign out" title="Sign out">
        <Icon path={icons.out} />
      </button>
    </header>
  )
}

const words = { idle: 'idle', connecting: 'connecting', live: 'live', away: 'away' } as const

const Live = () => (
  <span class="live" data-live={connection.value.is} role="status" title="Whether changes come as they happen">
    {words[connection.value.is]}
  </span>
)
