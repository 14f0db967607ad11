import { describe } from 'node:test'
import { kubeScales } from '../../platform/kube/scales.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { scalesLaws } from '../laws/scales.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'

const deployment = (name: string, replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: one, image: example.org/one }] }
`

describe('kube', { skip: kubeSkip }, () => {
  scalesLaws('kube', async () => {
    const store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    const namespace = await newNamespace('scales')
    return {
      namespace,
      scales: kubeScales(store.client),
      async deploy({ name }, replicas) {
        await kubectl(['create', '-n', namespace, '-f', '-'], { input: deployment(name, replicas) })
      },
      async set({ name }, replicas) {
        await kubectl(['scale', 'deployment', name, '-n', namespace, `--replicas=${replicas}`])
      },
      end: () => store.close(),
    }
  })
})
