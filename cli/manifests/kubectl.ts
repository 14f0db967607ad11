// Handing rewritten manifests to kubectl, for a cluster.
import { spawn } from 'node:child_process'
import type { Json } from '../../core/json.ts'
import { CliError, type Context, type Exit } from '../context.ts'

export function applyByKubectl(
  manifests: readonly Json[],
  { namespace, dryRun, context }: { readonly namespace: string | undefined; readonly dryRun: boolean; readonly context: Context },
): Promise<Exit> {
  const args = ['apply', '-f', '-', ...(namespace === undefined ? [] : ['-n', namespace]), ...(dryRun ? ['--dry-run=server'] : [])]
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...context.env }, signal: context.signal })
    child.stdout.on('data', (text: Buffer) => context.out(text.toString()))
    child.stderr.on('data', (text: Buffer) => context.err(text.toString()))
    // It may have ended before it has read everything; its exit code tells.
    child.stdin.on('error', () => undefined)
    child.on('error', (err: NodeJS.ErrnoException) =>
      reject(new CliError(1, err.code === 'ENOENT' ? 'there is no kubectl on PATH' : `kubectl: ${err.message}`)),
    )
    child.on('close', (code) => resolve(code === 0 ? 0 : 1))
    child.stdin.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }))
  })
}
