// The recipes of CONTRIBUTING.md, all together in one copy of the tree; `npm run recipes -- NAME` carries out one.
import { test } from 'node:test'
import { carryOut } from '../recipes/carry-out.ts'
import { recipes } from '../recipes/recipes.ts'

test('all recipes apply, compile and work', (t) => carryOut(Object.keys(recipes), (stage) => t.diagnostic(stage)))
