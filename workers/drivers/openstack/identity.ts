// OpenStack's identity API, version 3: what a token is asked for with, and where the answer says that a service is. Pure.
// https://docs.openstack.org/api-ref/identity/v3/ (authentication and token management)
import type { Credentials } from '../credentials.ts'

/** Who asks for a token; undefined: the credentials name nobody, and the cloud is one that asks for none. */
export function tokenRequestOf(credentials: Credentials): object | undefined {
  const { username, password, token, applicationCredentialID: id, applicationCredentialSecret: secret } = credentials
  if (id !== undefined) return { identity: { methods: ['application_credential'], application_credential: { id, secret: secret ?? '' } } }
  if (username !== undefined) {
    const user = { name: username, password: password ?? '', domain: domainOf(credentials) }
    return { identity: { methods: ['password'], password: { user } }, ...scopeOf(credentials) }
  }
  return token === undefined ? undefined : { identity: { methods: ['token'], token: { id: token } }, ...scopeOf(credentials) }
}

const domainOf = ({ domain }: Credentials): object => (domain === undefined ? { id: 'default' } : { name: domain })

/** An application credential has its own, and none may be asked for beside it. */
function scopeOf(credentials: Credentials): { readonly scope?: object } {
  const { project } = credentials
  return project === undefined ? {} : { scope: { project: { name: project, domain: domainOf(credentials) } } }
}

/** Where tokens are asked for, and asked about. @param endpoint with or without `/v3` */
export const tokensUrl = (endpoint: string): string => `${endpoint.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3/auth/tokens`

export interface EndpointChoice {
  readonly region?: string | undefined
  readonly interface: 'public' | 'internal' | 'admin'
}
interface CatalogAnswer {
  readonly token?: {
    readonly issued_at?: string
    readonly expires_at?: string
    readonly catalog?: readonly {
      readonly type: string
      readonly endpoints: readonly {
        readonly interface: string
        readonly region?: string
        readonly region_id?: string
        readonly url: string
      }[]
    }[]
  }
}

/** Where the catalogue has a service; without a slash at the end. Undefined: it has none there. */
export function endpointIn(answer: unknown, type: string, { region, interface: face }: EndpointChoice): string | undefined {
  const services = (answer as CatalogAnswer | undefined)?.token?.catalog?.filter((service) => service.type === type) ?? []
  const found = services
    .flatMap(({ endpoints }) => endpoints)
    .find((each) => each.interface === face && (region === undefined || region === (each.region_id ?? each.region)))
  return found?.url.replace(/\/+$/, '')
}

/** For how many milliseconds a token is good; undefined: nobody says. Both times are of the server's clock. */
export function lifetimeOf(answer: unknown): number | undefined {
  const { issued_at: from = '', expires_at: until = '' } = (answer as CatalogAnswer | undefined)?.token ?? {}
  const lifetime = Date.parse(until) - Date.parse(from)
  return Number.isNaN(lifetime) ? undefined : lifetime
}
