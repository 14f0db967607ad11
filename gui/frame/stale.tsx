// What one must know of what one sees: that it is old, or that some of it may not be seen.
import { connection, unseen } from '../live/connection.ts'
import { serverAheadMs } from '../contract/clock.ts'
import { lasted, now } from '../parts/when.tsx'
import { otherBuild, ownBuild } from './builds.ts'

export function Stale() {
  const { value: state } = connection
  const hidden = unseen.value
  return (
    <div aria-live="polite">
      {state.is === 'away' && (
        <p class="notice warn" data-stale>
          What you see is {lasted(now.value - state.since)} old: {state.why}. It is asked again by itself.
        </p>
      )}
      <OtherVersion />
      <OtherClock />
      {hidden.length > 0 && <p class="notice">Not yours to see here: {hidden.join(', ')}. Choose a namespace of yours above.</p>}
    </div>
  )
}

/** Less is nobody's concern. */
const clockMs = 60_000

function OtherClock() {
  const { value: aheadMs } = serverAheadMs
  if (Math.abs(aheadMs) < clockMs) return null
  return (
    <p class="notice warn" data-other-clock>
      This browser's clock is {lasted(Math.round(Math.abs(aheadMs) / clockMs) * clockMs)} {aheadMs > 0 ? 'behind' : 'ahead of'} the
      server's: ages are told by the server's. If others see this too, the server's clock is the wrong one.
    </p>
  )
}

export function OtherVersion() {
  const { value: other } = otherBuild
  if (other === undefined) return null
  const words = other.version === ownBuild.version ? `another build of ${other.version}` : other.version
  return (
    <p class="notice warn" data-other-version>
      The server is {words}, this page is of {ownBuild.version}: what it shows may be wrong.{' '}
      <button type="button" class="small" onClick={() => location.reload()}>
        Load it anew
      </button>
    </p>
  )
}
