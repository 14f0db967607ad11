// A guest behind a TAP without a machine: the TAP is opened as a hypervisor opens it, and its frames pass to and from an interface with the
// guest's MAC in a namespace of its own, where real clients of DHCP run.
import { spawn } from 'node:child_process'
import type { Namespace } from '../../lab/namespaces.ts'

const cable = `
import fcntl,os,select,socket,struct,sys,ctypes
def tap(name):
    f=os.open('/dev/net/tun',os.O_RDWR)
    fcntl.ioctl(f,0x400454ca,struct.pack('16sH22x',name.encode(),0x1002))
    return f
here=tap(sys.argv[1])
space=os.open('/run/netns/'+sys.argv[2],os.O_RDONLY)
if ctypes.CDLL(None).setns(space,0x40000000): sys.exit('setns')
there=tap('eth0')
os.system('ip link set eth0 address '+sys.argv[3]+' up')
print('ready',flush=True)
while True:
    for f in select.select([here,there],[],[])[0]:
        # One that is down takes none.
        try: os.write(there if f==here else here,os.read(f,65536))
        except OSError: pass
`

export interface GuestSpace {
  /** Takes it off its TAP. */
  close(): Promise<void>
}

/** @param guest a namespace without an eth0, which it gets */
export async function plugIn(
  node: Namespace,
  guest: Namespace,
  { tap, mac }: { readonly tap: string; readonly mac: string },
): Promise<GuestSpace> {
  const child = spawn('ip', ['netns', 'exec', node.name, 'python3', '-c', cable, tap, guest.name, mac], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`nobody opens the TAP ${tap}`)))])
  return {
    async close() {
      child.kill()
      await ended
    },
  }
}
