// The ways to clouds: one for each Cloud, made when it is asked for, and anew when its spec or its credentials are others.
import type { CloudDriver, CloudKind, CloudProblem } from '../../core/contracts/cloud.ts'
import { messageOf } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { isFor } from '../../core/kinds/vpc/cloud.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { CloudRegistry } from '../drivers/cloud/index.ts'
import type { CloudDeps } from '../drivers/cloud/cloud-deps.ts'
import { CredentialsWatch, readCredentials, type Credentials } from '../drivers/credentials.ts'

export interface CloudSessionsDeps {
  readonly clouds: Cache<'Cloud'>
  readonly registry: CloudRegistry
  /** Of each driver: the same, measured. */
  readonly timed?: (cloud: string, driver: CloudDriver) => CloudDriver
  /** Folder of credentials. */
  readonly credentials: string | undefined
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** A thing of this object has changed at its cloud. */
  readonly onChange: (kind: CloudKind, key: string) => void
}
interface Open {
  readonly driver: CloudDriver
  readonly generation: number
  readonly mark: string | undefined
  readonly off: (() => void) | undefined
}
export type CloudSession = { readonly driver: CloudDriver } | { readonly problem: CloudProblem }

const setting = 'MEGREZ_CLOUD_CREDENTIALS'

export class CloudSessions {
  readonly #deps: CloudSessionsDeps
  readonly #open = new Map<string, Open>()
  readonly #credentials: CredentialsWatch
  /** UID → key, of what was asked for here: a cloud knows no names of ours. */
  readonly #keys = new Map<string, string>()

  constructor(deps: CloudSessionsDeps) {
    this.#deps = deps
    this.#credentials = new CredentialsWatch(deps.credentials, deps.clock)
  }

  /** The way to a Cloud, for a Vpc of a namespace. @param isThere something of it stands there already: whoever may not begin may go on */
  of(name: string, namespace: string, isThere: boolean): CloudSession {
    const cloud = this.#deps.clouds.get(name)
    if (cloud === undefined) return { problem: { reason: 'CloudMissing', message: `Cloud ${name} not found` } }
    if (!isThere && !isFor(cloud, namespace))
      return { problem: { reason: 'CloudNotAllowed', message: `Cloud ${name} is not for Vpcs of namespace ${namespace}` } }
    return this.usable(cloud)
  }

  usable(cloud: Resource<'Cloud'>): CloudSession {
    try {
      return { driver: this.#driver(cloud) }
    } catch (err) {
      return { problem: { reason: 'CloudUnusable', message: messageOf(err) } }
    }
  }

  /** From now on a change of its thing wakes the key. */
  follow({ uid }: { readonly uid: string }, key: string): void {
    this.#keys.set(uid, key)
  }
  forget({ uid }: { readonly uid: string }): void {
    this.#keys.delete(uid)
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(open.map((each) => end(each)))
  }

  #credentialsOf({ spec }: Resource<'Cloud'>): Pick<CloudDeps, 'credentials' | 'bindingCredentials'> {
    const read = (name: string | undefined): Credentials => readCredentials(this.#deps.credentials, name, setting)
    const { credentials, bindingCredentials } = spec
    return { credentials: read(credentials), ...(bindingCredentials !== undefined && { bindingCredentials: read(bindingCredentials) }) }
  }

  /** Undefined: of one there are none that could be used. */
  #markOf(names: readonly (string | undefined)[]): string | undefined {
    const marks = names.map((name) => this.#credentials.mark(name))
    return marks.includes(undefined) ? undefined : marks.join('\n')
  }

  #driver(cloud: Resource<'Cloud'>): CloudDriver {
    const { name, generation } = cloud.metadata
    const there = this.#open.get(name)
    const mark = this.#markOf([cloud.spec.credentials, cloud.spec.bindingCredentials])
    // Credentials that cannot be used take nothing from a way that works.
    if (there !== undefined && there.generation === generation && (mark === undefined || mark === there.mark)) return there.driver
    const { registry, timed = (_, each) => each, clock, random, log } = this.#deps
    const make = Object.hasOwn(registry, cloud.spec.provider) ? registry[cloud.spec.provider] : undefined
    if (make === undefined)
      throw new Error(`provider ${cloud.spec.provider} is not known to these workers, which know ${Object.keys(registry).join(', ')}`)
    const driver = timed(name, make(cloud, { ...this.#credentialsOf(cloud), clock, random, log }))
    if (there !== undefined) end(there).catch((err: unknown) => log.warn({ cloud: name, err }, 'a way to a cloud did not close'))
    const off = driver.onChange?.((kind, uid) => {
      const key = this.#keys.get(uid)
      if (key !== undefined) this.#deps.onChange(kind, key)
    })
    this.#open.set(name, { driver, generation, mark, off })
    return driver
  }
}

async function end({ driver, off }: Open): Promise<void> {
  off?.()
  await driver.close()
}
