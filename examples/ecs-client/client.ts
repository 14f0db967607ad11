// The REST API as a service uses it: calls typed by the contract, each with a key that makes sending it again harmless.
import createClient, { type Client } from 'openapi-fetch'
import { randomUUID } from 'node:crypto'
import type { components, paths } from '../../openapi/types.ts'

export type Port = components['schemas']['Port']
export type PortSpec = components['schemas']['PortSpec']
export type Pod = components['schemas']['Pod']
export type PodSpec = components['schemas']['PodSpec']
type Problem = components['schemas']['Problem']

export interface Identity {
  readonly url: string
  /** A token of the service's own, with the role `operator` in its namespace. */
  readonly token: string
  readonly namespace: string
}

/** A refusal, as the server words it. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title)
    this.problem = problem
  }
}

export class Ecs {
  #client: Client<paths>
  #namespace: string

  constructor({ url, token, namespace }: Identity) {
    this.#namespace = namespace
    this.#client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } })
  }

  async createPort(name: string, spec: PortSpec): Promise<Port> {
    const body = { apiVersion: 'megrez.io/v1alpha1', kind: 'Port', metadata: { name }, spec } as const
    return taken(await this.#client.POST('/v1/namespaces/{namespace}/ports', { params: this.#making(), body }))
  }

  async createPod(name: string, spec: PodSpec, callbackURL: string): Promise<Pod> {
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, annotations: { 'megrez.io/callback-url': callbackURL } },
      spec,
    } as const
    return taken(await this.#client.POST('/v1/namespaces/{namespace}/pods', { params: this.#making(), body }))
  }

  /** Where it is under way; undefined where it is gone already. */
  async deletePod(name: string): Promise<string | undefined> {
    const { error, response } = await this.#client.DELETE('/v1/namespaces/{namespace}/pods/{name}', { params: this.#deleting(name) })
    if (error !== undefined) throw new Refused(error)
    return response.headers.get('location') ?? undefined
  }

  async deletePort(name: string): Promise<string | undefined> {
    const { error, response } = await this.#client.DELETE('/v1/namespaces/{namespace}/ports/{name}', { params: this.#deleting(name) })
    if (error !== undefined) throw new Refused(error)
    return response.headers.get('location') ?? undefined
  }

  async getPort(name: string): Promise<Port> {
    return taken(
      await this.#client.GET('/v1/namespaces/{namespace}/ports/{name}', { params: { path: { namespace: this.#namespace, name } } }),
    )
  }

  #making() {
    return { path: { namespace: this.#namespace }, header: { 'Idempotency-Key': randomUUID() } }
  }

  #deleting(name: string) {
    return { path: { namespace: this.#namespace, name }, header: { 'If-Match': '*' } }
  }
}

function taken<T>({ data, error }: { readonly data?: T; readonly error?: unknown }): Exclude<T, components['schemas']['Operation']> {
  if (data === undefined) throw new Refused(error as Problem)
  return data as Exclude<T, components['schemas']['Operation']>
}
