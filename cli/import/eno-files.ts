// ENO's poolConf and fabricConf: as bare lists, or in the ConfigMaps that its plugin mounts (keys nodePools and links).
import { isObject, type Json } from '../../core/json.ts'
import { yamlIn } from '../../core/yaml.ts'
import { nameOf } from './eno-names.ts'

const apiVersion = 'megrez.io/v1alpha1'
export const fabricName = 'eno-fabric'

/** The list under a key: in a ConfigMap as text, in a file of its own by name or bare. */
function listIn(body: Json, key: string, isRight: (each: Json) => boolean): readonly Json[] {
  const inside = isObject(body['data']) ? body['data'][key] : (body[key] ?? body['list'])
  const list: unknown = typeof inside === 'string' ? yamlIn(inside, { depth: 64, tokens: 1_000_000, documents: 1 })[0] : inside
  return Array.isArray(list) ? (list as unknown[]).filter((each): each is Json => isObject(each) && isRight(each)) : []
}

export function poolsOf(from: string, body: Json): Json[] {
  return listIn(body, 'nodePools', (each) => each['poolConf'] !== undefined).map((each, i) => {
    const { name, netConf } = each['poolConf'] as { readonly name?: unknown; readonly netConf?: { readonly interfaces?: unknown } }
    const interfaces = netConf?.interfaces
    if (typeof name !== 'string' || !Array.isArray(interfaces))
      throw new Error(`${from}: /nodePools/${i}/poolConf: needs a name and netConf.interfaces`)
    // Its nodes are those with the label node-pool, as in ENO.
    return { apiVersion, kind: 'NodePool', metadata: { name }, spec: { interfaces } }
  })
}

/** Where the switch is that ENO's plugin drives: it has that in its environment, and in none of its files. */
export const noAddress = 'tcp:192.0.2.1:6640'

/** One Fabric of all links; its switches are bridges of one Open vSwitch. */
export function fabricOf(from: string, body: Json, address = noAddress): Json[] {
  const links = listIn(body, 'links', (each) => each['switchName'] !== undefined).map((each, i) => {
    const { hostname: node, interfaceName, switchName, switchPort } = each
    if (![node, interfaceName, switchName, switchPort].every((one) => typeof one === 'string'))
      throw new Error(`${from}: /links/${i}: needs hostname, interfaceName, switchName and switchPort`)
    return { node, interface: interfaceName, bridge: String(switchName), switchPort }
  })
  if (links.length === 0) return []
  const names = new Map<string, string>()
  for (const { bridge } of links) {
    const name = nameOf(bridge)
    const other = names.get(name)
    if (other !== undefined && other !== bridge)
      throw new Error(`${from}: /links: switches ${other} and ${bridge} would both be named ${name}`)
    names.set(name, bridge)
  }
  const switches = [...names].map(([name, bridge]) => ({ name, driver: 'ovsdb', address, bridge }))
  return [
    {
      apiVersion,
      kind: 'Fabric',
      metadata: { name: fabricName },
      spec: { switches, links: links.map(({ bridge, ...link }) => ({ ...link, switch: nameOf(bridge) })) },
    },
  ]
}
