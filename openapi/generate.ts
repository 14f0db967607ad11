// `npm run gen`: writes what is generated, and only where it differs.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { generatedFolders, outputs } from './outputs.ts'

const root = resolve(import.meta.dirname, '..')
const files = await outputs()
for (const [path, text] of files) {
  const target = join(root, path)
  if ((await readFile(target, 'utf8').catch(() => undefined)) === text) continue
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
  console.log(`wrote ${path}`)
}
for (const folder of generatedFolders) {
  for (const name of await readdir(join(root, folder))) {
    if (files.has(`${folder}/${name}`)) continue
    await rm(join(root, folder, name))
    console.log(`removed ${folder}/${name}`)
  }
}
