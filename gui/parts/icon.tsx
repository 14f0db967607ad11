/** @param path in a box of 20 by 20, drawn as a line */
export const Icon = ({ path }: { readonly path: string }) => (
  <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
)
