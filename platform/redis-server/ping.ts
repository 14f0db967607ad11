import { connect } from 'node:net'

/** What a Redis server at this unix socket says to PING (`+PONG`, `-LOADING …`), or undefined when nobody answers. */
export function ping(socket: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    const settle = (answer?: string) => {
      connection.destroy()
      resolve(answer)
    }
    connection.setTimeout(1000, settle)
    connection.on('error', () => settle())
    connection.on('close', () => settle())
    connection.on('data', (chunk: Buffer) => settle(chunk.toString().trim()))
    connection.write('PING\r\n')
  })
}
