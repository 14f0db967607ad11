// A receiver of callbacks in a process of its own, for the benchmark `callbacks`: it takes everything with 204, as fast as
// Node.js does, and prints its TCP port number first. A line on its standard input, and it prints how many it has taken.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let taken = 0
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  request.on('end', () => {
    taken += 1
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
process.stdin.on('data', () => process.stdout.write(`${taken}\n`)).on('end', () => process.exit(0))
