import type { ComponentChildren } from 'preact'

interface TableProps {
  readonly label: string
  /** Heads of its columns. */
  readonly heads: readonly ComponentChildren[]
  /** Its rows. */
  readonly children: ComponentChildren
}

/** A table in a box of its own, that the keyboard can scroll where it is wider than the screen. */
export const Table = ({ label, heads, children }: TableProps) => (
  <div class="table-box" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {heads.map((head, i) => (
            <th key={i} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
