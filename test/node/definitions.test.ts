// Definitions that name plugins of others, handed to the real ones as Multus does it: what a pod sends comes out in the VLAN that was asked
// for. ovs-cni and sriov are doubles.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { SupportedCni } from '../../core/kinds/l2/connection-point.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { definitionOf } from '../../core/plan/l2/definitions.ts'
import { run } from '../../platform/programs/run.ts'
import { until } from '../setup/until.ts'
import { macIn } from './cluster-nic.ts'
import { withSpaces, type Space } from './kernel.ts'
import { openDoubles, type Doubles } from './plugin-doubles.ts'
import { ipFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'

const plugins = process.env.MEGREZ_TEST_CNI_PLUGINS
const skip =
  plugins === undefined ? 'MEGREZ_TEST_CNI_PLUGINS names no folder of plugins: run it by node bootstrap.mjs test/run.ts node' : pythonSkip

interface Case {
  readonly cni: SupportedCni
  readonly vlanType: 'access' | 'trunk' | 'selectivetrunk'
  readonly vlans: readonly number[]
  /** The node's interface to the network; eth1 where it is not said. */
  readonly uplink?: string
  /** What an operator has prepared on the node. What this kernel cannot do skips the case. */
  readonly prepared: readonly string[]
  /** Not the real plugin. */
  readonly double?: true
  /** What Multus adds of the device that the scheduler has chosen. */
  readonly device?: object
  /** VLANs of what the pod sends (0: without a tag) → of what comes out; absent: nothing does. */
  readonly passes: Readonly<Record<number, number | undefined>>
}

const kernel: Pick<SupportedCni, 'supportedInterfaceTypes'> = { supportedInterfaceTypes: ['kernel'] }
const double = { prepared: [], double: true } as const
const ovs = { cni: { name: 'ovs', bridgeName: 'br-data', ...kernel }, ...double } as const
const sriov = { cni: { name: 'sriov', poolName: 'example.org/vfs', ...kernel }, ...double, device: { deviceID: 'vf0' } } as const
const filtering = ['ip link add br1 up type bridge vlan_filtering 1', 'ip link set eth1 master br1', 'bridge vlan add vid 100-101 dev eth1']
const cases: Readonly<Record<string, Case>> = {
  'macvlan, access': {
    cni: { name: 'macvlan', master: 'eth1', ...kernel },
    vlanType: 'access',
    vlans: [100],
    prepared: ['ip link add link eth1 name eth1.100 up type vlan id 100'],
    passes: { 0: 100 },
  },
  "macvlan, access, on whatever has the name of the VLAN's interface": {
    cni: { name: 'macvlan', master: 'eth1', ...kernel },
    vlanType: 'access',
    vlans: [100],
    uplink: 'eth1.100',
    prepared: [],
    passes: { 0: 0 },
  },
  'macvlan, trunk': {
    cni: { name: 'macvlan', master: 'eth1', ...kernel },
    vlanType: 'trunk',
    vlans: [100, 101],
    prepared: [],
    passes: { 0: 0, 100: 100, 101: 101 },
  },
  'bridge, access': {
    cni: { name: 'bridge', bridgeName: 'br1', ...kernel },
    vlanType: 'access',
    vlans: [100],
    prepared: filtering,
    passes: { 0: 100, 101: undefined },
  },
  'ovs by a double, access': { ...ovs, vlanType: 'access', vlans: [100], passes: { 0: 100, 100: undefined, 101: undefined } },
  'ovs by a double, selectivetrunk': {
    ...ovs,
    vlanType: 'selectivetrunk',
    vlans: [100, 101],
    passes: { 0: undefined, 100: 100, 101: 101, 102: undefined },
  },
  'ovs by a double, trunk': { ...ovs, vlanType: 'trunk', vlans: [100], passes: { 0: 0, 100: 100 } },
  'sriov by a double, access': { ...sriov, vlanType: 'access', vlans: [100], passes: { 0: 100 } },
  'sriov by a double, trunk': { ...sriov, vlanType: 'trunk', vlans: [100], passes: { 0: 0, 100: 100 } },
  'host-device, trunk': {
    cni: { name: 'host-device', poolName: 'example.org/nics', ...kernel },
    vlanType: 'trunk',
    vlans: [100],
    prepared: [],
    device: { device: 'eth1' },
    passes: { 0: 0, 100: 100 },
  },
}

function configOf({ cni, vlanType, vlans, device }: Case): object {
  const attachment = {
    kind: 'L2ServiceAttachment',
    metadata: { name: 'data', namespace: 'a', uid: 'u' },
    spec: { vlanType, l2Services: [], connectionPoint: 'cp' },
  } as unknown as Resource<'L2ServiceAttachment'>
  const { spec } = definitionOf({
    attachment,
    choice: { cni, podInterfaceType: 'kernel' },
    vlans,
    allowed: vlans,
    physicalNetwork: 'physnet1',
    ipam: undefined,
  })
  return { ...(JSON.parse(spec.config ?? '') as object), ...device }
}

interface Calling {
  readonly node: Space
  readonly pod: Space
  readonly conf: object
  readonly doubles: Doubles | undefined
}

/** As Multus calls a plugin for a pod: on the node, with the pod's namespace. */
async function called(command: 'ADD' | 'DEL', { node, pod, conf, doubles }: Calling): Promise<void> {
  const { type } = conf as { readonly type: string }
  const env = { CNI_COMMAND: command, CNI_CONTAINERID: 'pod', CNI_NETNS: pod.path, CNI_IFNAME: 'net1', CNI_PATH: plugins!, ...doubles?.env }
  const { code, stdout, stderr } = await run('nsenter', [`--net=${node.path}`, '--', join(doubles?.folder ?? plugins!, type)], {
    env,
    input: JSON.stringify(conf),
  })
  assert.equal(code, 0, `${type} ${command}: ${stdout} ${stderr}`)
}

describe('definitions of plugins that are not ours', { skip }, () => {
  for (const [name, each] of Object.entries(cases)) {
    test(`${name}: the plugin takes the definition, frames come out in the VLANs that were asked for, and DEL takes the interface away`, (t) =>
      withSpaces(async (spaces) => {
        const [node, pod, wire] = [await spaces.make(), await spaces.make(), await spaces.make()]
        const { uplink = 'eth1' } = each
        await node.namespace.ip('link', 'add', uplink, 'type', 'veth', 'peer', 'name', 'wire', 'netns', wire.name)
        for (const [space, link] of [
          [node, uplink],
          [wire, 'wire'],
        ] as const)
          await space.namespace.ip('link', 'set', link, 'up')
        for (const line of each.prepared)
          if ((await node.namespace.exec(...(line.split(' ') as [string]))).code !== 0) return t.skip(`this kernel does not do: ${line}`)
        const conf = configOf(each)
        const doubles = each.double === true ? await openDoubles(node, uplink) : undefined
        t.after(() => doubles?.close())
        await called('ADD', { node, pod, conf, doubles })
        await pod.namespace.ip('link', 'set', 'net1', 'up')
        const ear = await listen(wire.namespace, 'wire')
        const source = await macIn(pod.namespace, 'net1')
        const frames = Object.keys(each.passes).map((tag) =>
          ipFrame({
            source,
            destination: 'ff:ff:ff:ff:ff:ff',
            from: '10.0.0.1',
            to: `10.0.1.${tag}`,
            ...(tag === '0' ? {} : { tag: Number(tag) }),
          }),
        )
        /** In which VLAN it was heard that was sent with this tag. */
        const heard = (tag: string): number | undefined => {
          const frame = ear.heard.find((text) =>
            text.includes(
              `0a000001${Number(0x0a000100 + Number(tag))
                .toString(16)
                .padStart(8, '0')}`,
            ),
          )
          if (frame === undefined) return undefined
          return frame.slice(24, 28) === '8100' ? Number.parseInt(frame.slice(28, 32), 16) & 0xfff : 0
        }
        const wanted = Object.entries(each.passes)
        await until(async () => {
          await sendFrames(pod.namespace, 'net1', frames)
          return wanted.every(([tag, vlan]) => vlan === undefined || heard(tag) !== undefined)
        }, 'frames come out')
        assert.deepEqual(Object.fromEntries(wanted.map(([tag]) => [tag, heard(tag)])), each.passes)
        await ear.close()
        await called('DEL', { node, pod, conf, doubles })
        assert.doesNotMatch((await pod.namespace.ip('-o', 'link')).stdout, /net1/)
        // A device that was lent is there again.
        assert.ok((await node.namespace.ip('-o', 'link')).stdout.includes(` ${uplink}@`))
      }))
  }
})
