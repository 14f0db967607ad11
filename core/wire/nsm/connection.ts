// Connections of NSM, and what is told of them. Their package is `connection`, that of Request is `networkservice`.
// Source: github.com/networkservicemesh/api (Apache-2.0), pkg/api/networkservice/{networkservice,connection}.proto (2026-11).
import { define, enumeration, map, message, repeated, string, uint32, type ReadOf, type WrittenOf } from '../protobuf/protobuf.ts'
import { ConnectionContext } from './context.ts'
import { Timestamp } from './well-known.ts'

/** With both its methods, Request and Close. */
export const networkService = 'networkservice.NetworkService'
/** Its one method is MonitorConnections. */
export const monitorConnection = 'connection.MonitorConnection'

export const states = { UP: 0, DOWN: 1, REFRESH_REQUESTED: 2, RESELECT_REQUESTED: 3 } as const
export const eventTypes = { INITIAL_STATE_TRANSFER: 0, UPDATE: 1, DELETE: 2 } as const

/** `cls` is LOCAL or REMOTE; parameters depend on `type` (pkg/api/networkservice/mechanisms). */
export const Mechanism = define('connection.Mechanism', {
  cls: string(1),
  type: string(2),
  parameters: map<string, string, string, false>('string', string(3)),
})
export type Mechanism = ReadOf<typeof Mechanism>

/** One hop: `token` is a JWT, `expires` its end with nanoseconds. */
export const PathSegment = define('connection.PathSegment', {
  name: string(1),
  id: string(2),
  token: string(3),
  expires: message(4, Timestamp),
  metrics: map<string, string, string, false>('string', string(5)),
})
export type PathSegment = ReadOf<typeof PathSegment>

/** `index` is the segment of whoever has the message in hand. */
export const Path = define('connection.Path', { index: uint32(1), pathSegments: repeated(message(2, PathSegment)) })
export type Path = ReadOf<typeof Path>

/** `id` is that of the path's segment at `index`: it changes at every hop. */
export const Connection = define('connection.Connection', {
  id: string(1),
  networkService: string(2),
  mechanism: message(3, Mechanism),
  context: message(4, ConnectionContext),
  labels: map<string, string, string, false>('string', string(5)),
  path: message(6, Path),
  networkServiceEndpointName: string(7),
  payload: string(8),
  /** One of `states`. */
  state: enumeration(9),
})
export type Connection = ReadOf<typeof Connection>
export type ConnectionDraft = WrittenOf<typeof Connection>

export const NetworkServiceRequest = define('networkservice.NetworkServiceRequest', {
  connection: message(1, Connection),
  mechanismPreferences: repeated(message(2, Mechanism)),
})
export type NetworkServiceRequest = ReadOf<typeof NetworkServiceRequest>

/** `type` is one of `eventTypes`; connections by the id that they have at the server. */
export const ConnectionEvent = define('connection.ConnectionEvent', {
  type: enumeration(1),
  connections: map<string, Connection, ConnectionDraft, true>('string', message(2, Connection)),
})
export type ConnectionEvent = ReadOf<typeof ConnectionEvent>

/** Empty: everything. Segments match as a run of neighbours; a text that is empty matches every one. */
export const MonitorScopeSelector = define('connection.MonitorScopeSelector', {
  pathSegments: repeated(message(1, PathSegment)),
  networkServices: repeated(string(2)),
})
export type MonitorScopeSelector = ReadOf<typeof MonitorScopeSelector>
