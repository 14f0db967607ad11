// Settings of the listener that Clouds tell of their ports.
import { optionalL4Port, text } from '../setting-kinds.ts'

export const cloudEventsSettings = {
  cloudEventsL4Port: optionalL4Port(
    'MEGREZ_CLOUD_EVENTS_L4PORT',
    "workers and standalone: where Clouds with `events` tell of their ports, over HTTPS, as they would tell OpenStack's Nova; absent: nowhere",
  ),
  cloudEventsCert: text('MEGREZ_CLOUD_EVENTS_CERT', '/etc/megrez/cloud-events/tls.crt', 'path of its certificate, PEM, the leaf first'),
  cloudEventsKey: text('MEGREZ_CLOUD_EVENTS_KEY', '/etc/megrez/cloud-events/tls.key', 'path of its key, PEM'),
} as const
