// openapi/types.ts from the document, by openapi-typescript.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { Schema } from './schemas/render.ts'

/** A default makes a field optional for who sends it; who reads it must still not count on it. */
export async function typesText(document: Schema): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, { defaultNonNullable: false, alphabetize: false })
  return `// Generated from openapi.yaml by npm run gen.\n${astToString(nodes)}`
}
