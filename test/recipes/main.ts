// `npm run recipes [-- NAME …]`: the recipes of CONTRIBUTING.md, each by itself.
import { carryOut } from './carry-out.ts'
import { recipes } from './recipes.ts'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(recipes, name))
if (unknown.length > 0) {
  console.error(`there is no recipe ${unknown.join(', ')}: there are ${Object.keys(recipes).join(', ')}`)
  process.exit(2)
}
for (const name of names.length === 0 ? Object.keys(recipes) : names) {
  const began = performance.now()
  carryOut([name], () => undefined)
  console.log(`${name}: works, ${Math.round((performance.now() - began) / 1000)} s`)
}
