// Servers that answer with their name, TCP and UDP, and who asks them.
import type { Namespace } from '../../lab/namespaces.ts'
import { run, type Running } from './conversations.ts'

const server = `
import socket,sys,threading
name=sys.argv[1].encode()
def tcp(port):
    s=socket.socket(socket.AF_INET6,socket.SOCK_STREAM); s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)
    s.setsockopt(socket.IPPROTO_IPV6,socket.IPV6_V6ONLY,0); s.bind(('::',port)); s.listen(64)
    def say(c,a):
        while c.recv(64): c.sendall(name+b' '+a[0].replace('::ffff:','').encode()+b'\\n')
    while True:
        c,a=s.accept(); threading.Thread(target=say,args=(c,a),daemon=True).start()
def udp(port):
    s=socket.socket(socket.AF_INET6,socket.SOCK_DGRAM); s.setsockopt(socket.IPPROTO_IPV6,socket.IPV6_V6ONLY,0); s.bind(('::',port))
    while True:
        d,a=s.recvfrom(64); s.sendto(name+b' '+a[0].replace('::ffff:','').encode(),a)
for p in sys.argv[2:]:
    for f in (tcp,udp): threading.Thread(target=f,args=(int(p),),daemon=True).start()
print('ready',flush=True); threading.Event().wait()
`
/** Of TCP a first packet that is lost, or comes before its neighbour is known, is sent again after 1 s. */
const questions = `
import socket,sys
kind,to,port,times,source,own=sys.argv[1],sys.argv[2],int(sys.argv[3]),int(sys.argv[4]),sys.argv[5],int(sys.argv[6])
v6=':' in to
for i in range(times):
    s=socket.socket(socket.AF_INET6 if v6 else socket.AF_INET,socket.SOCK_STREAM if kind=='tcp' else socket.SOCK_DGRAM); s.settimeout(3 if kind=='tcp' else 1)
    s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)
    if source or own: s.bind((source,own))
    try:
        s.connect((to,port)); s.send(b'?'); print(s.recv(128).decode().strip() or 'ended')
    except ConnectionRefusedError: print('refused')
    except OSError as e: print('silent')
    s.close()
`
const flow = `
import socket,sys,time
c=socket.create_connection((sys.argv[1],int(sys.argv[2])),5); c.settimeout(3); print('ready',flush=True)
try:
    while True:
        c.sendall(b'?'); a=c.recv(128)
        if not a: break
        print(a.decode().split()[0],flush=True); time.sleep(0.05)
except OSError: pass
print('broken',flush=True)
`

export const startNamed = (namespace: Namespace, name: string, l4Ports: readonly number[]): Promise<Running> =>
  run(namespace, server, name, ...l4Ports.map(String))

export interface NamedQuestion {
  readonly kind: 'tcp' | 'udp'
  readonly to: string
  readonly l4Port: number
  readonly times: number
  /** Absent: whatever the kernel says. */
  readonly source?: string
  readonly ownL4Port?: number
}

/** @returns for each time `NAME SOURCE`: who answered, and where it says that the question came from; else `refused` or `silent` */
export async function answers(
  from: Namespace,
  { kind, to, l4Port, times, source = '', ownL4Port = 0 }: NamedQuestion,
): Promise<readonly string[]> {
  const { stdout } = await from.exec('python3', '-c', questions, kind, to, String(l4Port), String(times), source, String(ownL4Port))
  return stdout.trim().split('\n')
}

/** How often each name answered. */
export const tally = (all: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(all, (each) => each.split(' ')[0]!)].map(([name, each]) => [name, each.length]))

/** One TCP connection that goes on asking; it prints who answers, and `broken` at its end. */
export const startFlow = (from: Namespace, to: string, l4Port: number): Promise<Running> => run(from, flow, to, String(l4Port))
