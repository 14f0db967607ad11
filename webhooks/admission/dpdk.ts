// What a pod with a dpdk Nic is given: the folder of its vhost-user sockets, and a copy of network-status that a program
// without access to the API server can read.
//
// The agent makes the sockets under a folder of the pod's own UID. A UID is not known in mutating admission, so kubelet fills
// it in: subPathExpr takes it from an environment variable (Kubernetes, volumes, subPath with expanded variables).
import { escapeStep } from '../../core/admit/refusal.ts'
import { socketFolder } from '../../core/node/sockets.ts'
import type { Operation } from '../../core/wire/json-patch.ts'
import type { AdmittedPod, Container } from './deps.ts'

const socketVolume = { name: 'megrez-vhost', hostPath: { path: socketFolder, type: 'DirectoryOrCreate' } }
const statusVolume = {
  name: 'megrez-network-status',
  downwardAPI: {
    items: [
      { path: 'network-status', fieldRef: { apiVersion: 'v1', fieldPath: "metadata.annotations['k8s.v1.cni.cncf.io/network-status']" } },
    ],
  },
}
const podUID = { name: 'MEGREZ_POD_UID', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.uid' } } }
const socketMount = { name: socketVolume.name, mountPath: socketFolder, subPathExpr: '$(MEGREZ_POD_UID)' }
const statusMount = { name: statusVolume.name, mountPath: '/etc/megrez', readOnly: true }

/** What is still missing: nothing where an earlier round has put it in. */
export function dpdkPatch({ spec }: AdmittedPod): readonly Operation[] {
  return [
    ...append('/spec/volumes', spec.volumes, [socketVolume, statusVolume]),
    ...(spec.containers ?? []).flatMap((container, index) => containerPatch(container, index)),
  ]
}

function containerPatch(container: Container, index: number): readonly Operation[] {
  const at = `/spec/containers/${index}`
  const wanted = [
    ...append(`${at}/env`, container.env, [podUID]),
    ...append(`${at}/volumeMounts`, container.volumeMounts, [socketMount, statusMount]),
  ]
  // Others may add containers too: the patch must fall on the one that was looked at.
  return wanted.length === 0 ? [] : [{ op: 'test', path: `${at}/name`, value: container.name }, ...wanted]
}

/** Adds at the end what is not there by name; the list itself where there is none. */
export function append<T extends { readonly name: string }>(
  at: string,
  there: readonly { readonly name: string }[] | null | undefined,
  wanted: readonly T[],
): readonly Operation[] {
  const missing = wanted.filter(({ name }) => !(there ?? []).some((each) => each.name === name))
  if (missing.length === 0) return []
  return there === undefined || there === null
    ? [{ op: 'add', path: at, value: missing }]
    : missing.map((value) => ({ op: 'add', path: `${at}/-`, value }))
}

/** Adds to a map the members that differ; the map itself where there is none. */
export function putAll(
  at: string,
  there: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>>,
): readonly Operation[] {
  const missing = Object.entries(wanted).filter(([name, value]) => there?.[name] !== value)
  if (missing.length === 0) return []
  if (there === undefined) return [{ op: 'add', path: at, value: Object.fromEntries(missing) }]
  return missing.map(([name, value]) => ({ op: 'add', path: `${at}/${escapeStep(name)}`, value }))
}
