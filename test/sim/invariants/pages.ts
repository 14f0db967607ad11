// A page is told of nothing that its role may not see, and of nothing that never was; no more waits for it than may; and whoever has caught
// up shows exactly what is stored.
import type { Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import { keyOf, pageKinds, type Looker } from '../world/page.ts'
import { backlogMost } from '../world/backlogs.ts'

const maps = ['Vpc', 'Subnet', 'Port'] as const
const versionOf = (item: Resource): string => `${keyOf(item)} as of ${item.metadata.resourceVersion}`
const maySee = ({ sees }: Looker, namespace: string | undefined): boolean => sees === undefined || sees === namespace

export const pages: Invariant = {
  name: 'pages',
  begin({ site: { truth }, pages: open }, fail) {
    const written = new Set<string>()
    const mapped = new Set<string>()
    const storedFor = (looker: Looker): readonly Resource[] =>
      pageKinds.flatMap((kind) => [...truth.values(kind)]).filter(({ metadata }) => maySee(looker, metadata.namespace))
    open.onNews(({ page, item, isGone }) => {
      if (!maySee(page.looker, item.metadata.namespace)) fail(`the ${page.name} is told of ${keyOf(item)}`)
      if (!isGone && !written.has(versionOf(item))) fail(`the ${page.name} is told of ${versionOf(item)}, which never was`)
    })
    open.backlogs.on((length) => {
      if (length > backlogMost) fail(`${length} changes wait for one page`)
    })
    open.onTopology(({ page, nodes, from, to }) => {
      for (const { id, seen } of nodes) {
        const [kind = '', namespace] = id.split('/')
        if (seen && (maps as readonly string[]).includes(kind) && !maySee(page.looker, namespace))
          fail(`the ${page.name} sees ${id} on its map`)
      }
      // A map is as far as the watches behind it have told, and those may be cut.
      if (from !== to || !open.isCalm) return
      mapped.add(page.name)
      const stored = storedFor(page.looker).filter(({ kind }) => (maps as readonly string[]).includes(kind))
      const ids = new Set(nodes.filter(({ seen }) => seen).map(({ id }) => id))
      for (const item of stored) if (!ids.has(keyOf(item).replace(' ', '/'))) fail(`the map of the ${page.name} lacks ${keyOf(item)}`)
    })
    return {
      landed({ after }) {
        if (after !== undefined && (pageKinds as readonly string[]).includes(after.kind)) written.add(versionOf(after))
      },
      atRest() {
        if (!open.areOpen) return
        for (const page of open.all) {
          if (!page.isLive) fail(`the ${page.name} does not come back`)
          if (!mapped.has(page.name)) fail(`the ${page.name} is given no map`)
          const stored = new Set(storedFor(page.looker).map(versionOf))
          const shown = new Set([...page.shown.values()].map(versionOf))
          const lacks = [...stored].find((each) => !shown.has(each))
          const old = [...shown].find((each) => !stored.has(each))
          if (lacks !== undefined) fail(`the ${page.name} does not show ${lacks}`)
          if (old !== undefined) fail(`the ${page.name} still shows ${old}`)
        }
      },
    }
  },
}
