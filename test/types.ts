// npm run types: two programs are checked, what Node.js runs and what a browser does.
import { join, resolve } from 'node:path'
import { run } from './setup/run.ts'

const root = resolve(import.meta.dirname, '..')
const projects = ['tsconfig.json', 'gui/tsconfig.json']
/** What was found the last time: only what has changed since is checked anew. */
const known = (project: string): string => join(root, '.data/types', `${project.replace('/', '-')}.tsbuildinfo`)

const outcomes = await Promise.all(
  projects.map((project) =>
    run(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', project, '--incremental', '--tsBuildInfoFile', known(project)],
      {
        cwd: root,
      },
    ),
  ),
)
for (const { stdout, stderr } of outcomes) process.stdout.write(stdout + stderr)
process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1
