// Who one is: the cookie that the link of `npm start` has set, an OpenID provider, or a token that somebody pastes.
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { client, Refusal, taken } from '../contract/api.ts'
import { session } from '../contract/session.ts'
import { Failure } from '../parts/failure.tsx'
import { compare } from './builds.ts'
import { place } from './place.ts'

/** Asks who one is, and again for each namespace: a cluster's own accounts are judged in one. */
export function useSession(): void {
  const { value: state } = session.state
  const namespace = place.value['namespace']
  useEffect(() => {
    if (state !== 'out') void ask(namespace)
  }, [state === 'out', namespace])
}

const againMs = 2_000
/** Why nobody knows yet who one is. */
export const hindrance = signal<string | undefined>(undefined)

async function ask(namespace: string | undefined): Promise<void> {
  try {
    const { signedIn, ways } = taken(await client.GET('/session'))
    session.ways.value = ways
    if (!signedIn) return session.lost()
    const query = namespace === undefined || !/^[a-z0-9-]{1,63}$/.test(namespace) ? {} : { namespace }
    session.me.value = taken(await client.GET('/v1/me', { params: { query } }))
    session.state.value = 'in'
    hindrance.value = undefined
  } catch (err) {
    // It does not answer: what is shown says so, and here it is asked again.
    if (session.state.value !== 'unknown') return
    hindrance.value = err instanceof Refusal ? err.message : 'it does not answer'
    void compare().catch(() => undefined)
    setTimeout(() => void ask(namespace), againMs)
  }
}

export async function signOut(): Promise<void> {
  await client.POST('/sign-out').catch(() => undefined)
  session.lost()
}

export function SignIn() {
  const [token, setToken] = useState('')
  const [err, setErr] = useState<unknown>()
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      taken(await client.POST('/session', { body: { token: token.trim() } }))
      setErr(undefined)
      session.state.value = 'unknown'
    } catch (why) {
      setErr(why)
    }
  }
  return (
    <main class="sign-in">
      <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="44" height="44" />
      <h1>Doppler</h1>
      <p>The network of Megrez, live. This browser is not signed in, or its time is over.</p>
      {session.ways.value.includes('openid') && (
        <a class="button main" href={`./sign-in?return=${encodeURIComponent(location.pathname + location.search + location.hash)}`}>
          Sign in
        </a>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label>
          <span>Token</span>
          <input
            type="password"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
            autoComplete="off"
            required
            data-token
          />
        </label>
        <button type="submit" class={session.ways.value.includes('openid') ? '' : 'main'}>
          Sign in with it
        </button>
      </form>
      {err !== undefined && <Failure err={err} />}
      <p class="quiet">
        On one machine: open the link that <code>npm start</code> prints; it can be used once. A token is in <code>.data/ready.json</code>.
      </p>
    </main>
  )
}
