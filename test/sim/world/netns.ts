// Where a sandbox's network namespace is: its path says whose it is.
export const netnsOf = (pod: { readonly namespace: string; readonly name: string; readonly uid: string }, containerID: string): string =>
  `/var/run/netns/${pod.namespace}_${pod.name}_${pod.uid}_${containerID}`
export function podOfNetns(netns: string): { readonly namespace: string; readonly name: string; readonly uid: string } | undefined {
  const [, namespace, name, uid] = /^\/var\/run\/netns\/([^_]+)_([^_]+)_([^_]+)_/.exec(netns) ?? []
  return namespace === undefined ? undefined : { namespace, name: name!, uid: uid! }
}
