// The frame around every view: where one is, who asks, what is live, and what is shown when something is not as it should be.
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { session } from '../contract/session.ts'
import { follow, unfollow } from '../live/connection.ts'
import { Failure } from '../parts/failure.tsx'
import { viewOf } from '../views/index.ts'
import { Header } from './header.tsx'
import { Help, useShortcuts } from './keys.tsx'
import { followLinks, place } from './place.ts'
import { Rail } from './rail.tsx'
import { hindrance, SignIn, useSession } from './sign-in.tsx'
import { OtherVersion, Stale } from './stale.tsx'
import './theme.ts'

export function App() {
  useSession()
  useShortcuts()
  if (session.state.value === 'out') return <SignIn />
  return session.state.value === 'in' ? <Signed /> : <Unknown />
}

function Unknown() {
  const { value: why } = hindrance
  return (
    <main class="waiting">
      <p>Asking the server who you are …{why !== undefined && ` ${why}. It is asked again by itself.`}</p>
      <OtherVersion />
    </main>
  )
}

function Signed() {
  const view = viewOf(place.value['view'])
  const following = { kinds: view.kinds(place.value), ...view.follows }
  const namespace = place.value['namespace']
  useEffect(() => follow(following, namespace), [view.name, following.kinds.join(), namespace])
  useEffect(() => unfollow, [])
  useEffect(() => {
    document.title = `${place.value['name'] ?? view.title} · Doppler`
  })
  return (
    <div class="frame" onClick={followLinks}>
      <a class="skip" href="#content">
        To the content
      </a>
      <Rail chosen={view.name} />
      <Header />
      <main id="content" tabIndex={-1} aria-label={view.title}>
        <Stale />
        <Guarded key={view.name} />
      </main>
      <Help />
    </div>
  )
}

/** A view that fails takes nothing else with it. */
function Guarded() {
  const [err, again] = useErrorBoundary()
  const { Page } = viewOf(place.value['view'])
  return err === undefined ? <Page place={place.value} /> : <Failure err={err} again={again} />
}
