import { useEffect, useRef } from 'preact/hooks'
import { choose } from '../../frame/place.ts'
import { theme } from '../../frame/theme.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Graph } from './graph.ts'
import { Picture } from './picture.ts'

interface CanvasProps {
  readonly graph: Graph
  readonly chosen: string | undefined
  readonly follow: boolean
  readonly onToggle: (id: string) => void
}

export function Canvas({ graph, chosen, follow, onToggle }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const picture = useRef<Picture>(undefined)
  const toggle = useRef(onToggle)
  toggle.current = onToggle
  useEffect(() => {
    if (box.current === null) return
    const made = new Picture(box.current, {
      onChoose: (id) => choose({ chosen: id }, 'replace'),
      onToggle: (id) => toggle.current(id),
    })
    picture.current = made
    const sizes = new ResizeObserver(() => made.resize())
    sizes.observe(box.current)
    return () => {
      sizes.disconnect()
      made.destroy()
    }
  }, [])
  useEffect(() => picture.current?.draw(graph), [graph])
  useEffect(() => picture.current?.mark(chosen, follow), [graph, chosen, follow])
  useEffect(() => picture.current?.restyle(), [theme.value])
  return (
    <>
      {/* The tree beside it says the same, to whoever sees no picture. */}
      <div class="canvas" ref={box} data-canvas aria-hidden="true" />
      <div class="zooms">
        <Zoom label="Nearer" path="M10 5v10M5 10h10" act={() => picture.current?.zoom(1.3)} />
        <Zoom label="Farther" path="M5 10h10" act={() => picture.current?.zoom(1 / 1.3)} />
        <Zoom label="All of it" path="M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4" act={() => picture.current?.fit()} />
      </div>
    </>
  )
}

const Zoom = ({ label, path, act }: { readonly label: string; readonly path: string; readonly act: () => void }) => (
  <button type="button" class="plain" aria-label={label} title={label} onClick={act}>
    <Icon path={path} />
  </button>
)
