// Network namespaces of Ports without a pod: one each. A name is a function of the Port's UID: whoever takes the interface away finds its
// namespace without being told.
import { dropNamespace, hasNamespace, makeNamespace, namespacePath } from './named-namespace.ts'

const nameOf = (ifcName: string): string => `megrez-${ifcName}`
export const ownNamespace = (ifcName: string): string => namespacePath(nameOf(ifcName))

export const hasOwnNamespace = (ifcName: string): Promise<boolean> => hasNamespace(nameOf(ifcName))

/** Twice is once. @throws LinkRefused */
export const makeOwnNamespace = (ifcName: string): Promise<void> => makeNamespace(nameOf(ifcName))

/** Gone already is success. What still runs in there keeps it, without a name and without our interface. */
export const dropOwnNamespace = (ifcName: string): Promise<void> => dropNamespace(nameOf(ifcName))
