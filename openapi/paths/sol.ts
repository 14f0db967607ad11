// Subscriptions in SOL's own form.
import { SolSubscription, SolSubscriptionRequest, solVersions } from '../../core/kinds/notify/sol.ts'
import { refused, type Status } from './answers.ts'
import { routes, type Route } from './route.ts'
import { render, type Schema } from '../schemas/render.ts'

const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const rendered = (schema: unknown, at: string): Schema => render(schema as Schema, '2020-12', at)

/** components.schemas */
export const solSchemas: Readonly<Record<string, Schema>> = {
  SolSubscriptionRequest: {
    ...rendered(SolSubscriptionRequest, 'SolSubscriptionRequest'),
    description: 'LccnSubscriptionRequest of SOL003, NsdmSubscriptionRequest of SOL005, about our kinds.',
  },
  SolSubscription: {
    ...rendered(SolSubscription, 'SolSubscription'),
    description: 'LccnSubscription of SOL003: all but how the callbackUri knows us.',
  },
}

const request = {
  callbackUri: 'https://nfvo.example.org/notify',
  filter: {
    notificationTypes: ['PortStateChangeNotification'],
    operationStates: ['COMPLETED', 'FAILED_TEMP'],
    resourceLabels: 'tier=gold',
  },
  authentication: { authType: ['BASIC'], paramsBasic: { userName: 'megrez', password: 'correct horse' } },
  verbosity: 'SHORT',
}
const self = 'https://megrez.example.org/v1/namespaces/nfv/sol/subscriptions/0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11'
const example = {
  id: '0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11',
  filter: request.filter,
  callbackUri: request.callbackUri,
  verbosity: request.verbosity,
  _links: { self: { href: self } },
}

const versioned = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' }, Version: { $ref: '#/components/headers/Version' } }
const located = { ...versioned, Location: { $ref: '#/components/headers/Location' } }
const answer = (description: string, schema: Schema, sample: unknown, headers: Schema = versioned): Schema => ({
  description,
  headers,
  content: { 'application/json': { schema, example: sample } },
})
const offered = <Id extends string>(operationId: Id, summary: string, { parameters = [], ...more }: Schema): Route<Id>['operation'] => ({
  operationId,
  summary,
  tags: ['Subscription'],
  parameters: [parameter('Version'), ...(parameters as readonly Schema[])],
  ...more,
})
const no = (...statuses: readonly Status[]): Schema => refused(406, ...statuses)

const query = (name: string, description: string): Schema => ({ name, in: 'query', description, schema: { type: 'string' } })

const subscriptions = '/v1/namespaces/{namespace}/sol/subscriptions'
const one = `${subscriptions}/{name}`

export const solRoutes = routes(
  {
    at: subscriptions,
    method: 'get',
    operation: offered('listSolSubscriptions', 'Subscriptions of the profile sol, as SOL has them', {
      parameters: [
        query('filter', 'attribute filter (SOL013, 5.2): `(eq,callbackUri,https://a.example);(in,verbosity,FULL,SHORT)`'),
        query('nextpage_opaque_marker', 'as Link of the page before has it'),
      ],
      responses: {
        200: answer('A page of them.', { type: 'array', items: ref('SolSubscription') }, [example], {
          ...versioned,
          Link: { $ref: '#/components/headers/Link' },
        }),
        ...no(400, 403, 404),
      },
    }),
  },
  {
    at: subscriptions,
    method: 'post',
    operation: offered(
      'createSolSubscription',
      "Subscribe with SOL's own body; the callbackUri is asked by GET first, and must answer 204",
      {
        requestBody: { required: true, content: { 'application/json': { schema: ref('SolSubscriptionRequest'), example: request } } },
        responses: {
          201: answer('It is told from now on.', ref('SolSubscription'), example, located),
          303: { description: 'There is one of this callbackUri and filter: Location.', headers: located },
          ...no(400, 403, 404, 409, 413, 415, 422),
        },
      },
    ),
  },
  {
    at: one,
    method: 'get',
    opaque: true,
    operation: offered('getSolSubscription', 'Read one, by its id', {
      responses: { 200: answer('It stands.', ref('SolSubscription'), example), ...no(400, 403, 404) },
    }),
  },
  {
    at: one,
    method: 'delete',
    opaque: true,
    operation: offered('deleteSolSubscription', 'Be told no more', {
      responses: { 204: { description: 'It is gone, with its credentials.', headers: versioned }, ...no(400, 403, 404, 409) },
    }),
  },
  {
    at: '/v1/namespaces/{namespace}/sol/api_versions',
    method: 'get',
    operation: offered('listSolVersions', 'Which versions are known', {
      responses: {
        200: answer(
          'These (SOL013, 9.3).',
          {
            type: 'object',
            required: ['uriPrefix', 'apiVersions'],
            additionalProperties: false,
            properties: {
              uriPrefix: { type: 'string' },
              apiVersions: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['version', 'isDeprecated'],
                  additionalProperties: false,
                  properties: { version: { type: 'string' }, isDeprecated: { type: 'boolean' } },
                },
              },
            },
          },
          { uriPrefix: '/v1/namespaces/nfv/sol', apiVersions: solVersions.map((version) => ({ version, isDeprecated: false })) },
        ),
        ...no(400, 403),
      },
    }),
  },
)
