// Which round of service chains a node knows of a Port that carries out a function: nobody sends by one before its functions' nodes do.
import { instancesIn, roundsOf, roundText } from '../../core/kinds/policy/chain.ts'
import { ruleSetName } from '../../core/kinds/policy/policy-rule-set.ts'
import { chainsOf } from '../../core/pipeline/chains/chain.ts'
import { limited } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import { lastOf, portOf, reportNodeStatus } from '../ports/node-status.ts'

/** Longest that the data plane may take; then it is tried again. */
const appliedMs = 30_000

/** Said once this node has it in place. */
export function reportRound(uid: string, env: AgentEnv): void {
  if (roundHere(uid, env) === saidOf(uid, env)) return
  env.outbox.put(`chain ${uid}`, async () => {
    await limited(appliedMs, env.clock, (signal) => env.loop.applied(signal))
    const [port, chain] = [portOf(uid, env), roundHere(uid, env)]
    const { chain: said, ...node } = (port && lastOf(port, env)) ?? {}
    if (port !== undefined && node.wired === true && chain !== said)
      reportNodeStatus(port, { ...node, ...(chain !== undefined && { chain }) }, env)
  })
}

/** The newest that it is in. Undefined: it carries nothing out. */
function roundHere(uid: string, { ruleSets }: AgentEnv): string | undefined {
  const [set] = ruleSets.withFunction(uid).flatMap((name) => ruleSets.get(name) ?? [])
  const rounds =
    set === undefined ? [] : roundsOf(chainsOf(set)).filter(({ chains }) => instancesIn(chains).some(({ port }) => port === uid))
  return set === undefined || rounds.length === 0 ? undefined : roundText(ruleSetName(set), Math.max(...rounds.map(({ round }) => round)))
}

function saidOf(uid: string, env: AgentEnv): string | undefined {
  const port = portOf(uid, env)
  return port && lastOf(port, env)?.chain
}
