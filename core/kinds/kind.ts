// How a kind is declared: once, and everything else is generated from it.
import type { Static, TObject } from 'typebox'
import { reportSection } from './meta.ts'

export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean' | 'date'
  /** Path below the object, e.g. `.spec.vni`. */
  readonly path: string
  /** Shown only with `-o wide`. */
  readonly wide?: boolean
}

/** A rule that a schema cannot say: CEL for the API server and its twin for us, held to one table of cases. */
export interface Rule<Spec = never> {
  /**
   * `self` is the spec: a rule asks nothing of the rest, so that an unchanged spec is never asked again (ratcheting). Absent where CEL
   * cannot say it: then our admission and REST refuse alone.
   */
  readonly cel?: string
  readonly message: string
  /** Where the fault is, below the object: `spec.ipv4.cidr`. */
  readonly at: string
  /** The same more exactly, where CEL can name but the whole list: `spec.peers.1.as`. Our admission and REST say it so. */
  readonly within?: (spec: Spec) => readonly string[]
  /** A rule that compares with the object as it was holds on updates only. */
  readonly holds: (spec: Spec, old: Spec | undefined) => boolean
}

export interface KindDefinition<Spec extends TObject = TObject, Status extends TObject = TObject> {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly scope: 'Namespaced' | 'Cluster'
  /** One sentence for `kubectl explain`, the OpenAPI document and the glossary. */
  readonly description: string
  readonly spec: Spec
  readonly status: Status
  /** Status section → its fields. A section has one writer, named in `writers`. */
  readonly sections: Readonly<Record<string, readonly string[]>>
  readonly writers: Readonly<Record<string, 'workers' | 'agent'>>
  readonly columns: readonly Column[]
  /** At most eight scalar paths that lists and watches may select by (Kubernetes 1.32). */
  readonly selectable: readonly string[]
  /** Spec paths that keep the value they were created with. */
  readonly immutable: readonly string[]
  readonly rules: readonly Rule<Static<Spec>>[]
  /** Not offered for writing over REST. */
  readonly internal: boolean
  /** Ours, from its birth until what it holds is given back and its end is told. Absent: it may go at once. */
  readonly finalizer?: string
}

type Defaults = 'singular' | 'shortNames' | 'sections' | 'writers' | 'immutable' | 'rules' | 'internal' | 'selectable' | 'columns' | 'scope'

/** A declaration with its defaults filled in; the section `report` and the columns Phase and Age are every kind's. */
export function defineKind<Spec extends TObject, Status extends TObject, const K extends string>(
  given: Omit<KindDefinition<Spec, Status>, Defaults | 'kind'> &
    Partial<Pick<KindDefinition<Spec, Status>, Defaults>> & { readonly kind: K },
): KindDefinition<Spec, Status> & { readonly kind: K } {
  return {
    singular: given.kind.toLowerCase(),
    shortNames: [],
    scope: 'Namespaced',
    immutable: [],
    rules: [],
    internal: false,
    selectable: [],
    ...given,
    sections: { report: reportSection, ...given.sections },
    writers: { report: 'workers', ...given.writers },
    columns: [
      ...(given.columns ?? []),
      { name: 'Phase', type: 'string', path: '.status.phase' },
      { name: 'Message', type: 'string', path: '.status.message', wide: true },
      { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
    ],
  }
}
