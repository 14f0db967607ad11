import { Refusal } from '../contract/api.ts'

/** What went wrong, in the server's words where it has said some. */
export function Failure({ err, again }: { readonly err: unknown; readonly again?: (() => void) | undefined }) {
  const isRefusal = err instanceof Refusal
  return (
    <div class="notice bad" role="alert">
      <strong>{isRefusal ? titleOf(err) : 'This cannot be shown'}</strong>
      <p>{err instanceof Error ? err.message : String(err)}</p>
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

function titleOf({ status, problem }: Refusal): string {
  if (status === 403) return 'You may not see this'
  if (status === 404) return 'It is not there'
  return problem?.title ?? 'The server refuses this'
}
