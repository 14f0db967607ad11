// One object: how it is, how it came to be so, what it is part of, who is told of it.
import { useState } from 'preact/hooks'
import { keyAt, keyOf, type Item, type Kind } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import { link } from '../../frame/place.ts'
import { connection } from '../../live/connection.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { Phase } from '../../parts/phase.tsx'
import { When } from '../../parts/when.tsx'
import { Conditions } from './conditions.tsx'
import { Delete } from './delete.tsx'
import { Events } from './events.tsx'
import { Explained } from './explained.tsx'
import { Related } from './related.tsx'
import { Steps } from './steps.tsx'
import { Timeline } from './timeline.tsx'
import { NoticesOf } from './notices.tsx'
import { yamlOf } from './yaml.ts'

export function One({ kind, namespace, name }: { readonly kind: Kind; readonly namespace: string | undefined; readonly name: string }) {
  const item = objects.of(kind).get(keyAt(namespace, name))
  if (item === undefined)
    return (
      <Empty title={connection.value.is === 'connecting' ? 'Reading …' : `There is no ${kind} ${name}`}>
        <a href={link('objects', { kind })}>All {kind} objects</a>
      </Empty>
    )
  const { phase, message } = reportOf(item)
  return (
    <article class="page one" data-one={kind}>
      <header class="head">
        <div>
          <p class="crumbs">
            <a href={link('objects', { kind })}>{kind}</a>
            {namespace !== undefined && <bdi>{namespace}</bdi>}
          </p>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p>
            <Phase of={phase} /> <span class="quiet">{message ?? 'nobody has looked at it yet'}</span>
          </p>
        </div>
        <div class="actions">
          {flowsLink(item)}
          {mapLink(kind, namespace, name)}
          <Delete item={item} />
        </div>
      </header>
      <div class="cards">
        <Timeline item={item} />
        <Steps item={item} />
        <Conditions item={item} />
        <Related item={item} />
        <Explained key={item.metadata.uid} item={item} />
        <Events item={item} />
        <NoticesOf item={item} />
        <Whole item={item} />
      </div>
    </article>
  )
}

/** What its node has for it, or what is on it. */
function flowsLink(item: Item) {
  const node = item.kind === 'Port' ? item.spec.node : item.kind === 'Node' ? item.metadata.name : undefined
  if (node === undefined) return null
  return (
    <a class="button" href={link('node', { node, ...(item.kind === 'Port' && { port: keyOf(item) }) })} data-to-node>
      {item.kind === 'Port' ? 'Its flows' : 'Its Ports'}
    </a>
  )
}

const drawn: Readonly<Partial<Record<Kind, string>>> = { Pod: 'pod', Port: 'port', Subnet: 'subnet', Node: 'node', Vpc: 'vpc' }
function mapLink(kind: Kind, namespace: string | undefined, name: string) {
  const prefix = drawn[kind]
  if (prefix === undefined) return null
  const chosen = `${prefix}/${keyAt(namespace, name)}`
  return (
    <a class="button" href={link('network', { chosen, follow: '1', ...(kind === 'Vpc' && { by: 'vpc' }) })}>
      In the network
    </a>
  )
}

function Whole({ item }: { readonly item: Item }) {
  const [open, setOpen] = useState(false)
  const { creationTimestamp, generation, uid, resourceVersion } = item.metadata
  return (
    <section class="card wide">
      <h2>As stored</h2>
      <p class="quiet">
        made <When at={creationTimestamp} />, generation {generation}, version {resourceVersion}, UID <code>{uid}</code>
      </p>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>YAML</summary>
        {open && (
          <pre tabIndex={0} data-yaml>
            <code>{yamlOf(item)}</code>
          </pre>
        )}
      </details>
    </section>
  )
}
