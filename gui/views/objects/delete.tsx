// Deleting asks first, with the answer of a dry run: what would happen, and who uses it.
import { useState } from 'preact/hooks'
import { usesOf } from '../../contract/about.ts'
import { remove } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/failure.tsx'

export function Delete({ item }: { readonly item: Item }) {
  const [open, setOpen] = useState(false)
  const { namespace, name } = item.metadata
  if (!may('delete', item.kind, namespace)) return null
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)} data-delete>
        Delete …
      </button>
      {open && (
        <Confirm
          title={`Delete ${item.kind} ${name}?`}
          act="Delete"
          dryRun={() => remove(item.kind, { namespace, name }, true)}
          run={() => remove(item.kind, { namespace, name })}
          onClose={() => setOpen(false)}
        >
          <Users item={item} />
        </Confirm>
      )}
    </>
  )
}

/** Said by the server: a page that has not read a kind would find nobody of it. */
function Users({ item }: { readonly item: Item }) {
  const { answer, err } = useAnswer(item.metadata.uid, 0, () => usesOf(item))
  if (err !== undefined) return <Failure err={err} />
  if (answer === undefined) return <p class="quiet">Asking who uses it …</p>
  const { usedBy, more } = answer
  const named = usedBy
    .slice(0, 5)
    .map(({ kind, name }) => `${kind} ${name}`)
    .join(', ')
  const rest = usedBy.length - 5
  return (
    <p data-used-by>
      {usedBy.length === 0 ? 'Nobody that you may see uses it.' : `Used by ${named}`}
      {rest > 0 && ` and ${rest}${more ? ' or more' : ''} others`}
      {usedBy.length > 0 && '.'}
    </p>
  )
}
