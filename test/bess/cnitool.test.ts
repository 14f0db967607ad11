// A runtime that is not ours calls an agent on the real bessd.
import { after, before, describe } from 'node:test'
import { bessCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode } from '../../lab/nodes/node.ts'
import { startAgents, type Agents } from '../node/agents.ts'
import { cnitoolSkip, cnitoolTests } from '../node/cnitool.ts'
import { bessd, bessSkip } from './test-nodes.ts'

describe('an agent on bessd called by cnitool', { skip: bessSkip || cnitoolSkip }, () => {
  let agents: Agents
  let node: AgentNode
  before(async () => {
    agents = await startAgents()
    node = await agents.node('nb', bessCarrier(bessd!), { MEGREZ_CLUSTER_NIC: 'none' })
  })
  after(() => agents.close())

  cnitoolTests('bess', () => ({ agents, node }))
})
