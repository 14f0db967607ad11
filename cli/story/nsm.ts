// What the deck "Simpler, Faster, More Flexible: Forward Evolution of NSM" says a network service is, on two nodes with packets: each claim
// is a check. What it says of gRPC, of tokens and of chains is held to NSM's own programs (docs/nsm.md).
import { sameJson } from '../../core/same-json.ts'
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { pathOf } from '../demo/rest.ts'
import { made, startTwoNodes } from '../demo/two-nodes.ts'
import { ServiceStage, type NicStatus } from './nsm/stage.ts'
import { printSentences, sentenceOf, type Sentence } from './sentence.ts'

const tenant = 'nsm'
const settledMs = 30_000

/** @returns the exit code */
export async function playNsm(json: boolean): Promise<number> {
  const print = (line: string): unknown => process.stderr.write(`${line}\n`)
  const missing = await ovsMissing({ install: false, print })
  if (missing !== undefined) {
    print(`story nsm: ${missing}`)
    return 1
  }
  return printSentences(await inLab(play), json)
}

async function play(lab: Lab, stops: Stops): Promise<readonly Sentence[]> {
  const stage = await ServiceStage.open(await startTwoNodes(lab, false, stops), tenant, 'dns')
  await stage.place('dns-1', 'n1', { serves: 'dns' })
  await stage.place('dns-2', 'n2', { serves: 'dns' })
  await stage.serving(2)
  await stage.place('stranger', 'n1', { subnet: 'all' })
  for (const [name, node] of [
    ['web-1', 'n1'],
    ['web-2', 'n2'],
  ] as const)
    await stage.place(name, node, { networkService: 'dns' })
  const address = { one: await stage.addressOf('dns-1'), two: await stage.addressOf('dns-2') }
  return [
    await sentence('there is a registry of network services and their endpoints, and clients find them by name', () => found(stage, 2)),
    await sentence('a client asks for a service by name, and is connected to an endpoint', () =>
      reachesOnly(stage, 'web-1', { to: address.one, notTo: [address.two] }),
    ),
    await sentence('on each node alike, beside the networking of Kubernetes', () =>
      reachesOnly(stage, 'web-2', { to: address.two, notTo: [address.one] }),
    ),
    await sentence('connections are isolated: neither other clients nor strangers are let in', async () => [
      ...((await stage.pings('web-1', await stage.addressOf('web-2'))) ? ['a client reaches another client'] : []),
      ...((await stage.pings('stranger', address.one)) ? ['a stranger reaches an endpoint'] : []),
    ]),
    await healed(stage, address.two),
    await expired(stage),
    await closed(stage),
  ]
}

const sentence = (says: string, problems: () => Promise<readonly string[]>): Promise<Sentence> =>
  sentenceOf(says, async () => (await problems()).join('; ') || undefined, settledMs)

async function found({ two }: ServiceStage, count: number): Promise<readonly string[]> {
  const { status, body } = await two.rest.call('GET', `${pathOf('NetworkService', tenant, 'dns')}/endpoints`)
  const items = body.items?.length ?? `none (${status})`
  return items === count ? [] : [`endpoints that are found: ${items}, not ${count}`]
}

interface Reach {
  readonly to: string
  readonly notTo: readonly string[]
}

async function reachesOnly(stage: ServiceStage, client: string, { to, notTo }: Reach): Promise<readonly string[]> {
  const wrong = (await stage.pings(client, to)) ? [] : [`${client} does not reach its endpoint`]
  for (const other of notTo) if (await stage.pings(client, other)) wrong.push(`${client} reaches ${other} too`)
  return wrong
}

const isSameNic = (a: NicStatus | undefined, b: NicStatus | undefined): boolean =>
  sameJson([a?.port, a?.addresses, a?.mac], [b?.port, b?.addresses, b?.mac])

/** The endpoint of its own node is killed. */
async function healed(stage: ServiceStage, other: string): Promise<Sentence> {
  const before = await stage.nicOf('web-1')
  await stage.end('dns-1')
  return sentence('a client whose endpoint dies is connected to another one, with the name, address and MAC that it has', async () => {
    const after = await stage.nicOf('web-1')
    return [
      ...(after?.connection?.addresses?.[0] === other ? [] : [`it has ${JSON.stringify(after?.connection)}`]),
      ...((await stage.pings('web-1', other)) ? [] : ['it does not reach it']),
      ...(isSameNic(before, after) ? [] : ['its own address is another one']),
    ]
  })
}

/** An endpoint of somebody's own registers for so long. */
const registeredSeconds = 3

async function expired(stage: ServiceStage): Promise<Sentence> {
  const name = 'over'
  const seconds = Math.ceil(Date.now() / 1_000) + registeredSeconds
  await made(stage.two.rest, pathOf('NetworkServiceEndpoint', tenant), {
    apiVersion: 'networkservicemesh.io/v1',
    kind: 'NetworkServiceEndpoint',
    metadata: { name },
    spec: { name, network_service_names: ['dns'], url: 'tcp://192.0.2.1:5001', expiration_time: { seconds } },
  })
  const unfound = await found(stage, 2)
  return sentence('registrations have an expiration, and what has expired is found by nobody', async () => [
    ...unfound,
    ...(await found(stage, 1)),
  ])
}

async function closed(stage: ServiceStage): Promise<Sentence> {
  await stage.end('web-2')
  return sentence('what is closed is cleaned up: no Connection is left of a client that is gone', async () => {
    const { body } = await stage.two.rest.call('GET', pathOf('Connection', tenant))
    const names = (body.items ?? []).map(({ metadata }) => metadata.name)
    return names.length === 1 ? [] : [`there are ${names.join(', ') || 'none'}`]
  })
}
