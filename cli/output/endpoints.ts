// NetworkServiceEndpoints as rows.
import type { components } from '../../openapi/types.ts'
import { since } from '../kinds/columns.ts'

type Endpoint = components['schemas']['NetworkServiceEndpoint']

export const endpointHeadings = ['ENDPOINT', 'URL', 'LABELS', 'EXPIRES']

export const endpointRow = ({ metadata, spec }: Endpoint, now: number): readonly string[] => [
  spec.name === undefined || spec.name === '' ? metadata.name : spec.name,
  spec.url ?? '-',
  Object.entries(spec.network_service_labels ?? {})
    .map(
      ([service, { labels = {} }]) =>
        `${service}:${Object.entries(labels)
          .map((each) => each.join('='))
          .join(',')}`,
    ) // prettier-ignore
    .join(' ') || '-',
  spec.expiration_time?.seconds === undefined ? 'never' : `in ${since(2 * now - spec.expiration_time.seconds * 1000, now)}`,
]
