import { useMemo } from 'preact/hooks'
import { DemoPanel } from '../../demo/panel.tsx'
import { demo, isOfDemo, type DemoState } from '../../demo/play.ts'
import { choose, type PagePlace } from '../../frame/place.ts'
import { Welcome } from '../../frame/welcome.tsx'
import { connection } from '../../live/connection.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { Canvas } from './canvas.tsx'
import type { NetworkObjects } from './facts.ts'
import { graphOf, type Graph } from './graph.ts'
import { Inspector } from './inspector.tsx'
import { NetworkTools } from './tools.tsx'
import { NetworkTree } from './tree.tsx'

const shown = (): NetworkObjects => ({
  pods: objects.of('Pod'),
  ports: objects.of('Port'),
  subnets: objects.of('Subnet'),
  vpcs: objects.of('Vpc'),
  nodes: objects.of('Node'),
})

export function Page({ place }: { readonly place: PagePlace }) {
  const by = place['by'] === 'vpc' ? 'vpc' : 'node'
  const { open, vni, vpc, node, phase, chosen } = place
  const version = objects.version.value
  const all = shown()
  const graph = useMemo(() => graphOf(all, { by, open, vni, vpc, node, phase }), [version, by, open, vni, vpc, node, phase])
  const toggle = (id: string): void => choose({ open: toggled(graph, id) })
  const nothing = graph.nodes.length === 0
  if (nothing && connection.value.is === 'live' && isEverything(place) && isOver(demo.value)) return <Welcome />
  return (
    <>
      <DemoPanel isThere={all.vpcs.values().some(isOfDemo)} />
      <div class="network" data-panel={place['as'] === 'list' ? 'list' : 'picture'}>
        <NetworkTools place={place} graph={graph} all={all} />
        <NetworkTree graph={graph} chosen={chosen} onToggle={toggle} />
        <div class="stage">
          {nothing ? <Nothing /> : <Canvas graph={graph} chosen={chosen} follow={place['follow'] !== undefined} onToggle={toggle} />}
          {graph.hiddenLinks > 0 && (
            <p class="note">{graph.hiddenLinks} links are not drawn: there is no room for them. Filter, or choose one.</p>
          )}
        </div>
        {chosen !== undefined && <Inspector graph={graph} id={chosen} following={place['follow'] !== undefined} />}
      </div>
    </>
  )
}

/** Nothing is told of a demo that would have to stay in sight. */
const isOver = ({ is }: DemoState): boolean => is === 'idle' || is === 'hidden'

const isEverything = ({ vni, vpc, node, phase, namespace }: PagePlace): boolean =>
  [vni, vpc, node, phase, namespace].every((each) => each === undefined)

const Nothing = () =>
  connection.value.is === 'live' ? (
    <Empty title="Nothing is like that">Loosen a filter, or choose another namespace.</Empty>
  ) : (
    <Empty title="Reading the network …" />
  )

function toggled({ nodes }: Graph, id: string): string {
  const open = nodes.filter(({ group }) => group?.open === true).map((each) => each.id)
  const next = open.includes(id) ? open.filter((each) => each !== id) : [...open, id]
  return next.length === 0 ? 'none' : next.join(',')
}
