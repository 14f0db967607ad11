// Deleting asks first, with the answer of a dry run: what would happen, and who uses it.
import { useState } from 'preact/hooks'
import { remove } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { relatedTo } from './relations.ts'

export function Delete({ item }: { readonly item: Item }) {
  const [open, setOpen] = useState(false)
  const { namespace, name } = item.metadata
  if (!may('delete', item.kind, namespace)) return null
  const { below } = relatedTo(item)
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
          <p>
            {below.length === 0
              ? 'Nobody uses it.'
              : `Used by ${below
                  .slice(0, 5)
                  .map((each) => `${each.kind} ${each.metadata.name}`)
                  .join(', ')}${below.length > 5 ? ' and others' : ''}.`}
          </p>
        </Confirm>
      )}
    </>
  )
}
