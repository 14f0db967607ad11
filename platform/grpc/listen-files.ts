// A gRPC server on a unix socket whose connections bring open files: what a call names is looked for among the files of its connection.
// A server each, as grpc-js says of a call neither which connection it came on nor lets a connection say its name.
import type { CarriedFiles, FileConnection, FileSockets } from './carried-files.ts'
import type { ServedCall } from './caller.ts'
import type { ServedHandler } from './handlers.ts'
import { openGrpcServer, type GrpcServer, type GrpcServing } from './server.ts'

export interface FileListen extends GrpcServing {
  readonly sockets: FileSockets
  readonly path: string
  /** At once; more are closed as they come. */
  readonly connections: number
}

/** @returns listens no more, as `GrpcListening.stop` @throws where there can be no such socket */
export function listenWithFiles({ sockets, path, connections, ...serving }: FileListen): (graceMs?: number) => Promise<void> {
  const { certificate, handlers } = serving
  const open = new Map<FileConnection, GrpcServer>()
  const listening = sockets.listen(path, (connection) => {
    // What a peer does to its own connection is no fault of ours.
    connection.on('error', () => undefined)
    if (open.size >= connections) return void connection.destroy()
    const server = openGrpcServer({
      ...serving,
      handlers: handlers.map((handler) => withFiles(handler, connection.files)),
      // It is the only one: nobody comes who could see the next certificate.
      certificate: certificate && { current: () => certificate.current(), on: () => () => undefined },
    })
    open.set(connection, server)
    connection.once('close', () => {
      open.delete(connection)
      void server.stop(0)
    })
    server.inject(connection)
  })
  return async (graceMs) => {
    listening.close()
    await Promise.all([...open.values()].map((server) => server.stop(graceMs)))
    for (const connection of open.keys()) connection.destroy()
  }
}

function withFiles(handler: ServedHandler, files: CarriedFiles): ServedHandler {
  const from = (call: ServedCall): ServedCall => ({ ...call, caller: withOwn(call.caller, files) })
  return handler.kind === 'unary'
    ? { ...handler, answer: async (request, call) => handler.answer(request, from(call)) }
    : { ...handler, answer: (request, call) => handler.answer(request, from(call)) }
}

/** Its certificate is looked into by whoever asks for it. */
const withOwn = (caller: ServedCall['caller'], files: CarriedFiles): ServedCall['caller'] => ({
  address: caller.address,
  files,
  get certificate() {
    return caller.certificate
  },
})
