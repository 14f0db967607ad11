// Pods that talk: servers that answer TCP and UDP, one question to one of them, and a connection on which both ends say something all the
// time.
import { spawn, type ChildProcess } from 'node:child_process'
import type { Namespace } from '../../lab/namespaces.ts'

const server = `
import socket,sys,threading
def tcp(port):
    s=socket.socket(socket.AF_INET6,socket.SOCK_STREAM); s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)
    s.setsockopt(socket.IPPROTO_IPV6,socket.IPV6_V6ONLY,0); s.bind(('::',port)); s.listen()
    while True:
        c,_=s.accept(); threading.Thread(target=lambda c=c: [c.sendall(d) for d in iter(lambda: c.recv(65536),b'')],daemon=True).start()
def udp(port):
    s=socket.socket(socket.AF_INET6,socket.SOCK_DGRAM); s.setsockopt(socket.IPPROTO_IPV6,socket.IPV6_V6ONLY,0); s.bind(('::',port))
    while True:
        d,a=s.recvfrom(65536); s.sendto(b'%d'%len(d),a)
for p in sys.argv[1:]:
    for f in (tcp,udp): threading.Thread(target=f,args=(int(p),),daemon=True).start()
print('ready',flush=True); threading.Event().wait()
`
const question = `
import socket,sys
kind,address,port,size=sys.argv[1],sys.argv[2],int(sys.argv[3]),int(sys.argv[4])
family=socket.AF_INET6 if ':' in address else socket.AF_INET
s=socket.socket(family,socket.SOCK_STREAM if kind=='tcp' else socket.SOCK_DGRAM); s.settimeout(1.2)
try:
    s.connect((address,port)); s.send(b'x'*size); print('answered' if s.recv(64) else 'ended')
except ConnectionRefusedError: print('refused')
except OSError: print('silent')
`
const listener = `
import socket,sys,threading,time
s=socket.socket(); s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1); s.bind(('0.0.0.0',int(sys.argv[1]))); s.listen(); print('ready',flush=True)
c,_=s.accept()
def say():
    while True: c.sendall(b's'); time.sleep(0.02)
threading.Thread(target=say,daemon=True).start()
while c.recv(1): print('.',end='',flush=True)
`
const caller = `
import socket,sys,threading,time
c=socket.create_connection((sys.argv[1],int(sys.argv[2])),5); print('ready',flush=True)
c.settimeout(None)
def say():
    while True: c.sendall(b'c'); time.sleep(0.02)
threading.Thread(target=say,daemon=True).start()
while c.recv(1): print('.',end='',flush=True)
`

export interface Running {
  /** What it has printed, without its first line. */
  readonly printed: () => string
  close(): Promise<void>
}

/** Resolves once it says that it is ready. */
export async function run(namespace: Namespace, program: string, ...args: readonly string[]): Promise<Running> {
  const child: ChildProcess = spawn('ip', ['netns', 'exec', namespace.name, 'timeout', '900', 'python3', '-c', program, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const ready = Promise.withResolvers<void>()
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    if (text.startsWith('ready\n')) ready.resolve()
  })
  await Promise.race([ready.promise, ended.then(() => Promise.reject(new Error('it ended before it was ready')))])
  return {
    printed: () => text.slice('ready\n'.length),
    async close() {
      child.kill()
      await ended
    },
  }
}

/** Answers on these ports, TCP and UDP, of both families. */
export const startServer = (namespace: Namespace, l4Ports: readonly number[]): Promise<Running> =>
  run(namespace, server, ...l4Ports.map(String))

export interface Question {
  readonly kind: 'tcp' | 'udp'
  readonly to: string
  readonly l4Port: number
  readonly bytes?: number
}

/** `refused`: it was told at once that nobody listens there; `silent`: it was told nothing. */
export async function ask({ exec }: Namespace, { kind, to, l4Port, bytes = 5 }: Question): Promise<string> {
  return (await exec('python3', '-c', question, kind, to, String(l4Port), String(bytes))).stdout.trim()
}

export interface Conversation {
  /** Bytes that have come to each end. */
  readonly heard: () => { readonly byServer: number; readonly byClient: number }
  close(): Promise<void>
}

/** One TCP connection. */
export async function converse(
  client: Namespace,
  { namespace, address, l4Port }: { readonly namespace: Namespace; readonly address: string; readonly l4Port: number },
): Promise<Conversation> {
  const one = await run(namespace, listener, String(l4Port))
  const other = await run(client, caller, address, String(l4Port))
  return {
    heard: () => ({ byServer: one.printed().length, byClient: other.printed().length }),
    async close() {
      await other.close()
      await one.close()
    },
  }
}
