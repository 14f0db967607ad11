// What runs beside an API server, a step at a time: whoever drives the simulation says when.
import { keyOf, type Raw } from './raw.ts'
import type { SimulatedApi } from './server.ts'
import { tables, type Table } from './tables.ts'

const controller = 'system:kube-controller-manager'
const pathOf = ({ apiVersion, group, plural }: Table, { metadata: { namespace, name } }: Raw): string =>
  `/${group === '' ? 'api' : 'apis'}/${apiVersion}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}/${name}`

const deleted = (api: SimulatedApi, table: Table, item: Raw): Promise<unknown> =>
  api.serve(
    { verb: 'delete', resource: table.plural, path: pathOf(table, item), body: { preconditions: { uid: item.metadata.uid } } },
    controller,
  )

/** Namespaces on their way out: their contents are deleted, and they go with the last of it. @returns whether anything was done */
export async function emptyNamespaces(api: SimulatedApi): Promise<boolean> {
  let done = false
  for (const { metadata } of api.etcd.all('Namespace').filter(({ metadata: { deletionTimestamp } }) => deletionTimestamp !== undefined)) {
    const inside = tables
      .filter(({ namespaced }) => namespaced)
      .flatMap((table) =>
        api.etcd
          .all(table.kind)
          .filter((item) => item.metadata.namespace === metadata.name)
          .map((item) => ({ table, item })),
      )
    const live = inside.filter(({ item }) => item.metadata.deletionTimestamp === undefined)
    for (const { table, item } of live) await deleted(api, table, item)
    if (inside.length === 0) api.finalizeNamespace(metadata.name)
    done ||= live.length > 0 || inside.length === 0
  }
  return done
}

/** Objects all of whose owners are gone. @returns whether anything was done */
export async function collectOrphans(api: SimulatedApi): Promise<boolean> {
  const there = new Set(tables.flatMap(({ kind }) => api.etcd.all(kind).map(({ metadata: { uid } }) => uid)))
  const orphans = tables.flatMap((table) =>
    api.etcd
      .all(table.kind)
      .filter(
        ({ metadata: { ownerReferences = [], deletionTimestamp } }) =>
          deletionTimestamp === undefined && ownerReferences.length > 0 && ownerReferences.every(({ uid }) => !there.has(uid)),
      )
      .map((item) => ({ table, item })),
  )
  for (const { table, item } of orphans) await deleted(api, table, item)
  return orphans.length > 0
}

/** A kubelet's last word on a pod that has ended: its grace is over. */
export async function podEnded(api: SimulatedApi, namespace: string, name: string): Promise<void> {
  const pod = api.etcd.get('Pod', keyOf({ namespace, name }))
  if (pod !== undefined)
    await api.serve(
      {
        verb: 'delete',
        resource: 'pods',
        path: `/api/v1/namespaces/${namespace}/pods/${name}`,
        body: { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } },
      },
      'system:kubelet',
    )
}
