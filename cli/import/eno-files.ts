// ENO's poolConf and fabricConf: as bare lists, or in the ConfigMaps that its plugin mounts (keys nodePools and links).
import { parse } from 'yaml'
import { isObject, type Json } from '../../core/json.ts'

const apiVersion = 'megrez.io/v1alpha1'
export const fabricName = 'eno-fabric'

/** The list under a key: in a ConfigMap as text, in a file of its own by name or bare. */
function listIn(body: Json, key: string, looksRight: (each: Json) => boolean): readonly Json[] {
  const inside = isObject(body['data']) ? body['data'][key] : (body[key] ?? body['list'])
  const list: unknown = typeof inside === 'string' ? parse(inside) : inside
  return Array.isArray(list) ? (list as unknown[]).filter((each): each is Json => isObject(each) && looksRight(each)) : []
}

export function poolsOf(from: string, body: Json): Json[] {
  return listIn(body, 'nodePools', (each) => each['poolConf'] !== undefined).map((each, i) => {
    const { name, netConf } = each['poolConf'] as { readonly name?: unknown; readonly netConf?: { readonly interfaces?: unknown } }
    const interfaces = netConf?.interfaces
    if (typeof name !== 'string' || !Array.isArray(interfaces)) throw new Error(`${from}: /nodePools/${i}/poolConf: needs a name and netConf.interfaces`)
    // Its nodes are those with the label node-pool, as in ENO.
    return { apiVersion, kind: 'NodePool', metadata: { name }, spec: { interfaces } }
  })
}

/** One Fabric of all links; ENO's plugin drives one switch, whose address is an environment variable of it. */
export function fabricOf(from: string, body: Json): Json[] {
  const links = listIn(body, 'links', (each) => each['switchName'] !== undefined).map((each, i) => {
    const { hostname: node, interfaceName, switchName, switchPort } = each
    if (![node, interfaceName, switchName, switchPort].every((one) => typeof one === 'string')) throw new Error(`${from}: /links/${i}: needs hostname, interfaceName, switchName and switchPort`)
    return { node, interface: interfaceName, switch: switchName, switchPort }
  })
  if (links.length === 0) return []
  const address = process.env['FABRIC_OVS_IP'] === undefined ? 'tcp:192.0.2.1:6640' : `tcp:${process.env['FABRIC_OVS_IP']}:${process.env['FABRIC_OVS_PORT'] ?? '6640'}`
  const switches = [...new Set(links.map((each) => each.switch))].map((name) => ({ name, driver: 'ovsdb', address, bridge: name }))
  return [{ apiVersion, kind: 'Fabric', metadata: { name: fabricName }, spec: { switches, links } }]
}
