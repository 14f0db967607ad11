// OpenStack's networking API as trunks need it: what its answers mean for a switch.
import { SwitchRefused, SwitchUnreachable } from '../../../core/errors.ts'
import { OpenStackClient, type OpenStackAnswer, type OpenStackOptions } from '../openstack/client.ts'

export interface NeutronOptions extends Pick<OpenStackOptions, 'credentials' | 'clock' | 'random' | 'ask'> {
  /** The networking API, without `/v2.0`. */
  readonly url: string
  /** The identity service, without `/v3`; absent: nobody asks who we are. */
  readonly identity?: string | undefined
}
interface Call {
  readonly signal: AbortSignal
  readonly body?: object
}
type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A batch is a request for each trunk, and one for each VLAN of it. */
const pace = { rate: 100, burst: 500 }

export class NeutronApi {
  readonly target: string
  readonly #client: OpenStackClient

  constructor({ url, identity, ...more }: NeutronOptions) {
    this.target = url
    this.#client = new OpenStackClient({
      ...more,
      unreachable: (reason, cause) => new SwitchUnreachable({ target: url, reason, ...(cause !== undefined && { cause }) }),
      service: 'network',
      endpoint: identity ?? url,
      endpoints: url,
      pace,
    })
  }

  /** Any answer, refusals too. @throws SwitchUnreachable where there is none, and where it was busy or broken: 401, 408, 429, every 5xx */
  send(method: Verb, path: string, call: Call): Promise<OpenStackAnswer> {
    return this.#client.send({ method, path, tenant: '', ...call })
  }

  /** @throws SwitchRefused for a 4xx; a DELETE of what is gone is done */
  async call<T>(verb: Verb, path: string, call: Call): Promise<T> {
    const answer = await this.send(verb, path, call)
    if (!(verb === 'DELETE' && answer.status === 404)) this.check(answer, path)
    return answer.body as T
  }

  check({ status, body }: OpenStackAnswer, what: string): void {
    if (status >= 400) throw new SwitchRefused({ target: this.target, reason: `${status} for ${what}: ${JSON.stringify(body)}` })
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
