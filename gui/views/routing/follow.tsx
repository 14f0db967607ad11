// An address, followed to its next hops as the server has it from the BGPSpeakers.
import { useState } from 'preact/hooks'
import { client, taken } from '../../contract/api.ts'
import type { operations } from '../../../openapi/types.ts'
import { choose, linkTo } from '../../frame/place.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Failure } from '../../parts/failure.tsx'
import { Table } from '../../parts/table.tsx'

export type RoutesFound = operations['getRoutes']['responses'][200]['content']['application/json']
type Way = RoutesFound['ways'][number]

const means: Readonly<Record<Way['way'], string>> = {
  host: 'its node alone',
  block: 'every node that announces the block',
  outside: 'whoever sends a route',
  nobody: 'nobody: no node has it',
}

/** @param version counts up when speakers or sessions have changed */
export function useFollowed(to: string | undefined, version: unknown) {
  return useAnswer(to ?? '', version, async () =>
    to === undefined ? undefined : taken(await client.GET('/v1/routes', { params: { query: { to } } })),
  )
}

export function FollowForm({ to }: { readonly to: string | undefined }) {
  const [text, setText] = useState(to ?? '')
  const submit = (event: Event): void => {
    event.preventDefault()
    choose({ to: text.trim() })
  }
  return (
    <form class="follow" onSubmit={submit}>
      <label class="filter">
        <span>Follow an address</span>
        <input value={text} placeholder="10.1.0.7" spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit">Follow it</button>
    </form>
  )
}

export function Followed({ found, err }: { readonly found: RoutesFound | undefined; readonly err: unknown }) {
  if (err !== undefined) return <Failure err={err} />
  if (found === undefined) return null
  if (found.ways.length === 0) return <p class="quiet">No group announces {found.to}, and takes no route to it.</p>
  return (
    <Table label={`Ways to ${found.to}`} heads={['Group', 'VNI', 'Prefix', 'Who', 'Next hops']}>
      {found.ways.map((way) => (
        <tr key={`${way.group} ${way.vni}`} data-way={way.way}>
          <th scope="row">
            <a href={linkTo('BGPSessionGroup', undefined, way.group)}>
              <bdi>{way.group}</bdi>
            </a>
          </th>
          <td class="value">{way.vni}</td>
          <td>
            <code>{way.prefix}</code>
          </td>
          <td>{means[way.way]}</td>
          <td>
            {way.hops.map((hop) => (
              <span key={hop.address} class="hop" data-hop={hop.node ?? hop.session}>
                <bdi>{hop.node ?? hop.session}</bdi> <code>{hop.address}</code>{' '}
                <span class={hop.established < hop.configured ? 'bad' : 'quiet'}>
                  {hop.established} of {hop.configured} sessions
                </span>
              </span>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  )
}
