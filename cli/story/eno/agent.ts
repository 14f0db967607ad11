// The story's second node: an agent of ours has it, and our own plugin plumbs what its ConnectionPoint offers.
import { ovsSettings } from '../../../lab/nodes/carriers.ts'
import { startNodeOn, shimPath, type AgentNode, type CniAnswer, type Sandbox } from '../../../lab/nodes/node.ts'
import { openLab } from '../../../lab/lab.ts'
import type { OvsNode } from '../../../lab/programs/ovs.ts'
import { makeUnderlay } from '../../../lab/underlay.ts'

export interface OwnNode {
  readonly agent: AgentNode
  /** What Multus does with a definition of ours: our plugin is called with it. @throws Error with what it said */
  cni(command: 'ADD' | 'CHECK' | 'DEL', sandbox: Sandbox, conf: object): Promise<CniAnswer>
  /** VLANs that its uplink carries, as ovs-vsctl prints them. */
  uplink(): Promise<string>
  stop(): Promise<void>
}

/** @param server folder of the standalone server */
export async function startOwnNode(node: OvsNode, server: string): Promise<OwnNode> {
  const lab = await openLab()
  const closers: (() => Promise<unknown>)[] = [() => lab.close()]
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const underlay = await makeUnderlay(`${lab.id}-u`)
    closers.push(() => underlay.remove())
    const agent = await startNodeOn(
      { lab, underlay, name: 'n2', address: '192.168.50.2', store: `${server}/agents.sock`, shim: await shimPath() },
      async ({ address }) => {
        await underlay.join(node, address)
        const settings = { ...ovsSettings(node), MEGREZ_UPLINKS: '{"physnet":"uplink"}' }
        // The site ends it.
        return { namespace: node.namespace, settings, stop: () => Promise.resolve() }
      },
    )
    closers.push(() => agent.stop())
    return {
      agent,
      stop,
      async cni(command, sandbox, conf) {
        const answer = await agent.cni(command, sandbox, conf, 'net1')
        if (answer.code !== 0) throw new Error(`${command}: ${answer.code} ${answer.said.msg ?? ''}`)
        return answer
      },
      uplink: async () => (await node.vsctl('get', 'port', 'uplink', 'trunks')).trim(),
    }
  } catch (err) {
    await stop()
    throw err
  }
}
