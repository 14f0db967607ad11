// Who Neutron takes for Nova: it finds it in Keystone's catalogue, and tells it of ports as its own service user.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import type { Keystone } from './keystone.ts'
import { serviceUser } from './service-user.ts'
import type { Settings } from './settings.ts'

/** Where whoever takes Nova's place is to listen, and what is to be shown there. */
export interface NovaPlace {
  readonly l4Port: number
  /** Files, PEM. */
  readonly cert: string
  readonly key: string
  /** Of the authority that has signed it. */
  readonly caFile: string
}

const lifeMs = 24 * 3_600_000

export async function novaPlace(folder: string, l4Port: number): Promise<NovaPlace> {
  const life = { now: Date.now(), ms: lifeMs }
  const authority = makeAuthority('nova', life)
  const { cert, key } = issueLeaf(authority, ['127.0.0.1'], life)
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }
  return {
    l4Port,
    cert: await write('nova.crt', cert),
    key: await write('nova.key', key),
    caFile: await write('nova-ca.crt', authority.cert),
  }
}

/** Before Neutron has told anything: it reads the catalogue with its first token. @param path with `/v2.1` */
export async function registerNova({ url: keystone, token }: Keystone, { l4Port }: NovaPlace, path: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-auth-token': await token('admin') }
  const post = async (plural: string, body: object): Promise<Record<string, { readonly id: string }>> => {
    const answer = await fetch(`${keystone}/${plural}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${answer.status} for ${plural}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, { readonly id: string }>
  }
  const { service } = await post('services', { service: { type: 'compute', name: 'nova' } })
  const url = `https://127.0.0.1:${l4Port}${path}`
  await post('endpoints', { endpoint: { service_id: service!.id, interface: 'public', region_id: 'RegionOne', url } })
}

/** What Neutron has of it in its file. */
export const novaSettings = (keystoneUrl: string, { caFile }: NovaPlace): Settings => ({
  DEFAULT: { notify_nova_on_port_status_changes: true, notify_nova_on_port_data_changes: true },
  nova: { ...serviceUser(keystoneUrl), cafile: caFile },
})
