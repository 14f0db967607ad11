// CNI as bytes (specification 1.1.0, 2024-06; 0.4.0, 1.0.0 are taken too): what the runtime gives a plugin in its environment and on
// standard input, and what it wants to read on standard output.

export const cniVersions = ['0.4.0', '1.0.0', '1.1.0'] as const
export type CniVersion = (typeof cniVersions)[number]
export const cniCommands = ['ADD', 'DEL', 'CHECK', 'GC', 'STATUS', 'VERSION'] as const
export type CniCommand = (typeof cniCommands)[number]

/** Section 5 of the specification. */
export const cniCodes = {
  incompatibleVersion: 1,
  unsupportedField: 2,
  unknownContainer: 3,
  invalidEnvironment: 4,
  io: 5,
  decoding: 6,
  invalidConf: 7,
  tryAgain: 11,
  notAvailable: 50,
  limited: 51,
} as const

export interface CniRequest {
  readonly command: CniCommand
  readonly containerID: string
  /** Empty where the runtime gives none: DEL of a namespace that is gone. */
  readonly netns: string
  readonly ifname: string
  /** CNI_ARGS: `K8S_POD_NAME` and the like. */
  readonly args: Readonly<Record<string, string>>
  /** Where plugins are looked for. */
  readonly path: readonly string[]
  readonly conf: NetConf
}

/** The plugin's configuration as it comes on standard input; more than this may be in it. */
export interface NetConf {
  readonly cniVersion: CniVersion
  readonly name: string
  readonly type?: string
  readonly prevResult?: CniResult
  /** GC: what is still in use. */
  readonly 'cni.dev/valid-attachments'?: readonly { readonly containerID: string; readonly ifname: string }[]
  readonly [more: string]: unknown
}

export interface CniInterface {
  readonly name: string
  readonly mac?: string
  readonly mtu?: number
  readonly sandbox?: string
  readonly socketPath?: string
}
export interface CniIp {
  /** With prefix length. */
  readonly address: string
  readonly gateway?: string
  /** Into `interfaces`. */
  readonly interface?: number
  /** Of 0.4.0 alone: '4' or '6'. */
  readonly version?: string
}
export interface CniResult {
  readonly cniVersion?: string
  readonly interfaces?: readonly CniInterface[]
  readonly ips?: readonly CniIp[]
  readonly routes?: readonly { readonly dst: string; readonly gw?: string }[]
  readonly dns?: {
    readonly nameservers?: readonly string[]
    readonly domain?: string
    readonly search?: readonly string[]
    readonly options?: readonly string[]
  }
}

/** What is wrong with a request, in the specification's numbers. */
export interface CniError {
  readonly code: number
  readonly msg: string
  readonly details?: string
}
export const isCniError = (value: object): value is CniError => 'code' in value && 'msg' in value

/** One request as the shim sends it: `NAME=value` and a zero byte each, one more zero byte, and the rest is standard input. */
export function splitRequest(bytes: Uint8Array): { readonly env: Readonly<Record<string, string>>; readonly stdin: string } | CniError {
  const text = new TextDecoder()
  const env: Record<string, string> = {}
  for (let from = 0; ;) {
    const end = bytes.indexOf(0, from)
    if (end < 0) return { code: cniCodes.decoding, msg: 'what came is no request of the shim: no end of its variables' }
    if (end === from) return { env, stdin: text.decode(bytes.subarray(end + 1)) }
    const line = text.decode(bytes.subarray(from, end))
    const equals = line.indexOf('=')
    if (equals > 0) env[line.slice(0, equals)] = line.slice(equals + 1)
    from = end + 1
  }
}

export function readRequest(env: Readonly<Record<string, string>>, stdin: string): CniRequest | CniError {
  const variable = (name: string): string => env[`CNI_${name}`] ?? ''
  const command = variable('COMMAND') as CniCommand
  if (!cniCommands.includes(command))
    return { code: cniCodes.invalidEnvironment, msg: `CNI_COMMAND is ${JSON.stringify(command)}, not one of ${cniCommands.join(', ')}` }
  const conf = confOf(stdin, command)
  if (isCniError(conf)) return conf
  const args = argsOf(variable('ARGS'))
  const request = {
    command,
    containerID: variable('CONTAINERID'),
    netns: variable('NETNS'),
    ifname: variable('IFNAME'),
    path: variable('PATH')
      .split(':')
      .filter((each) => each !== ''),
    conf,
  }
  if (args === undefined) return { code: cniCodes.invalidEnvironment, msg: 'CNI_ARGS are not pairs A=1;B=2' }
  return problemInEnvironment(request) ?? { ...request, args }
}

