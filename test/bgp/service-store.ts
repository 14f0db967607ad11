// ServiceAddresses as workers write them where there are Services, which a server of one machine has not: agents are told of these by a
// store of the test's own, and of all else by their server.
import { createServer, request } from 'node:http'
import { refOf, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { makeLog } from '../../platform/log.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { listenAgents } from '../../webhooks/agents/server.ts'

export interface ServiceStore {
  /** That agents are to ask. */
  readonly socket: string
  /** @param spec undefined: it goes */
  put(name: string, spec: SpecOf<'ServiceAddress'> | undefined): Promise<void>
  close(): Promise<void>
}

/** @param behind the socket of the agents' server */
export async function serviceStore(behind: string): Promise<ServiceStore> {
  const store = SqliteStore.open(':memory:')
  const [own, socket] = [`${behind}.services`, `${behind}.both`]
  const services = await listenAgents({ store, log: makeLog('warn'), socket: own })
  const server = createServer((asked, answered) => {
    const isService = /^\/(objects|watch)\/ServiceAddress\b/.test(asked.url ?? '')
    const { method, url, headers } = asked
    const onward = request({ socketPath: isService ? own : behind, method, path: url, headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.headers)
      answered.flushHeaders()
      answer.pipe(answered)
    })
    onward.on('error', () => answered.destroy())
    answered.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const known = new Map<string, Resource<'ServiceAddress'>>()
  return {
    socket,
    async put(name, spec) {
      const before = known.get(name)
      if (spec === undefined) {
        known.delete(name)
        if (before !== undefined) await store.delete(refOf(before), { uid: before.metadata.uid })
        return
      }
      const metadata = { namespace: 'a', name }
      known.set(name, before ? await store.update({ ...before, spec }) : await store.create({ kind: 'ServiceAddress', metadata, spec }))
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await services.close()
      await store.close()
    },
  }
}
