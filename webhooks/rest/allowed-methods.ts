// Which methods each address offers, as the routes themselves say. Whatever else is asked of it is refused with these.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MethodNotAllowed, type MegrezError } from '../../core/errors.ts'
import { pathShown } from '../plugins/errors.ts'

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export class AllowedMethods {
  #known = new Map<string, { readonly form: RegExp; readonly methods: Set<string> }>()

  /** @param url with parameters as `:name` */
  add(url: string, methods: readonly string[]): void {
    const there = this.#known.get(url) ?? { form: new RegExp(`^${url.replace(/:\w+/g, '[^/]*')}$`), methods: new Set<string>() }
    this.#known.set(url, there)
    for (const method of methods) there.methods.add(method)
  }

  /**
   * For a request that no route took: what is wrong is its method, whatever its body and type are. Undefined where nothing is
   * served at its address.
   */
  refusal(request: FastifyRequest, reply: FastifyReply): MegrezError | undefined {
    const path = request.url.split('?')[0] ?? ''
    for (const { form, methods } of this.#known.values()) {
      if (!form.test(path)) continue
      reply.header('allow', order.filter((each) => methods.has(each)).join(', '))
      return new MethodNotAllowed({ method: request.method.slice(0, 40), path: pathShown(request) })
    }
    return undefined
  }
}
