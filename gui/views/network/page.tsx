import { useEffect, useMemo } from 'preact/hooks'
import type { Picture, PictureQuery } from '../../contract/topology.ts'
import { DemoPanel } from '../../demo/panel.tsx'
import { demo, type DemoState } from '../../demo/play.ts'
import { useDemoIsThere } from '../../demo/is-there.ts'
import { offerNamespaces } from '../../frame/namespaces.tsx'
import { choose, type PagePlace } from '../../frame/place.ts'
import { Welcome } from '../../frame/welcome.tsx'
import { connection } from '../../live/connection.ts'
import type { AnswerState } from '../../parts/answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Canvas } from './canvas.tsx'
import { graphOf, layersShown, serverId, shownOf, type Graph } from './graph.ts'
import { Inspector } from './inspector.tsx'
import { markedBy, marksOf } from './trace/marks.ts'
import { TracePanel } from './trace/panel.tsx'
import { isTracing, podsOf, type TraceAnswer } from './trace/question.ts'
import { useTrace } from './trace/use-trace.ts'
import { NetworkTools } from './tools.tsx'
import { NetworkTree } from './tree.tsx'
import { usePicture } from './use-picture.ts'

const nothingDrawn: Graph = { nodes: [], links: [], hiddenLinks: 0, ports: 0 }

export function Page({ place }: { readonly place: PagePlace }) {
  const trace = useTrace(place)
  const { picture, err } = usePicture(queryOf(place, podsOf(place, trace.answer?.way ?? [])))
  const isThere = useDemoIsThere(picture?.offered.vpcs ?? [])
  useEffect(() => offerNamespaces(picture?.offered.vpcs.map((key) => key.split('/')[0] ?? '') ?? []), [picture])
  if (err !== undefined) return <Failure err={err} again={() => choose({}, 'replace')} />
  if (isBare(picture) && connection.value.is === 'live' && isEverything(place) && isOver(demo.value)) return <Welcome />
  return (
    <>
      <DemoPanel isThere={isThere} />
      <Network place={place} picture={picture} trace={trace} />
    </>
  )
}

/** A phone. */
const narrowPx = 700
const isBare = (picture: Picture | undefined): boolean => picture?.nodes.length === 0

interface NetworkProps {
  readonly place: PagePlace
  readonly picture: Picture | undefined
  readonly trace: AnswerState<TraceAnswer | undefined>
}

function Network({ place, picture, trace }: NetworkProps) {
  const { chosen } = place
  const isFollowed = place['follow'] !== undefined
  const whole = useMemo(() => {
    const graph = picture === undefined ? nothingDrawn : graphOf(picture)
    return markedBy(graph, marksOf(trace.answer, picture))
  }, [picture, trace.answer])
  const layers = useMemo(() => layersShown(whole, place['layers'], window.innerWidth < narrowPx), [whole, place['layers']])
  const graph = useMemo(() => shownOf(whole, layers, chosen), [whole, layers, chosen])
  const toggle = (id: string): void => choose({ open: toggled(graph, place['open'], id) })
  return (
    <div class="network" data-panel={place['as'] === 'list' ? 'list' : 'picture'}>
      <NetworkTools place={place} picture={picture} layers={layers} />
      <NetworkTree graph={graph} chosen={chosen} onToggle={toggle} />
      <div class="stage">
        {graph.nodes.length === 0 ? (
          <Nothing isEmpty={isBare(picture)} />
        ) : (
          <Canvas graph={graph} chosen={chosen} follow={isFollowed} onToggle={toggle} />
        )}
        {graph.hiddenLinks > 0 && (
          <p class="note">{graph.hiddenLinks} links are not drawn: there is no room for them. Filter, or choose one.</p>
        )}
      </div>
      {(chosen !== undefined || isTracing(place)) && (
        <div class="panels">
          {isTracing(place) && <TracePanel place={place} graph={whole} picture={picture} trace={trace} />}
          {chosen !== undefined && <Inspector picture={picture} graph={whole} id={chosen} following={isFollowed} />}
        </div>
      )}
    </div>
  )
}

/** What the server is asked, by what stands in the address; some pods are drawn whatever is closed. */
function queryOf({ namespace, by, open, vni, vpc, node, phase, follow, chosen = '' }: PagePlace, pods: readonly string[]): PictureQuery {
  const followed = [...pods, ...(follow !== undefined && chosen.startsWith('pod/') ? [chosen.slice('pod/'.length)] : [])]
  const given = { namespace, vpc, node, phase, vni, open: open?.split(',').map(serverIdIn).join(',') }
  return {
    by: by === 'vpc' ? 'vpc' : 'node',
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as PictureQuery),
    ...(followed.length > 0 && { follow: [...new Set(followed)].join(',') }),
  }
}
const serverIdIn = (id: string): string => (id.includes('/') ? serverId(id) : id)

/** Nothing is told of a demo that would have to stay in sight. */
const isOver = ({ is }: DemoState): boolean => is === 'idle' || is === 'hidden'

const isEverything = ({ vni, vpc, node, phase, namespace }: PagePlace): boolean =>
  [vni, vpc, node, phase, namespace].every((each) => each === undefined)

const Nothing = ({ isEmpty }: { readonly isEmpty: boolean }) =>
  isEmpty ? (
    <Empty title="Nothing is like that">Loosen a filter, or choose another namespace.</Empty>
  ) : (
    <Empty title="Reading the network …" />
  )

/** A range that is open is drawn no more: the address alone has it. */
function toggled({ nodes }: Graph, given: string | undefined, id: string): string {
  const named = given === undefined || given === 'all' || given === 'none' ? [] : given.split(',')
  const open = [...new Set([...named, ...nodes.filter(({ group }) => group?.open === true).map((each) => each.id)])]
  const next = open.includes(id) ? open.filter((each) => each !== id) : [...open, id]
  return next.length === 0 ? 'none' : next.join(',')
}
