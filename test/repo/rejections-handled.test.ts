import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { rejectionsHandled } from './rejections-handled.ts'

// A project of its own, with nothing else in it: in ours the types of the whole repository would be read.
const folder = mkdtempSync(join(tmpdir(), 'megrez-lint-'))
writeFileSync(
  join(folder, 'tsconfig.json'),
  '{ "compilerOptions": { "strict": true, "target": "esnext", "types": [] }, "files": ["empty.ts"] }',
)
writeFileSync(join(folder, 'empty.ts'), '')
after(() => rmSync(folder, { recursive: true }))
const linter = new Linter({ cwd: folder })
/** A function that waits, and what is found in it. */
const found = (...lines: readonly string[]): string[] =>
  linter
    .verify(
      [
        'declare function begin(): Promise<number>',
        'declare const other: Promise<void>',
        'export async function f(): Promise<unknown> {',
        ...lines,
        '}',
      ].join('\n'),
      [
        {
          files: ['**/*.ts'],
          plugins: { ours: { rules: { 'rejections-handled': rejectionsHandled as never } } },
          languageOptions: {
            parser: tseslint.parser,
            parserOptions: {
              projectService: { allowDefaultProject: ['heard.ts'], defaultProject: 'tsconfig.json' },
              tsconfigRootDir: folder,
            },
          },
          rules: { 'ours/rejections-handled': 'error' },
        },
      ],
      { filename: 'heard.ts' },
    )
    .map(({ message }) => message)

test('a promise that is begun before something else is awaited, and heard of after it, is found', () => {
  for (const late of [
    ['const begun = begin()', 'await other', 'return await begun'],
    ['const begun = begin().then((n) => n + 1)', 'for await (const each of [other]) void each', 'return begun'],
    ['const begun = new Promise((resolve, reject) => void reject(resolve))', 'if (await other === undefined) return', 'await begun'],
    ['let begun', 'begun = begin()', 'await other', 'await begun', 'return'],
    ['const begun = [1, 2].map(() => begin())', 'await other', 'return Promise.all(begun)'],
    ['const begun = Math.random() > 1 ? undefined : begin()', 'await other', 'await begun', 'return'],
  ])
    assert.match(found(...late).join(), /before anybody hears of what begun rejects/, late.join('; '))
})

test('one that is heard of at once, or with what else is awaited, is not', () => {
  for (const heard of [
    ['const begun = begin()', 'return await begun'],
    ['const begun = begin()', 'await Promise.all([other, begun])', 'return begun'],
    ['const begun = begin()', 'begun.catch(() => undefined)', 'await other', 'return await begun'],
    ['const begun = begin().catch(() => 0)', 'await other', 'return await begun'],
    ['const begun = new Promise<void>((resolve) => resolve())', 'await other', 'return begun'],
    ['const begun = [1, 2].map(() => begin())', 'return Promise.all(begun)'],
    ['let begun', 'begun = begin()', 'return await begun'],
    ['const later = async () => { await other }', 'const begun = begin()', 'void later', 'return begun'],
    ['const number = await begin()', 'await other', 'return number'],
  ])
    assert.deepEqual(found(...heard), [], heard.join('; '))
})
