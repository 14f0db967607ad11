// gNMI 0.10, as much of it as a client for configuration needs (https://github.com/openconfig/gnmi, proto/gnmi/gnmi.proto, v0.14.1).
import {
  bool,
  bytes,
  define,
  double,
  enumeration,
  int64,
  map,
  message,
  oneof,
  repeated,
  safeInt64,
  safeUint64,
  string,
  type ReadOf,
  type WrittenOf,
} from '../protobuf/protobuf.ts'

export const PathElem = define('gnmi.PathElem', { name: string(1), key: map<string, string, string, false>('string', string(2)) })
export const Path = define('gnmi.Path', { origin: string(2), elem: repeated(message(3, PathElem)), target: string(4) })
export type Path = ReadOf<typeof Path>
export type PathDraft = WrittenOf<typeof Path>

/** Values of leaf-lists: scalars alone. */
const Scalar = define('gnmi.TypedValue', {
  ...oneof('value', {
    stringVal: string(1),
    intVal: safeInt64(2),
    uintVal: safeUint64(3),
    boolVal: bool(4),
    jsonVal: bytes(10),
    jsonIetfVal: bytes(11),
    asciiVal: string(12),
    doubleVal: double(14),
  }),
})
const ScalarArray = define('gnmi.ScalarArray', { element: repeated(message(1, Scalar)) })
export const TypedValue = define('gnmi.TypedValue', {
  ...oneof('value', {
    stringVal: string(1),
    intVal: safeInt64(2),
    uintVal: safeUint64(3),
    boolVal: bool(4),
    leaflistVal: message(8, ScalarArray),
    jsonVal: bytes(10),
    jsonIetfVal: bytes(11),
    asciiVal: string(12),
    doubleVal: double(14),
  }),
})
export type TypedValue = ReadOf<typeof TypedValue>

export const Update = define('gnmi.Update', { path: message(1, Path), val: message(3, TypedValue) })
export type UpdateDraft = WrittenOf<typeof Update>
export const GnmiNotice = define('gnmi.Notification', {
  timestamp: int64(1),
  prefix: message(2, Path),
  update: repeated(message(4, Update)),
  delete: repeated(message(5, Path)),
})
export type GnmiNotice = ReadOf<typeof GnmiNotice>

/** CapabilityResponse.supported_encodings, and the encoding of a Get. */
export const encodings = { JSON: 0, BYTES: 1, PROTO: 2, ASCII: 3, JSON_IETF: 4 } as const
/** GetRequest.DataType */
export const dataTypes = { ALL: 0, CONFIG: 1, STATE: 2 } as const

const ModelData = define('gnmi.ModelData', { name: string(1), organization: string(2), version: string(3) })
export const CapabilityRequest = define('gnmi.CapabilityRequest', {})
export const CapabilityResponse = define('gnmi.CapabilityResponse', {
  supportedModels: repeated(message(1, ModelData)),
  supportedEncodings: repeated(enumeration(2)),
  gnmiVersion: string(3),
})
export const GetRequest = define('gnmi.GetRequest', {
  prefix: message(1, Path),
  path: repeated(message(2, Path)),
  type: enumeration(3),
  encoding: enumeration(5),
})
export const GetResponse = define('gnmi.GetResponse', { notification: repeated(message(1, GnmiNotice)) })
export const SetRequest = define('gnmi.SetRequest', {
  prefix: message(1, Path),
  delete: repeated(message(2, Path)),
  replace: repeated(message(3, Update)),
  update: repeated(message(4, Update)),
})
const UpdateResult = define('gnmi.UpdateResult', { path: message(2, Path), op: enumeration(4) })
export const SetResponse = define('gnmi.SetResponse', {
  prefix: message(1, Path),
  response: repeated(message(2, UpdateResult)),
  timestamp: int64(4),
})

/** Subscription.mode: ON_CHANGE. SubscriptionList.mode: STREAM. */
export const onChange = 1
export const stream = 0
const Subscription = define('gnmi.Subscription', { path: message(1, Path), mode: enumeration(2), sampleInterval: safeUint64(3) })
const SubscriptionList = define('gnmi.SubscriptionList', {
  prefix: message(1, Path),
  subscription: repeated(message(2, Subscription)),
  mode: enumeration(5),
  encoding: enumeration(8),
  updatesOnly: bool(9),
})
const Poll = define('gnmi.Poll', {})
export const SubscribeRequest = define('gnmi.SubscribeRequest', {
  ...oneof('request', { subscribe: message(1, SubscriptionList), poll: message(3, Poll) }),
})
export const SubscribeResponse = define('gnmi.SubscribeResponse', {
  ...oneof('response', { update: message(1, GnmiNotice), syncResponse: bool(3) }),
})

/**
 * `/interfaces/interface[name=Ethernet1]/ethernet` → a Path; `\]` and `\\` inside a key stand for themselves (gNMI path conventions,
 * section 2).
 */
export function parsePath(text: string): PathDraft {
  const elem = [...text.matchAll(/\/((?:[^/[\]]|\[(?:\\.|[^\]\\])*\])+)/g)].map(([, part = '']) => {
    const name = part.replace(/\[.*$/s, '')
    const keys = [...part.matchAll(/\[([^=\]]+)=((?:\\.|[^\]\\])*)\]/g)].map(
      ([, key = '', value = '']) => [key, value.replace(/\\(.)/g, '$1')] as const,
    )
    return { name, key: new Map(keys) }
  })
  return { elem }
}
export const quoteKey = (value: string): string => value.replace(/[\\\]]/g, '\\$&')

const utf8 = new TextDecoder()
/** The JSON of a value, whichever way it was sent; undefined for none. */
export function jsonOf(value: TypedValue | undefined): unknown {
  if (value === undefined) return undefined
  const text = value.jsonIetfVal ?? value.jsonVal
  if (text !== undefined) return JSON.parse(utf8.decode(text)) as unknown
  if (value.leaflistVal !== undefined) return value.leaflistVal.element.map((each) => jsonOf(each as TypedValue))
  return value.stringVal ?? value.uintVal ?? value.intVal ?? value.boolVal ?? value.asciiVal ?? value.doubleVal
}
/** JSON in JSON_IETF or JSON. */
export function valueOf(json: unknown, encoding: number): WrittenOf<typeof TypedValue> {
  const text = new TextEncoder().encode(JSON.stringify(json))
  return encoding === encodings.JSON_IETF ? { jsonIetfVal: text } : { jsonVal: text }
}
