// The laws of a data plane on the real bessd. Law 3 is held at places that are drawn: test/agent/bess.test.ts cuts at many more, on the
// double.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bess } from '../../agent/dataplanes/bess.ts'
import { daemonOn } from '../../agent/dataplanes/bess/daemon.ts'
import { must } from '../../lab/namespaces.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { openChannel } from '../../platform/grpc/channel.ts'
import { dataplaneLaws } from '../laws/dataplane.ts'
import { Cut } from '../laws/interleaving.ts'
import { drawNext, drawNode, usualDrawing } from '../laws/node-wanted.ts'
import type { Through } from '../laws/driver.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { bessSkip, openTestNodes, settle, signal, underlayOf, type BessNode, type TestNodes } from './test-nodes.ts'
import { onTheWay } from './way.ts'

const drawing = { ...usualDrawing, portsMax: 4, endpointsMax: 6 }
const uplinks = { physnet1: 'up0' }

interface World {
  readonly nodes: TestNodes
  readonly node: BessNode
  instance(through?: Through): Promise<Dataplane>
}

/** One bessd, and all interfaces that the drawn ports name. The hosts of the tunnel are addresses of the underlay's bridge. */
async function openWorld(): Promise<World> {
  const nodes = await openTestNodes()
  const node = await nodes.node('a', '192.0.2.100')
  for (const { ifcName } of interfaces())
    await node.namespace.ip('link', 'add', ifcName, 'type', 'veth', 'peer', 'name', `x${ifcName.slice(1)}`)
  await node.namespace.ip('link', 'add', 'up0', 'type', 'veth', 'peer', 'name', 'xup0')
  // Entries of the kernel's neighbours would not do: bessd sets phy0's MAC to what it is, and the kernel forgets them all.
  for (let host = 1; host <= 5; host++) await must('ip', '-n', `${nodes.prefix}u`, 'addr', 'add', `192.0.2.${host}/24`, 'dev', 'br0')
  const underlay = await underlayOf(node)
  return {
    nodes,
    node,
    async instance(through) {
      const channel = openChannel({ target: node.daemon.target })
      nodes.onClose(() => Promise.resolve(channel.close()))
      await channel.ready(5000)
      return bess({
        target: node.daemon.target,
        underlay,
        uplinks,
        socketFolder: nodes.folder,
        besideOthers: true,
        channel: through === undefined ? channel : onTheWay(channel, through.way),
      })
    },
  }
}

function interfaces(): readonly { readonly ifcName: string }[] {
  const seen = new Map<string, { readonly ifcName: string }>()
  for (let seed = 1; seen.size < drawing.portsMax; seed++)
    for (const port of drawNode(seeded(seed), drawing).ports.values()) seen.set(port.ifcName, port)
  return [...seen.values()]
}

if (bessSkip !== false) test('bess on bessd: the laws', { skip: bessSkip })
else {
  dataplaneLaws('bess on bessd', {
    seeds: [],
    drawing,
    transitions: 300,
    async open() {
      const { nodes, node, instance } = await openWorld()
      const channel = openChannel({ target: node.daemon.target })
      nodes.onClose(() => Promise.resolve(channel.close()))
      const daemon = daemonOn(channel, signal)
      await daemon.createModule('somebodys sink', 'Replicate', { gates: [] })
      return {
        instance,
        theirs: async () => (await daemon.modules()).map(({ name }) => name).filter((name) => !name.startsWith('mgz:')),
        async spoil(random) {
          const names = (await daemon.modules())
            .map(({ name }) => name)
            .filter((name) => name.startsWith('mgz:') && !name.startsWith('mgz:hop.'))
          const name = names[Math.floor(random() * names.length)]
          if (name !== undefined) await daemon.destroyModule(name)
          return name
        },
        close: () => nodes.close(),
      }
    },
  })
}

describe('bess on bessd', { skip: bessSkip }, () => {
  test("cut off anywhere and begun anew, it gets there, two at once too; another instance sees the same; others' modules stay", async () => {
    const world = await openWorld()
    try {
      await cutOften(world)
    } finally {
      await world.nodes.close()
    }
  })
})

async function cutOften({ node, instance }: World): Promise<void> {
  const channel = openChannel({ target: node.daemon.target })
  const daemon = daemonOn(channel, signal)
  await daemon.createModule('somebodys', 'Replicate', { gates: [] })
  const random = seeded(3)
  let wanted = drawNode(random, drawing)
  for (let trial = 0; trial < trials(100); trial++) {
    wanted = drawNext(wanted, random, drawing)
    const cut = new Cut(Math.floor(random() * 60))
    await instance(cut)
      .then(async (plane) => settle(plane, wanted))
      .catch((err: unknown) => cut.is(err))
    const [one, other] = [await instance(), await instance()]
    // Rivals: the later of two finds it done.
    await Promise.all([settle(one, wanted), settle(other, wanted)])
    assert.equal(await settle(one, wanted), false, `cut off in trial ${trial}`)
    assert.deepEqual(await other.observe(undefined, signal), await one.observe(undefined, signal))
    for (const plane of [one, other]) await plane.close()
  }
  assert.deepEqual(
    (await daemon.modules()).map(({ name }) => name).filter((name) => !name.startsWith('mgz:')),
    ['somebodys'],
  )
  channel.close()
}
