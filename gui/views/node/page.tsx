// One node: its Ports, and what its data plane does for each, table by table; the node itself is chosen.
import { keyOf, type Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { choose, linkTo, type PagePlace } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { PhaseOf } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { Flows } from './flows.tsx'

export function Page({ place }: { readonly place: PagePlace }) {
  const ports = [...objects.of('Port').values()]
  const names = new Set([...objects.of('Node').keys(), ...ports.flatMap(({ spec }) => spec.node ?? [])])
  const nodes = [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const chosen = place['node'] ?? nodes[0]
  if (chosen === undefined)
    return (
      <Empty title={objects.has('Port') ? 'There is no Node' : 'Reading …'}>
        <p>On one machine Nodes are made over REST; in a cluster they are its own.</p>
      </Empty>
    )
  return (
    <div class="page">
      <header class="head">
        <div>
          <h1>
            <bdi>{chosen}</bdi>
          </h1>
          <NodeLine name={chosen} />
        </div>
        <label class="filter">
          <span>Node</span>
          <select
            value={chosen}
            data-node
            onChange={(event) => choose({ node: event.currentTarget.value, port: undefined, filter: undefined })}
          >
            {nodes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </header>
      <Ports ports={ports.filter(({ spec }) => spec.node === chosen)} place={place} />
    </div>
  )
}

function NodeLine({ name }: { readonly name: string }) {
  const node = objects.of('Node').get(name)
  const addresses = ((node?.status as { readonly addresses?: readonly { readonly address: string }[] } | undefined)?.addresses ?? []).map(
    ({ address }) => address,
  )
  return (
    <p class="quiet">
      {node === undefined ? 'no object Node of this name' : <a href={linkTo('Node', undefined, name)}>the object</a>} {addresses.join(', ')}
    </p>
  )
}

/** So many are listed. */
const portsMost = 200

function Ports({ ports, place }: { readonly ports: readonly Item<'Port'>[]; readonly place: PagePlace }) {
  const chosen = ports.find((port) => keyOf(port) === place['port'])
  if (ports.length === 0) return <Empty title="No Port is on it" />
  return (
    <div class="halves">
      <Table label="Ports of this node" heads={['Port', 'Data plane', 'Phase', 'Addresses', 'Wired']}>
        {ports.slice(0, portsMost).map((port) => (
          <tr key={keyOf(port)} aria-current={port === chosen}>
            <th scope="row">
              <a href={linkTo('Port', port.metadata.namespace, port.metadata.name)}>
                <bdi>{keyOf(port)}</bdi>
              </a>
            </th>
            <td>
              {may('create', 'Inquiry', port.metadata.namespace) ? (
                <button type="button" class="small" onClick={() => choose({ port: keyOf(port) })} data-ask>
                  Flows
                </button>
              ) : (
                port.status?.node?.dataplane
              )}
            </td>
            <td>
              <PhaseOf item={port} />
            </td>
            <td class="value">{port.status?.addresses?.join(', ')}</td>
            <td>{port.status?.node?.wired === true ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </Table>
      {chosen !== undefined && may('create', 'Inquiry', chosen.metadata.namespace) && (
        <Flows key={chosen.metadata.uid} port={chosen} place={place} />
      )}
    </div>
  )
}
