// What the demo does, whoever plays it: `npm run demo` and the page. Five pods, each in a namespace of its own, then two in one namespace
// that ask for the same address.

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
}
export interface Step<M extends Manifest> {
  readonly is: string
  readonly namespace: string
  /** Made in this order, each once the one before it is ready; the last is a pod. */
  readonly manifests: readonly M[]
  /** The pod is to be refused: its address is taken. */
  readonly isRefused: boolean
}

const [labelName, labelValue] = ['app.kubernetes.io/part-of', 'megrez-demo']
/** What the demo has made, and nothing else, is selected by it. */
export const demoSelector = `${labelName}=${labelValue}`
export const isOfDemo = ({ metadata: { labels } }: { readonly metadata: Pick<Manifest['metadata'], 'labels'> }): boolean =>
  labels?.[labelName] === labelValue

/** Users before what they use: in this order all of it is taken back. */
export const demoKinds = ['Pod', 'Port', 'SecurityGroup', 'Subnet', 'Vpc'] as const

const pods = [
  'A pod that names its Vpc only',
  'A pod with a NIC in a Subnet',
  'A pod that asks for 192.168.0.12',
  'A VM with a Port made before it',
  'A VM with two NICs',
]
export const together = 'together'
export const demoNamespaces: readonly string[] = [...pods.map((_, i) => `pod${i + 1}`), together]

/** @param files the manifests of examples/pod1.yaml to examples/pod5.yaml */
export function demoSteps<M extends Manifest>(files: readonly (readonly M[])[]): readonly Step<M>[] {
  const labelled = files.map((manifests) => manifests.map(withLabel))
  const [, , three = [], , five = []] = labelled
  const isPod = ({ kind }: M): boolean => kind === 'Pod'
  const named = (manifest: M, name: string): M => ({ ...manifest, metadata: { ...manifest.metadata, name } })
  return [
    ...labelled.map((manifests, i) => ({ is: pods[i] ?? '', namespace: `pod${i + 1}`, manifests, isRefused: false })),
    {
      is: 'Another pod with 192.168.0.12, in another Vpc',
      namespace: together,
      manifests: [...five.filter((each) => !isPod(each)), ...three.filter(isPod).map((pod) => named(pod, 'pod3'))],
      isRefused: false,
    },
    {
      is: 'A second pod with 192.168.0.12 in the same Vpc: refused',
      namespace: together,
      manifests: five.filter(isPod).map((pod) => named(pod, 'pod5')),
      isRefused: true,
    },
  ]
}

const withLabel = <M extends Manifest>(manifest: M): M => ({
  ...manifest,
  metadata: { ...manifest.metadata, labels: { ...manifest.metadata.labels, [labelName]: labelValue } },
})
