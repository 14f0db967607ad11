/** `gui/build.ts` reads it: the documents of the file, in their order. */
declare module '*.yaml' {
  const manifests: readonly import('../../examples/demo-steps.ts').Manifest[]
  export default manifests
}
