// The floor: a bare Fastify route that parses and answers 201. Prints its address, ends with its parent.
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'

const app = fastify()
app.post('/*', (request, reply) => reply.code(201).send(request.body))
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
process.stdin.resume().on('end', () => process.exit(0))
