// GET /v1/topology/picture: the network as it is drawn, of so many elements at most whatever its size.
import { isLabelName, isObjectName, nameMessage } from '../../../core/admit/object/metadata.ts'
import { vniMax } from '../../../core/net/segment.ts'
import { pictureOf } from '../../../core/views/topology/picture/picture.ts'
import type { PictureQuestion } from '../../../core/views/topology/picture/question.ts'
import { breath, type Clock } from '../../../platform/clock.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { parametersOf, wholeIn, type Parameters } from '../query.ts'
import { namespaceIn } from './kinds-in.ts'
import type { NetworkViews } from './network-views.ts'

const limitUsual = 1_000
const limitMax = 2_000
const openMax = 500
const followMax = 8
const phases = ['new', 'pending', 'ready', 'error', 'terminating']

export function topologyPictureOf(deps: RestDeps, views: NetworkViews): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['namespace', 'by', 'open', 'vni', 'vpc', 'node', 'phase', 'follow', 'limit'])
    const question = questionIn(parameters)
    const index = await views.of(request.caller, namespaceIn(parameters))
    return reply.header('cache-control', 'no-store').send(await result(pictureOf(index, question), deps.clock))
  }
}

/** Of what yields now and then, with others let in between. */
async function result<T>(steps: Generator<void, T>, clock: Clock): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await breath(clock)
  }
}

function questionIn(parameters: Parameters): PictureQuestion {
  const vni = wholeIn(parameters, 'vni', { max: vniMax })
  const vpc = keyIn(parameters, 'vpc')
  const follow = podsIn(parameters)
  const { node } = parameters
  if (node !== undefined && !isObjectName(node)) throw new BadParameter('node', nameMessage)
  const phase = oneIn(parameters, 'phase', phases)
  return {
    by: oneIn(parameters, 'by', ['node', 'vpc']) === 'vpc' ? 'vpc' : 'node',
    open: openIn(parameters),
    most: wholeIn(parameters, 'limit', { max: limitMax }) ?? limitUsual,
    ...(vni !== undefined && { vni }),
    ...(vpc !== undefined && { vpc }),
    ...(follow !== undefined && { follow }),
    ...(node !== undefined && { node }),
    ...(phase !== undefined && { phase }),
  }
}

/** `namespace/name`. @throws BadParameter */
function keyIn(parameters: Parameters, name: string): string | undefined {
  const given = parameters[name]
  if (given === undefined) return undefined
  const [namespace = '', of = '', ...more] = given.split('/', 3)
  if (isLabelName(namespace) && isObjectName(of) && more.length === 0) return given
  throw new BadParameter(name, 'must be a namespace and a name: shop/blue')
}

/** @throws BadParameter */
function podsIn({ follow }: Parameters): readonly string[] | undefined {
  if (follow === undefined) return undefined
  const pods = follow.split(',', followMax + 1)
  if (pods.length > followMax) throw new BadParameter('follow', `names more than ${followMax}`)
  return pods.map((pod) => keyIn({ follow: pod }, 'follow')!)
}

function oneIn(parameters: Parameters, name: string, among: readonly string[]): string | undefined {
  const given = parameters[name]
  if (given === undefined || among.includes(given)) return given
  throw new BadParameter(name, `must be one of ${among.join(', ')}`)
}

/** Ids that are not there open nothing: what was open may be gone. @throws BadParameter for too many */
function openIn({ open }: Parameters): PictureQuestion['open'] {
  if (open === undefined || open === 'all' || open === 'none') return open
  const ids = open.split(',', openMax + 1)
  if (ids.length > openMax) throw new BadParameter('open', `names more than ${openMax}`)
  return ids
}
