// Packets that the kernel of nodes routes, over the Linux data plane: host routes in a table of their own, as BGP brings them there.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routerName } from '../../core/net/router-name.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { segment, twoPods } from './announced-pods.ts'
import { ipOn, received, sent, withL3Nodes } from './l3-nodes.ts'
import { addPod, hostIP, mend, reaches, want } from './linux-nodes.ts'
import { table, vni } from './routed-segment.ts'

const router = routerName(vni)

describe('packets that the kernel of nodes routes', { skip: ovsSkip }, () => {
  test('pods of an l3 Subnet reach each other on one node and between two, without a tunnel; what is meddled with is mended', () =>
    withL3Nodes(async (lab) => {
      const pods = await twoPods(lab)
      const [one, two] = lab.nodes
      const all = async (): Promise<void> => {
        for (const from of pods)
          for (const to of pods)
            for (const address of to.port.addresses) assert.ok(await reaches(from, address), `${from.port.uid} to ${address}`)
      }
      await all()
      for (const gateway of ['10.0.0.1', '2001:db8:a0::1']) assert.ok(await reaches(pods[0], gateway), gateway)
      const { stdout } = await one.space.namespace.ip('route', 'get', '10.0.0.12', 'iif', router, 'from', '10.0.0.10')
      assert.match(stdout, /via 192\.0\.2\.2 dev under table/)
      assert.equal(await sent(one, 'mgvx001389'), 0, 'by the tunnel')
      for (const meddled of [
        ['link', 'del', 'mggw001389'],
        ['rule', 'del', 'pref', '19770'],
        ['-6', 'rule', 'del', 'pref', '19777'],
        ['route', 'flush', 'table', String(table), 'proto', '77'],
        ['neigh', 'del', '10.0.0.12', 'dev', router],
        // Nobody is told of this: the next audit sees it.
        ['link', 'set', router, 'address', '02:00:00:00:00:07'],
      ]) {
        const before = lab.woken()
        await ipOn(two, ...meddled)
        if (!meddled.includes('address')) await until(() => lab.woken() > before, `${meddled.join(' ')} is heard`)
        await mend(two)
        await all()
      }
      const before = lab.woken()
      await want(two, `port ${pods[2].port.uid}`, [])
      await ipOn(two, 'rule', 'del', 'pref', '19770')
      await until(() => lab.woken() > before, 'it is heard')
      assert.equal(lab.woken(), before + 1, 'what we drop ourselves nobody has taken away')
    }))

  test('a used-up hop and a packet that is too big are told of; a false source, the node itself and what nobody announced are not reached', () =>
    withL3Nodes(async (lab) => {
      const [from, , to] = await twoPods(lab)
      const [one, two] = lab.nodes
      const ping = async (...args: readonly string[]): Promise<string> =>
        (await from.space.namespace.exec('ping', '-c', '1', '-W', '1', ...args)).stdout
      assert.match(await ping('-t', '1', '10.0.0.12'), /Time to live exceeded/)
      assert.match(await ping('-t', '1', '2001:db8:a0::12'), /Time exceeded: Hop limit/)
      await ipOn(one, 'link', 'set', 'under', 'mtu', '1300')
      assert.match(
        await ping('-M', 'do', '-s', '1400', '10.0.0.12'),
        /Frag needed and DF set \(mtu = 1300\)|message too long, mtu[:=] ?1300/,
      )
      assert.match(await ping('-M', 'do', '-s', '1400', '2001:db8:a0::12'), /Packet too big: mtu=1300|message too long, mtu[:=] ?1300/)
      for (const address of [hostIP(1), hostIP(2), '2001:db8:bb::1', '10.0.0.99', '203.0.113.1']) {
        await from.space.namespace.ip('route', 'replace', address, 'via', address.includes(':') ? '2001:db8:a0::1' : '10.0.0.1')
        assert.equal(await reaches(from, address), false, address)
      }
      const free = await addPod(lab.spaces, one, { vni, host: 20, segment, more: { portSecurity: false } })
      await free.space.namespace.ip('addr', 'add', '10.0.0.77/24', 'dev', 'eth0')
      const heard = await received(two, to)
      await free.space.namespace.exec('ping', '-c', '3', '-i', '0.1', '-W', '1', '-I', '10.0.0.77', '10.0.0.12')
      assert.equal(await received(two, to), heard, 'a packet from an address that does not lead back to it')
      await free.space.namespace.exec('ping', '-c', '3', '-i', '0.1', '-W', '1', '-I', '10.0.0.20', '10.0.0.12')
      assert.ok((await received(two, to)) > heard, 'its own address')
    }))

  test('when all of it goes, nothing of it is left on the node', () =>
    withL3Nodes(async (lab) => {
      const [, , pod] = await twoPods(lab)
      const [, two] = lab.nodes
      for (const piece of [...two.items.keys()].filter((each) => each !== 'base').toReversed()) await want(two, piece, [])
      assert.doesNotMatch((await two.space.namespace.ip('rule')).stdout + (await two.space.namespace.ip('-6', 'rule')).stdout, /1977/)
      assert.equal((await two.space.namespace.ip('route', 'show', 'table', String(table), 'proto', '77')).stdout, '')
      assert.doesNotMatch((await two.space.namespace.ip('link')).stdout, /mggx/)
      assert.equal(await reaches(pod, '10.0.0.10'), false)
    }))
})
