// Where a pod finds the sockets of its dpdk ports: a folder of its own on the host, mounted under the same name in all its containers.

/** In the pod; on the host, unless an operator says otherwise, the folder of which each pod has one by its UID. */
export const socketFolder = '/var/run/megrez/vhost'
export const socketName = (ifname: string): string => `${ifname}.sock`
