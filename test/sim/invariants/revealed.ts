// No tenant is told of what is another's: not by an answer, not by what is sent where the tenant asked for it. What the tenant has named,
// and a network that was shared, are no news.
import type { Resource } from '../../../core/kinds/index.ts'
import { callbackOf } from '../../../core/plan/notify/notices.ts'
import type { Invariant } from '../invariant.ts'
import { namespaces } from '../layout.ts'

const uids = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g
const keys = new RegExp(`(?<![\\w/.-])(${namespaces.join('|')})/[a-z][a-z0-9.-]*`, 'g')

export const revealed: Invariant = {
  name: 'revealed',
  begin({ site, outside }, fail) {
    /** UID → namespace of all that ever was in one. */
    const homes = new Map<string, string>()
    /** `owner guest`, of each Vpc that ever was shared; owners who peer with a Vpc of the guest's say what they have in theirs. */
    const shared = new Set<string>()
    /** `namespace url`, of whom somebody there has ever named to be told. */
    const named = new Set<string>()
    /** Who has a VLAN is said: VLANs are handed out by providers, to whom it is no secret (test/workers/l2.test.ts). */
    const withoutHolder = (said: string): string => said.replace(/is held by L2Service [\w/.-]+/g, '')
    const isStrange = (home: string | undefined, tenant: string): boolean =>
      home !== undefined && home !== tenant && !shared.has(`${home} ${tenant}`)
    const check = (tenant: string, told: string, known: string, how: string): void => {
      const said = withoutHolder(told)
      const uid = said.match(uids)?.find((each) => !known.includes(each) && isStrange(homes.get(each), tenant))
      const key = said.match(keys)?.find((each) => !known.includes(each) && isStrange(each.slice(0, each.indexOf('/')), tenant))
      const strange = uid === undefined ? key : `${uid}, which is ${homes.get(uid)}'s`
      if (strange !== undefined) fail(`${how} tells ${tenant} of ${strange}: ${said.slice(0, 400)}`)
    }
    // An object of the tenant's own says again what its spec named when it was made.
    outside.onAnswer(({ tenant, asked, said }) => check(tenant, said, asked + ownWordsIn(said, tenant), 'an answer'))
    site.receivers.on((read) => {
      const { home = '', spec, annotations } = partsOf(read.body)
      if (!named.has(`${home} ${read.url}`))
        return fail(`${read.url} was told of an object of ${home}, where nobody has named it: ${read.body.slice(0, 300)}`)
      check(home, read.body, JSON.stringify([spec, annotations]), read.url)
    })
    return {
      landed({ after }) {
        const namespace = after?.metadata.namespace
        if (after === undefined || namespace === undefined) return
        homes.set(after.metadata.uid, namespace)
        if (after.kind === 'VpcPeering') shared.add(`${namespace} ${(after as Resource<'VpcPeering'>).spec.peer.split('/')[0]}`)
        if (after.kind === 'Vpc') for (const guest of (after as Resource<'Vpc'>).spec.sharedWith ?? []) shared.add(`${namespace} ${guest}`)
        const url = after.kind === 'Subscription' ? (after as Resource<'Subscription'>).spec.sink : callbackOf(after)
        if (url !== undefined) named.add(`${namespace} ${url}`)
      },
    }
  },
}

/** None of what is no object, or another's. */
function ownWordsIn(said: string, tenant: string): string {
  if (!said.startsWith('{"apiVersion":"megrez.io/')) return ''
  const { home, spec } = partsOf(said)
  return home === tenant ? JSON.stringify(spec) : ''
}

function partsOf(body: string): { readonly home: string | undefined; readonly spec: unknown; readonly annotations: unknown } {
  const { metadata, spec } = JSON.parse(body) as Partial<Resource>
  const { 'megrez.io/nic-status': _, ...annotations } = metadata?.annotations ?? {}
  return { home: metadata?.namespace, spec, annotations }
}
