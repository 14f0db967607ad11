// VMs' TAPs on a real node: real clients of DHCP get what their Port is, and nobody else hears them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { linuxCarrier, ovsCarrier, type Carrier, type CarrierPlace } from '../../lab/nodes/carriers.ts'
import { listens } from '../../lab/nodes/connections.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { onPath } from '../../platform/programs/debian.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'
import { plugIn, type GuestSpace } from './guest-space.ts'
import { bootVm, machineSkip, portsOf, type VmPod, type VmPort } from './machines.ts'
import { listen, pythonSkip, sendFrames } from './raw-frames.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const apiVersion = 'megrez.io/v1alpha1'
const vpc = { 'megrez.io/vpc': 'vms' }
const nic = { ...vpc, 'megrez.io/nic-type': 'tap', 'megrez.io/nics': '[{"name":"eth0","subnet":"both"}]' }

/** DHCP and DHCPv6 for a server, and who looks for a router. */
const asksNode = /^(0800.{18}11.{20}.{4}0043|86dd.{8}.{4}11.{66}.{4}0223|86dd.{8}.{4}3a.{66}85)/

const planes: Readonly<Record<string, (place: CarrierPlace) => Promise<Carrier>>> = { 'Open vSwitch': ovsCarrier, Linux: linuxCarrier }
/** A user without capabilities, whom no TAP is but those that name it. */
const hypervisor = 61_000
/** Ends at once where it may not open the TAP. */
const openerOf = (tap: string): readonly string[] => [
  ...['timeout', '10', 'qemu-system-x86_64', '-nodefaults', '-machine', 'none', '-display', 'none'],
  ...['-netdev', `tap,id=a,ifname=${tap},script=no,downscript=no`],
]

