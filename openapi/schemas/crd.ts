// One kind as a CustomResourceDefinition (apiextensions.k8s.io/v1).
import type { KindDefinition } from '../../core/kinds/kind.ts'
import { group, version } from '../../core/kinds/meta.ts'
import { render, type Schema } from './render.ts'
import { validations } from './rules.ts'

/** Kubernetes' own limit, CustomResourceFieldSelectors (1.32). */
const selectableMax = 8

export function crd(definition: KindDefinition): Schema {
  const { kind, plural, singular, shortNames, scope, selectable } = definition
  if (selectable.length > selectableMax) throw new Error(`${kind} has ${selectable.length} selectable fields: a CRD takes ${selectableMax}`)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        categories: ['megrez'],
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: wholeObject(definition) },
          subresources: { status: {} },
          ...(selectable.length === 0 ? {} : { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
          additionalPrinterColumns: definition.columns.map(({ name, type, path, wide }) => ({
            name,
            type,
            jsonPath: path,
            ...(wide === true ? { priority: 1 } : {}),
          })),
        },
      ],
    },
  }
}

function wholeObject(definition: KindDefinition): Schema {
  const { kind, description } = definition
  const rules = validations(definition)
  const spec = render(definition.spec as unknown as Schema, 'structural', `${kind}.spec`)
  return {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: rules.length === 0 ? spec : { ...spec, 'x-kubernetes-validations': rules },
      status: render(definition.status as unknown as Schema, 'structural', `${kind}.status`),
    },
  }
}
