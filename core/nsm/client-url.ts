// What a pod's annotation `networkservicemesh.io` asks for: URLs with commas between them (networkservicemesh/sdk:pkg/tools/nsurl/nsurl.go,
// networkservicemesh/cmd-nsc:README.md), `[kernel://]service[/interface][?label=value&…]`.

export interface ClientUrl {
  readonly networkService: string
  /** Of its interface; absent: it goes by its place. */
  readonly name?: string
  readonly labels: Readonly<Record<string, string>>
}

const form = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#@\s]+)(?:@([^/?#\s]+))?(?:\/([^/?#\s]*))?(?:\?([^#\s]*))?$/
const mechanism = 'kernel'

/** @returns of the first that is not understood what is wrong with it */
export function readClientUrls(text: string): readonly ClientUrl[] | { readonly wrong: string } {
  const found: ClientUrl[] = []
  for (const each of text.split(',')) {
    const read = readOne(each.trim())
    if ('wrong' in read) return read
    found.push(read)
  }
  return found
}

function readOne(url: string): ClientUrl | { readonly wrong: string } {
  const [, scheme = mechanism, networkService, domain, name = '', query = ''] = form.exec(url) ?? []
  const quoted = JSON.stringify(url.slice(0, 80))
  if (networkService === undefined) return { wrong: `${quoted} is no URL such as kernel://service/nsm-1?app=web` }
  if (scheme !== mechanism) return { wrong: `${quoted}: ${scheme} is not done for pods: their mechanism is ${mechanism}` }
  if (domain !== undefined) return { wrong: `${quoted}: a service of another domain, ${domain}, is not done for pods` }
  const labels = labelsIn(query)
  if (labels === undefined) return { wrong: `${quoted}: its labels must be as in ?app=web&zone=b` }
  return { networkService, ...(name !== '' && { name }), labels }
}

/** As Go's url.ParseQuery reads it, the first of several values. */
function labelsIn(query: string): Readonly<Record<string, string>> | undefined {
  const labels = new Map<string, string>()
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const equals = pair.indexOf('=')
    const key = decoded(equals < 0 ? pair : pair.slice(0, equals))
    const value = decoded(equals < 0 ? '' : pair.slice(equals + 1))
    if (key === undefined || value === undefined || key === '') return undefined
    if (!labels.has(key)) labels.set(key, value)
  }
  return Object.fromEntries(labels)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