function confOf(stdin: string, command: CniCommand): NetConf | CniError {
  let conf: unknown
  try {
    conf = JSON.parse(stdin)
  } catch (err) {
    return { code: cniCodes.decoding, msg: 'standard input is no JSON', details: (err as Error).message }
  }
  if (typeof conf !== 'object' || conf === null || Array.isArray(conf))
    return { code: cniCodes.decoding, msg: 'standard input is no object' }
  const { cniVersion = '0.1.0', name } = conf as Partial<NetConf> & { cniVersion?: string }
  if (!cniVersions.some((each) => each === cniVersion))
    return { code: cniCodes.incompatibleVersion, msg: `CNI version ${JSON.stringify(cniVersion)} is not one of ${cniVersions.join(', ')}` }
  if (command !== 'VERSION' && (typeof name !== 'string' || name === ''))
    return { code: cniCodes.invalidConf, msg: 'name is missing from the configuration' }
  return conf as NetConf
}

function argsOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(';').filter((pair) => pair !== '')
  if (pairs.some((pair) => !pair.includes('='))) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

const needs: Readonly<Record<CniCommand, readonly ('containerID' | 'ifname' | 'netns')[]>> = {
  ADD: ['containerID', 'ifname', 'netns'],
  DEL: ['containerID', 'ifname'],
  CHECK: ['containerID', 'ifname', 'netns'],
  GC: [],
  STATUS: [],
  VERSION: [],
}
const variables = { containerID: 'CNI_CONTAINERID', ifname: 'CNI_IFNAME', netns: 'CNI_NETNS' } as const

/** Section 2: a container ID begins with a letter or digit; an interface's name has 15 bytes at most, and no slash, colon or space. */
function problemInEnvironment(request: Pick<CniRequest, 'command' | 'containerID' | 'ifname' | 'netns'>): CniError | undefined {
  const missing = needs[request.command].find((each) => request[each] === '')
  if (missing !== undefined) return { code: cniCodes.invalidEnvironment, msg: `${variables[missing]} is missing` }
  if (request.containerID !== '' && !/^[a-zA-Z0-9][\w.-]*$/.test(request.containerID))
    return { code: cniCodes.invalidEnvironment, msg: 'CNI_CONTAINERID has characters that it may not have' }
  if (request.ifname !== '' && !isInterfaceName(request.ifname))
    return { code: cniCodes.invalidEnvironment, msg: 'CNI_IFNAME is no interface name' }
  return undefined
}

const isInterfaceName = (name: string): boolean => name.length <= 15 && name !== '.' && name !== '..' && !/[/:\s]/.test(name)

/** A result in the words of one version: 0.4.0 says of each address which family it is of; MTU and socketPath came with 1.1.0. */
export function resultIn(version: CniVersion, result: CniResult): CniResult {
  const { cniVersion: _, interfaces = [], ips = [], ...rest } = result
  const links = version === '1.1.0' ? interfaces : interfaces.map(({ mtu: _mtu, socketPath: _path, ...each }) => each)
  return {
    cniVersion: version,
    interfaces: links,
    ips: ips.map(({ version: __, ...ip }) => (version === '0.4.0' ? { version: ip.address.includes(':') ? '6' : '4', ...ip } : ip)),
    ...rest,
  }
}

export const versionResult = (version: string): object => ({ cniVersion: version, supportedVersions: cniVersions })

/** What the shim prints, and its exit code before it: the code in a line of its own. */
export function answerText(version: string, answer: object | undefined): string {
  if (answer === undefined) return '0\n'
  return isCniError(answer)
    ? `${answer.code > 0 && answer.code < 256 ? answer.code : 1}\n${JSON.stringify({ cniVersion: version, ...answer })}\n`
    : `0\n${JSON.stringify(answer)}\n`
}
