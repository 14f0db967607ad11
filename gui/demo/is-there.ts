// Whether objects of the demo are there, whoever has played it: asked of the server where one of its namespaces has a Vpc.
import { demoNamespaces, demoSelector } from '../../examples/demo-steps.ts'
import { list } from '../contract/api.ts'
import { may } from '../contract/session.ts'
import { useAnswer } from '../parts/answer.ts'

/** @param vpcs `namespace/name` of those that are seen */
export function useDemoIsThere(vpcs: readonly string[]): boolean {
  const candidates = vpcs.filter((key) => demoNamespaces.includes(key.slice(0, key.indexOf('/')))).join(' ')
  const { answer } = useAnswer(candidates, '', async () => candidates !== '' && may('list', 'Vpc') && (await isThere()))
  return answer === true
}

const isThere = async (): Promise<boolean> => (await list('Vpc', { labelSelector: demoSelector, limit: 1 })).items.length > 0
