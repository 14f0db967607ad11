// A runtime that is not ours calls the agents of two data planes.
import { after, before, describe } from 'node:test'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode } from '../../lab/nodes/node.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { startAgents, type Agents } from './agents.ts'
import { cnitoolSkip, cnitoolTests } from './cnitool.ts'

const skip = cnitoolSkip || ((await ovsMissing({ install: false, print: () => undefined })) ?? false)

/** No delegate is on these nodes. */
const alone = { MEGREZ_CLUSTER_NIC: 'none' }

describe('agents called by cnitool', { skip }, () => {
  let agents: Agents
  const nodes: Record<string, AgentNode> = {}
  before(async () => {
    agents = await startAgents()
    nodes.ovs = await agents.node('no', ovsCarrier, alone)
    nodes.linux = await agents.node('nl', linuxCarrier, alone)
  })
  after(() => agents.close())

  for (const plane of ['ovs', 'linux']) cnitoolTests(plane, () => ({ agents, node: nodes[plane]! }))
})
