// megrez token: tokens of a standalone server, for whoever has its folder. In a cluster tokens are those of its accounts and issuers.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { nearest } from '../../core/admit/nearest.ts'
import { roles } from '../../core/admit/rest/rights.ts'
import { realClock } from '../../platform/clock.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { flagLines, helpFlag, readArgs, suggestion, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { secondsIn } from '../durations.ts'
import { since } from '../kinds/columns.ts'
import { tableOf } from '../output/table.ts'
import { keepToken, keptTokens, revokeToken, type ListedToken } from '../token/kept.ts'

/** An agent's token is made with its node, elsewhere. */
const offered = roles.filter((role) => role !== 'agent')
const longestSeconds = 366 * 86_400

export const flags: Flags = {
  role: { type: 'string', value: offered.join('|'), meaning: 'what it may (viewer)' },
  namespace: { type: 'string', short: 'n', multiple: true, value: 'NAME', meaning: 'only there; may be repeated; all when absent' },
  name: { type: 'string', value: 'NAME', meaning: 'whose it is, for logs and to take it back by' },
  expires: { type: 'string', value: 'TIME', meaning: 'it ends after so long, at most 366d (30d)' },
  data: { type: 'string', value: 'DIR', meaning: 'data folder of the server on this machine (.data)' },
  ...helpFlag,
}
export const completes = ['create', 'list', 'revoke']
export const usage = `megrez token create [--role ROLE] [-n NAMESPACE…] [--name NAME] [--expires TIME]
megrez token list
megrez token revoke NAME|ID…

Of a standalone server, by whoever may read its folder. create prints the token alone: it is kept nowhere. revoke holds from the next request
on; a watch that is open goes on until it is begun anew. In a cluster: kubectl create token ACCOUNT.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [verb, ...words] = given.words
  const folder = given.text('data') ?? '.data'
  const verbs: Readonly<Record<string, () => Promise<Exit>>> = {
    create: () => create(given, folder, context),
    list: () => list(folder, context),
    revoke: () => revoke(words, folder, context),
  }
  const act = verb === undefined || !Object.hasOwn(verbs, verb) ? undefined : verbs[verb]
  if (act === undefined) throw new CliError(2, 'say megrez token create, list or revoke')
  await access(join(folder, 'token-key.json')).catch(() => {
    throw new CliError(
      3,
      `no server has run from the folder ${folder} yet, so nothing there takes a token: start one with npm start, or name its folder with --data`,
    )
  })
  return act()
}

async function create(given: GivenArguments, folder: string, { out, err, now }: Context): Promise<Exit> {
  const role = roleOf(given.text('role') ?? 'viewer')
  const namespaces = given.texts('namespace')
  const wrong = namespaces.find((each) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(each))
  if (wrong !== undefined) throw new CliError(2, `${JSON.stringify(wrong)} can be the name of no namespace`)
  const seconds = secondsIn(given.text('expires') ?? '30d', 'expires')
  if (seconds < 1 || seconds > longestSeconds) throw new CliError(2, '--expires is from 1s to 366d')
  const name = nameOf(given.text('name') ?? role)
  const issuer = await openLocalIssuer(folder, realClock)
  const token = await issuer.issue({ subject: name, scope: role, ...(namespaces.length > 0 && { namespaces }) }, seconds)
  const expires = new Date(now() + seconds * 1000).toISOString()
  await keepToken(folder, {
    id: idIn(token),
    name,
    role,
    ...(namespaces.length > 0 && { namespaces }),
    created: new Date(now()).toISOString(),
    expires,
  })
  err(`${role} ${namespaces.length === 0 ? 'in all namespaces' : `in ${namespaces.join(', ')}`}, until ${expires}\n`)
  out(`${token}\n`)
  return 0
}

function roleOf(word: string): string {
  const found = offered.find((role) => role === word)
  if (found !== undefined) return found
  throw new CliError(2, `there is no role ${JSON.stringify(word)}: ${suggestion(word, offered)}`)
}

function nameOf(text: string): string {
  if (/^[A-Za-z0-9][-A-Za-z0-9._@]{0,62}$/.test(text)) return text
  throw new CliError(2, `--name is of letters, digits, and - . _ @, not ${JSON.stringify(text)}`)
}

/** Signed by ourselves a moment ago. */
const idIn = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly jti: string }).jti

async function list(folder: string, { out, err, now }: Context): Promise<Exit> {
  const tokens = await keptTokens(folder)
  if (tokens.length === 0) err('none was made by megrez token create\n')
  else
    out(
      tableOf(
        ['Name', 'Role', 'Namespaces', 'State', 'Expires', 'Age', 'ID'],
        tokens.map((token) => [
          token.name,
          token.role,
          token.namespaces?.join(',') ?? 'all',
          stateOf(token, now()),
          token.expires,
          since(token.created, now()),
          token.id,
        ]),
      ),
    )
  return 0
}

const stateOf = ({ isRevoked, expires }: ListedToken, now: number): string =>
  isRevoked ? 'revoked' : Date.parse(expires) <= now ? 'expired' : 'valid'

async function revoke(words: readonly string[], folder: string, { out }: Context): Promise<Exit> {
  if (words.length === 0) throw new CliError(2, 'revoke which? megrez token list names them')
  const tokens = await keptTokens(folder)
  const meant = words.map((word) => {
    const found = tokens.filter(({ id, name }) => id === word || name === word)
    if (found.length > 0) return found
    const near = nearest(
      word,
      tokens.map(({ name }) => name),
    )
    throw new CliError(1, `there is no token ${JSON.stringify(word)}${near === undefined ? '' : `; did you mean ${near}?`}`)
  })
  for (const token of meant.flat()) {
    await revokeToken(folder, token)
    out(`token/${token.name} revoked\n`)
  }
  return 0
}
