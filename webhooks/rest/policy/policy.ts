// GET /v1/policy/trace: what policies say of one connection, and why. GET /v1/policy/matrix: who can talk to whom in a Vpc.
import { segmentField } from '../../../core/kinds/vpc/segment.ts'
import { keyOfItem, refOf } from '../../../core/kinds/index.ts'
import type { RuleSetSpec } from '../../../core/kinds/policy/policy-rule-set.ts'
import { matrixOf } from '../../../core/policy/matrix.ts'
import { isFrameType } from '../../../core/policy/verdict.ts'
import { missingOn, traceOf, type TraceEnd } from '../../../core/policy/trace/trace.ts'
import { wayOf } from '../../../core/policy/trace/way.ts'
import { withWalks } from '../../../core/views/walk/walk.ts'
import { gather } from '../across/gather.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { parametersOf, type Parameters } from '../query.ts'
import { compiledIn, ruleSetsIn } from './compiled.ts'
import { endsIn, type Ends } from './ends.ts'
import { identified, subnetsOf } from './identified.ts'
import { planHandler } from './plan.ts'
import { carriedIn, transportIn, transportParameters } from './transport.ts'
import { closedInterface, isOfVlan, vlanEndsIn } from './vlan.ts'
import { vlanMatrixIn } from './vlan-matrix.ts'
import { vpcIn } from './vpc.ts'

/** By the id of the operation. */
export const policyHandlers = { tracePolicy: traceHandler, getPolicyMatrix: matrixHandler, planPolicies: planHandler }

function traceHandler(deps: RestDeps): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['from', 'to', 'attachment', 'vlan', 'etherType', ...transportParameters])
    const transport = carriedIn(parameters)
    const isInVlan = isOfVlan(parameters)
    const ends = await (isInVlan ? vlanEndsIn : endsIn)(parameters, deps, request.caller)
    if (isFrameType(transport)) needFrames(ends)
    const sets = await ruleSetsIn(deps, ends)
    const { from, to, subnets } = isInVlan ? inVlan(ends, sets) : await inVpc(deps, ends, sets)
    const traced = traceOf(sets, { from, to, transport })
    const way = withWalks(
      wayOf({ from, to, vni: ends.vni, traced, isFrame: isFrameType(transport) }),
      { vni: ends.vni, ends: { from, to }, sets, subnets },
      transport,
    )
    const answer = { ...traced, vni: ends.vni, from: shown(from), to: shown(to), ...transport, way }
    return reply.header('cache-control', 'no-store').send(answer)
  }
}

/** @throws BadParameter */
function needFrames(ends: Ends): void {
  for (const name of ['from', 'to'] as const)
    if (ends[name].address !== '' && ends[name].port === undefined)
      throw new BadParameter(name, 'is an address, and frames that are no IP have none: name a pod or a Port, and in a VLAN a MAC')
}

type TracedEnds = Pick<Ends, 'from' | 'to'> & { readonly subnets: Awaited<ReturnType<typeof subnetsOf>> }

async function inVpc(deps: RestDeps, ends: Ends, sets: readonly RuleSetSpec[]): Promise<TracedEnds> {
  const subnets = await subnetsOf(deps, ends)
  const where = { ...ends, subnets }
  const [from, to] = [await identified(deps, where, closed(ends.from, sets)), await identified(deps, where, closed(ends.to, sets))]
  return { from, to, subnets }
}

function inVlan({ from, to, vni }: Ends, sets: readonly RuleSetSpec[]): TracedEnds {
  return { from: closedInterface(from, sets, vni), to: closedInterface(to, sets, vni), subnets: new Map() }
}

function closed(end: TraceEnd, sets: readonly RuleSetSpec[]): TraceEnd {
  const missing = end.port && missingOn(end.port, sets)
  return missing === undefined ? end : { ...end, missing }
}

const shown = ({ address, mac, port, interface: at }: TraceEnd): object => ({
  address,
  ...(mac !== undefined && { mac }),
  ...(at && { attachment: keyOfItem(at.attachment), vlan: at.vlan, pod: keyOfItem(at.pod), node: at.pod.spec.nodeName }),
  ...(port && { port: { namespace: port.metadata.namespace, name: port.metadata.name } }),
  ...(port?.spec.claim && { pod: port.spec.claim.pod }),
  ...(port?.spec.node !== undefined && { node: port.spec.node }),
})

function matrixHandler(deps: RestDeps): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['vpc', 'attachment', 'vlan', 'family', ...transportParameters])
    const transport = transportIn(parameters)
    const family = familyIn(parameters)
    if (isOfVlan(parameters)) {
      const answer = await vlanMatrixIn(parameters, { transport, family }, deps, request.caller)
      return reply.header('cache-control', 'no-store').send(answer)
    }
    const { vpc, namespace, vni } = await vpcIn(parameters, deps, request.caller)
    const ports = await gather(deps, request.caller, 'Port', { fields: { [segmentField(vni)]: String(vni) } })
    const at = { namespace, vni }
    const identities = await compiledIn(deps, 'PolicyIdentity', at)
    const sets = await ruleSetsIn(deps, at)
    const matrix = matrixOf({ ports: ports ?? [], identities, sets, transport, family })
    return reply.header('cache-control', 'no-store').send({ ...matrix, vpc: refOf(vpc), vni })
  }
}

function familyIn({ family = '4' }: Parameters): 4 | 6 {
  if (family === '4') return 4
  if (family === '6') return 6
  throw new BadParameter('family', 'must be 4 or 6')
}