for (const [plane, carry] of Object.entries(planes))
  describe(`guests on ${plane}`, { skip }, () => {
    let agents: Agents
    let node: NodeWith<Carrier>
    let vm: Sandbox
    let pod: Sandbox
    let guest: Sandbox
    let port: VmPort
    let cable: GuestSpace

    before(async () => {
      agents = await startAgents()
      const { rest } = agents
      const make = async (kind: 'Vpc' | 'Subnet', name: string, spec: object): Promise<void> => {
        const answer = await rest.call('POST', pathOf(kind, 'a'), { apiVersion, kind, metadata: { name }, spec })
        assert.equal(answer.status, 201, answer.body.detail)
      }
      await make('Vpc', 'vms', {})
      await make('Subnet', 'both', {
        vpc: 'vms',
        // Fixed addresses are named outside the pool, where nobody else is given one.
        ipv4: { cidr: '10.7.0.0/24', pools: [{ first: '10.7.0.64', last: '10.7.0.254' }] },
        ipv6: { cidr: '2001:db8:7::/64' },
        routes: [
          { destination: '10.99.0.0/16', nextHop: '10.7.0.9' },
          { destination: '2001:db8:99::/48', nextHop: '2001:db8:7::1' },
        ],
        dns: { nameservers: ['10.7.0.53', '2001:db8:7::53'], domain: 'vms.example', search: ['vms.example', 'example'] },
      })
      await make('Subnet', 'more', { vpc: 'vms', ipv4: { cidr: '10.8.0.0/24' } })
      await until(
        async () => (await rest.call('GET', pathOf('Subnet', 'a', 'both'))).body.status?.phase === 'ready',
        'the Subnet is ready',
        20_000,
      )
      node = await agents.node('n1', carry)
      vm = await agents.pod(node, 'vm', nic)
      pod = await agents.pod(node, 'pod', { ...vpc, 'megrez.io/nics': '[{"name":"eth0","subnet":"both"}]' })
      // A namespace that no pod has.
      guest = await agents.pod(node, 'guest')
      await agents.add(node, vm)
      await agents.add(node, pod)
      port = await portOf('vm')
      cable = await plugIn(node.namespace, guest.namespace, { tap: port.status.node!.tap!, mac: port.status.mac })
    })
    after(async () => {
      await cable?.close()
      await agents.close()
    })

    async function portOf(name: string): Promise<VmPort> {
      const of = async (): Promise<VmPort | undefined> =>
        ((await agents.rest.call('GET', pathOf('Port', 'a'))).body.items as unknown as VmPort[]).find(
          ({ spec }) => spec.claim?.pod === name,
        )
      await until(async () => (await of())?.status.node !== undefined, 'the node has told of the Port', 10_000)
      return (await of())!
    }
    const exec = async (...command: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await guest.namespace.exec(command[0]!, ...command.slice(1))
      return stdout + stderr
    }
    const told = 'env | grep -E "^(ip|mask|router|mtu|dns|domain|search|staticroutes|lease|serverid)=" | sort'
    const udhcpc = (...more: readonly string[]): Promise<string> =>
      exec(
        'busybox',
        'sh',
        '-c',
        `printf '#!/bin/sh\\n[ "$1" = bound ] && ${told}\\nexit 0\\n' >/tmp/told.$$; chmod +x /tmp/told.$$; busybox udhcpc -i eth0 -n -q -t 4 -T 1 -O search -O staticroutes -O mtu ${more.join(' ')} -s /tmp/told.$$ 2>&1; rm /tmp/told.$$`,
      )
    const busyboxSkip = onPath('busybox') === undefined && 'no busybox on PATH'

    test('udhcpc gets address, mask, router, MTU, routes, DNS and domain of its Port', { skip: busyboxSkip }, async () => {
      const [address] = port.status.addresses
      const lines = await udhcpc()
      for (const line of [`ip=${address}`, 'router=10.7.0.1', 'dns=10.7.0.53', 'domain=vms.example', 'lease=86400', 'serverid=10.7.0.1'])
        assert.ok(lines.split('\n').includes(line), `${line} in ${lines}`)
      assert.match(lines, /^staticroutes=10\.99\.0\.0\/16 10\.7\.0\.9 0\.0\.0\.0\/0 10\.7\.0\.1$/m)
      const { stdout } = await node.namespace.exec('cat', `/sys/class/net/${port.status.node!.tap!}/mtu`)
      assert.ok(lines.split('\n').includes(`mtu=${stdout.trim()}`), lines)
    })

    test('who asks for another address is told that it is not, and gets its own', { skip: busyboxSkip }, async () => {
      assert.ok((await udhcpc('-r', '10.7.0.200')).includes(`ip=${port.status.addresses[0]}`))
    })

    test('its kernel hears of router, MTU and routes by advertisement, and packets pass', async () => {
      const [v4, v6] = port.status.addresses as [string, string]
      await guest.namespace.exec('sysctl', '-qw', 'net.ipv6.conf.eth0.accept_ra=2', 'net.ipv6.conf.eth0.accept_ra_rt_info_max_plen=64')
      await guest.namespace.ip('link', 'set', 'eth0', 'down')
      await guest.namespace.ip('link', 'set', 'eth0', 'up')
      await until(
        async () => (await exec('ip', '-6', 'route')).includes('default via fe80::4d:65ff:fe67:7265'),
        'a router is known',
        15_000,
      )
      const routes = await exec('ip', '-6', 'route')
      assert.match(routes, /^2001:db8:7::\/64 dev eth0 proto kernel/m)
      assert.match(routes, /^2001:db8:99::\/48 via fe80::4d:65ff:fe67:7265/m)
      await guest.namespace.ip('addr', 'add', `${v4}/24`, 'dev', 'eth0')
      await guest.namespace.ip('addr', 'add', `${v6}/128`, 'dev', 'eth0', 'nodad')
      const other = await portOf('pod')
      for (const address of other.status.addresses) assert.ok(await reaches(guest.namespace, address, { tries: 10 }), address)
    })

    test('dhclient gets its IPv6 address and names', { skip: onPath('dhclient') === undefined && 'no dhclient on PATH' }, async () => {
      const script = `printf '#!/bin/sh\\necho "$reason $new_ip6_address $new_dhcp6_name_servers $new_dhcp6_domain_search"\\n' > /tmp/dh.$$; chmod +x /tmp/dh.$$; timeout 20 dhclient -6 -1 -d -sf /tmp/dh.$$ -lf /tmp/dh.$$.l -pf /tmp/dh.$$.p eth0 & sleep 4; kill %1; wait; rm -f /tmp/dh.$$*`
      assert.match(
        await exec('bash', '-c', script),
        new RegExp(`BOUND6 ${port.status.addresses[1]} 2001:db8:7::53 vms\\.example\\. example\\.`),
      )
    })

    test(
      "nobody else hears what it asks, and who speaks with another's MAC or says nonsense is answered nothing",
      { timeout: 60_000 },
      async () => {
        const [here, there] = [await listen(guest.namespace, 'eth0'), await listen(pod.namespace, 'eth0')]
        const mac = port.status.mac.replaceAll(':', '')
        const solicitation = (from: string): string =>
          `333300000002${from}86dd6000000000083afffe80${'00'.repeat(13)}05ff02${'00'.repeat(13)}02850079e300000000`
        await sendFrames(guest.namespace, 'eth0', [
          solicitation('02aaaaaaaaaa'),
          `ffffffffffff${mac}0800450000300000000040110000${'00'.repeat(4)}ffffffff00440043001c0000${'ff'.repeat(20)}`,
        ])
        await udhcpc()
        await sendFrames(guest.namespace, 'eth0', [solicitation(mac)])
        const answers = (): readonly string[] => here.heard.filter((frame) => frame.slice(12, 24) === '024d65677265')
        await until(() => answers().some((frame) => frame.slice(24, 28) === '86dd'), 'the one that is its own is answered', 5_000)
        assert.equal(answers().filter((frame) => frame.slice(24, 28) === '86dd').length, 1)
        assert.deepEqual(
          there.heard.filter((frame) => asksNode.test(frame.slice(24))),
          [],
        )
        await here.close()
        await there.close()
      },
    )

    test('a flood is not answered, and a moment later it is as before', { skip: busyboxSkip }, async () => {
      const mac = port.status.mac.replaceAll(':', '')
      const solicitation = `333300000002${mac}86dd6000000000083afffe80${'00'.repeat(13)}05ff02${'00'.repeat(13)}02850079e300000000`
      const ear = await listen(guest.namespace, 'eth0')
      await sendFrames(
        guest.namespace,
        'eth0',
        Array.from({ length: 500 }, () => solicitation),
      )
      await until(async () => (await udhcpc()).includes('router='), 'it is answered again', 15_000)
      assert.ok(ear.heard.filter((frame) => frame.slice(12, 28) === '024d6567726586dd').length <= 25)
      await ear.close()
    })

    test("Alkaid's VMs boot on their TAPs, ping each other and a pod, and DEL leaves nothing", { skip: machineSkip }, async (t) => {
      const began = performance.now()
      const { rest } = agents
      const post = async (kind: 'Port' | 'SecurityGroup', name: string, spec: object): Promise<string> => {
        const answer = await rest.call('POST', pathOf(kind, 'a'), { apiVersion, kind, metadata: { name }, spec })
        assert.equal(answer.status, 201, answer.body.detail)
        return answer.body.metadata.uid
      }
      await post('SecurityGroup', 'pingable', { rules: [{ direction: 'ingress', protocol: 'icmp' }] })
      const [first, second] = [
        await post('Port', 'of-pod4', { subnet: 'both', type: 'tap', tap: { uid: hypervisor, gid: hypervisor, multiQueue: true } }),
        await post('Port', 'of-pod5', { subnet: 'both' }),
      ]
      const [pod4, pod5] = await Promise.all([
        // Without any capability: the TAPs are its user's.
        bootVm(agents, node, 'pod4', { vpc: 'vms', nics: [{ portID: first }], user: hypervisor }),
        bootVm(agents, node, 'pod5', {
          vpc: 'vms',
          // A group knows connections, which policies on Linux do not.
          nics: [{ subnet: 'both', ip: '10.7.0.12', ...(plane === 'Open vSwitch' && { securityGroup: 'pingable' }) }, { portID: second }],
        }),
      ])
      const addresses = (await Promise.all([pod4.machine.exec('ip addr'), pod5.machine.exec('ip addr')])).map(({ output }) => output)
      for (const [i, { ports }] of [pod4, pod5].entries())
        for (const { status } of ports)
          assert.ok(
            addresses[i]!.includes(`link/ether ${status.mac}`) && addresses[i]!.includes(`inet ${status.addresses[0]}/24`),
            addresses[i],
          )
      assert.equal(pod4.ports[0]!.metadata.uid, first)
      const ofPod = (await portOf('pod')).status.addresses[0]!
      const pinged = async ({ machine }: VmPod, address: string): Promise<void> => {
        const talk = `[ "$(echo here | nc -w 5 ${ofPod} 8080)" = here ]`
        const { code, output } = await machine.exec(`ping -c 2 -W 3 ${address} && ping -c 2 -W 3 ${ofPod} && ${talk}`)
        assert.equal(code, 0, output)
      }
      const stop = await listens(pod.namespace)
      await Promise.all([pinged(pod4, '10.7.0.12'), pinged(pod5, pod4.ports[0]!.status.addresses[0]!)])
      await stop()
      // Before the kernel asks whether it is open already.
      const opened = (tap: string) =>
        node.namespace.exec(
          'setpriv',
          `--reuid=${hypervisor}`,
          `--regid=${hypervisor}`,
          '--clear-groups',
          '--inh-caps=-all',
          ...openerOf(tap),
        )
      for (const { status } of pod5.ports) assert.match((await opened(status.node!.tap!)).stderr, /not permitted/, "root's TAP is root's")
      const combined = await pod4.machine.exec('ls -d /sys/class/net/eth0/queues/rx-* | wc -l')
      assert.equal(combined.output.trim(), '2', 'its guest has two queues')
      assert.ok(await reaches(pod.namespace, pod4.ports[0]!.status.addresses[0]!, { tries: 3 }), 'a pod reaches a VM')
      await pluggedWhileTheyRun([pod4, pod5])
      t.diagnostic(`booted and pinged in ${Math.round(performance.now() - began)} ms`)

      for (const { machine, sandbox } of [pod4, pod5]) {
        await machine.stop()
        await agents.del(node, sandbox)
      }
      const taps = [...pod4.ports, ...pod5.ports].map(({ status }) => status.node!.tap!)
      await until(
        async () => {
          const { stdout } = await node.namespace.exec('ip', '-o', 'link')
          return taps.every((tap) => !stdout.includes(tap))
        },
        'their TAPs are gone',
        10_000,
      )
    })

    /** The pod's list makes the TAP, and whoever runs the VM hands it on; taken away it is in the other order. */
    async function pluggedWhileTheyRun(vms: readonly VmPod[]): Promise<void> {
      const list = async ({ sandbox }: VmPod, ...nics: readonly object[]): Promise<void> => {
        const body = { metadata: { annotations: { 'megrez.io/hot-nics': JSON.stringify(nics) } } }
        const headers = { 'if-match': '*', 'content-type': 'application/merge-patch+json' }
        const { status, body: said } = await agents.rest.call('PATCH', pathOf('Pod', 'a', sandbox.pod.name), body, headers)
        assert.equal(status, 200, JSON.stringify(said))
      }
      const hot = await Promise.all(
        vms.map(async (vm) => {
          await list(vm, { name: 'hot', subnet: 'more', ...(vm.user !== undefined && { tap: { uid: vm.user } }) })
          const [port] = (await portsOf(agents, vm.sandbox.pod.name, vm.ports.length + 1)).filter(({ spec }) => spec.claim?.nic === 'hot')
          const { mac, node: on, addresses } = port!.status
          const nic = { mac, tap: on!.tap! }
          await vm.machine.plug(nic)
          const device = `eth${vm.ports.length}`
          const wait = `for i in 1 2 3 4 5 6 7 8 9; do [ -e /sys/class/net/${device} ] && break; sleep 1; done`
          const { code, output } = await vm.machine.exec(
            `${wait}; ip link set ${device} up; udhcpc -i ${device} -n -q -t 5 -T 1 -s /lease && ip addr show ${device}`,
          )
          assert.deepEqual([code, output.includes(`inet ${addresses[0]}/24`)], [0, true], output)
          return { vm, nic, device, address: addresses[0]! }
        }),
      )
      const [{ vm }, { address }] = hot as [(typeof hot)[number], (typeof hot)[number]]
      const { code, output } = await vm.machine.exec(`ping -c 2 -W 3 ${address}`)
      assert.equal(code, 0, output)
      for (const each of hot) {
        await each.vm.machine.unplug(each.nic)
        const { output: left } = await each.vm.machine.exec('ip route; ip addr')
        assert.doesNotMatch(left, /10\.8\.0\./)
        await list(each.vm)
      }
      await until(
        async () => {
          const { stdout } = await node.namespace.exec('ip', '-o', 'link')
          const items = ((await agents.rest.call('GET', pathOf('Port', 'a'))).body.items ?? []) as unknown as readonly VmPort[]
          return items.every(({ spec }) => spec.claim?.nic !== 'hot') && hot.every(({ nic }) => !stdout.includes(nic.tap))
        },
        'their Ports and TAPs are gone',
        15_000,
      )
    }

    test('DEL takes the TAP away', async () => {
      await cable.close()
      await agents.del(node, vm)
      await until(
        async () => !(await node.namespace.exec('ip', '-o', 'link')).stdout.includes(port.status.node!.tap!),
        'the TAP is gone',
        10_000,
      )
    })
  })
