// The oracle as a program: one question a line, one answer a line, in order.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface OraclePeer {
  readonly IP: string
  readonly Internal?: {
    readonly Namespace: string
    readonly NamespaceLabels: Readonly<Record<string, string>>
    readonly PodLabels: Readonly<Record<string, string>>
  }
}
export interface OracleTraffic {
  readonly Source: OraclePeer
  readonly Destination: OraclePeer
  readonly Protocol: string
  readonly ResolvedPort: number
  readonly ResolvedPortName: string
}
export interface OracleQuestion {
  readonly engine: 'cyclonus' | 'policy-assistant'
  readonly policies: readonly object[]
  readonly admin?: readonly object[]
  readonly baseline?: object
  readonly traffic: readonly OracleTraffic[]
}
export interface OracleAnswer {
  readonly ingress: boolean
  readonly egress: boolean
}

export interface Oracle {
  /** @throws what it says where it cannot answer */
  ask(question: OracleQuestion): Promise<readonly OracleAnswer[]>
  close(): void
}

export function openOracle(program: string): Oracle {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error('the oracle has ended')
      const answer = JSON.parse(value) as readonly OracleAnswer[] | { readonly error: string }
      if ('error' in answer) throw new Error(answer.error)
      return answer
    },
    close() {
      child.stdin.end()
    },
  }
}

interface AdminSpec {
  readonly ingress: readonly AdminRule[]
  readonly egress: readonly AdminRule[]
}
interface AdminRule {
  readonly from?: readonly Who[]
  readonly to?: readonly Who[]
}
interface Who {
  readonly namespaces?: object
  readonly pods?: { readonly namespaceSelector: object; readonly podSelector: object }
}

/** The oracle's API is 0.1.1, where a peer's selector of namespaces stood one level deeper. */
export function asBefore<T extends { readonly spec: object }>(policy: T): T {
  const spec = policy.spec as AdminSpec
  const deeper = ({ namespaces, pods }: Who): object =>
    pods === undefined
      ? { namespaces: { namespaceSelector: namespaces } }
      : { pods: { namespaces: { namespaceSelector: pods.namespaceSelector }, podSelector: pods.podSelector } }
  const rule = ({ from, to, ...more }: AdminRule): object => ({
    ...more,
    ...(from && { from: from.map(deeper) }),
    ...(to && { to: to.map(deeper) }),
  })
  return { ...policy, spec: { ...spec, ingress: spec.ingress.map(rule), egress: spec.egress.map(rule) } }
}
