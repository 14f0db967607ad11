// Which NetworkAttachmentDefinitions a pod asks for (Network Plumbing Working Group, de facto standard 1.3, section 4.1).
import { networksAnnotation } from '../../kinds/annotations.ts'
import type { Meta } from '../../kinds/meta.ts'

/** Multus' own: the definition that stands in for the cluster's network. */
const defaultNetworkAnnotation = 'v1.multus-cni.io/default-network'

/** `namespace/name`, each once; what cannot be read names nothing. */
export function networksOf({ metadata }: { readonly metadata: Pick<Meta, 'namespace' | 'annotations'> }): readonly string[] {
  const home = metadata.namespace ?? ''
  const texts = [metadata.annotations?.[networksAnnotation], metadata.annotations?.[defaultNetworkAnnotation]]
  return [...new Set(texts.flatMap((text) => (text === undefined ? [] : namedIn(text, home))))]
}

function namedIn(text: string, home: string): string[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return listed(trimmed, home)
  return trimmed
    .split(',')
    .map((each) => each.trim().replace(/@.*$/, ''))
    .filter((each) => each !== '')
    .map((each) => (each.includes('/') ? each : `${home}/${each}`))
}

function listed(json: string, home: string): string[] {
  try {
    const all: unknown = JSON.parse(json)
    if (!Array.isArray(all)) return []
    return all.flatMap((each: unknown) => {
      const { name, namespace = home } = (typeof each === 'object' && each !== null ? each : {}) as {
        readonly name?: unknown
        readonly namespace?: unknown
      }
      return typeof name === 'string' ? [`${String(namespace)}/${name}`] : []
    })
  } catch {
    return []
  }
}
