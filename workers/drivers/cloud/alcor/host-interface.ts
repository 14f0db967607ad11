// The name that Alcor's host agent gives the interface of a port: nothing tells it, unless the port itself does.

/** IFNAMSIZ (linux/if.h) less the end mark. */
const nameMax = 15
/** As the CNI plugin mizni waits for it: `veth` and 11 characters of the ID. */
export const usualHostInterface = 'veth{portID}'

/** As much of the ID as there is room for, where the port does not say a name that can be one. */
export function interfaceOf({ id, veth_name: told }: { readonly id: string; readonly veth_name?: string | null }, pattern: string): string {
  if (told && /^[\w.-]{1,15}$/.test(told)) return told
  return pattern.replace('{portID}', id).slice(0, nameMax)
}
