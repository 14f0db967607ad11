// megrez import cloud|neutron: workers list what the cloud has that is nobody's, and it is told, or adopted.
import type { Resource } from '../../core/kinds/index.ts'
import { defaultNamespace, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { Api, refusal } from '../rest/api.ts'
import { audited } from '../rest/audit.ts'
import { targetOf } from '../rest/target.ts'
import { importCloud } from './cloud.ts'
import { made } from './made.ts'

export async function importFromCloud(
  system: 'cloud' | 'neutron',
  [cloud, ...networks]: readonly string[],
  given: GivenArguments,
  context: Context,
): Promise<Exit> {
  if (cloud === undefined) throw new CliError(2, `say megrez import ${system} CLOUD: the name of a Cloud`)
  const api = new Api(await targetOf(given, context), context.signal)
  const provider = await providerOf(cloud, api)
  if (system !== 'cloud' && provider !== system) throw new CliError(1, `Cloud ${cloud} is of provider ${provider}: say megrez import cloud`)
  const namespace = given.text('namespace') ?? defaultNamespace
  const { status = {} } = await audited(api, { cloud, strangers: true }, context.signal)
  if (status.truncated === true) context.err('note: there is more than one list holds: import again for the rest\n')
  const there = await importedBefore(cloud, namespace, api)
  const imported = importCloud(status.strangers ?? [], { cloud, provider, namespace, networks, there })
  const how = given.has('apply') ? 'make' : given.has('dry-run') ? 'judge' : 'print'
  return made(imported, `cloud ${cloud}`, how, { context, api: () => Promise.resolve(api) })
}

async function providerOf(name: string, api: Api): Promise<string> {
  const { item, problem } = await api.get('Cloud', '', name)
  if (problem !== undefined) throw refusal(problem)
  return (item as unknown as Resource<'Cloud'>).spec.provider
}

async function importedBefore(cloud: string, namespace: string, api: Api): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all([api.all('Vpc', namespace), api.all('Subnet', namespace)])
  const items = lists.flat() as unknown as readonly Resource<'Vpc' | 'Subnet'>[]
  return new Map(
    items.flatMap(({ spec, status, metadata }) =>
      status?.cloud === cloud && spec.existing !== undefined && status.providerID !== undefined
        ? [[status.providerID, metadata.name] as const]
        : [],
    ),
  )
}
