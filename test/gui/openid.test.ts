// Signing in at an OpenID provider as a person does, in a browser, over TLS all the way: the provider's certificate and ours are of an
// authority that this process and the browser trust, and to the browser the two are different sites.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Browser, Cookie } from 'playwright-core'
import { TurnedClock } from '../../platform/clock.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { Certificates } from '../../platform/tls.ts'
import { OpenIdProvider } from '../../webhooks/page/openid/provider.ts'
import { Tokens } from '../../webhooks/plugins/auth.ts'
import { remoteKeys } from '../../webhooks/plugins/keys.ts'
import { Signer } from '../../webhooks/plugins/signer.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { openProvider, type TestProvider } from '../webhooks/openid-provider.ts'
import { guiSkip, openBrowser, openTab, type Tab } from './browser.ts'
import { openLiveServer, type LiveServer } from './live-server.ts'

const place = '/?view=objects&kind=SecurityGroup&namespace=a'
const client = 'megrez-page'

describe('a person who signs in at an OpenID provider', { skip: guiSkip }, () => {
  const clock = new TurnedClock(Date.now())
  let browser: Browser
  let provider: TestProvider
  let server: LiveServer
  let tab: Tab
  before(async () => {
    const life = { now: Date.now(), ms: 3_600_000 }
    const authority = makeAuthority('test', life)
    setDefaultCACertificates([...getCACertificates('default'), authority.cert])
    const [ours, theirs] = [issueLeaf(authority, ['127.0.0.1'], life), issueLeaf(authority, ['localhost'], life)]
    browser = await openBrowser([ours.cert, theirs.cert])
    provider = await openProvider(clock, { client, audience: 'megrez', tls: theirs })
    const { issuer } = provider
    const [l4Port] = await freePorts(1)
    const algorithms = ['ES256']
    const keys = remoteKeys({ issuer }, clock)
    const publicUrl = `https://127.0.0.1:${l4Port}`
    const openid = new OpenIdProvider({ issuer, client, scopes: [], publicUrl, algorithms, keys }, clock)
    server = await openLiveServer({
      clock,
      l4Port: Number(l4Port),
      parts: (rest) => ({
        certificate: new Certificates(ours),
        tokens: new Tokens([rest.issuer.trust, { issuer, audience: 'megrez', algorithms, keys }], clock),
        openid: { provider: openid, seal: new Signer(Buffer.alloc(32, 2)), draw: randomBytes },
      }),
    })
    await server.rest.store.create({ kind: 'SecurityGroup', metadata: { namespace: 'a', name: 'mine' }, spec: {} })
    tab = await openTab(browser, server)
  })
  after(async () => {
    await browser?.close()
    await server?.close()
    await provider?.close()
  })

  /** The page, its sign-in, the provider, and back. */
  async function signInAtProvider(): Promise<void> {
    await tab.page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Continue as alice' }).click()
    await tab.page.getByRole('link', { name: 'mine' }).waitFor()
    await tab.page.locator('[data-live="live"]').waitFor()
    assert.equal(tab.page.url(), server.line.url + place, 'it is where it was')
  }
  const cookies = async (): Promise<ReadonlyMap<string, Cookie>> =>
    new Map((await tab.context.cookies(server.line.url)).map((each) => [each.name, each]))
  const flagsOf = (cookie: Cookie | undefined) => cookie && [cookie.secure, cookie.httpOnly, cookie.sameSite, cookie.path, cookie.domain]

  test('comes back to where they were, with a cookie that TLS alone carries and no script reads', async () => {
    await tab.page.goto(server.line.url + place)
    await tab.page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Continue as alice' }).waitFor()
    assert.ok(tab.page.url().startsWith(`${provider.issuer}/authorize?`), tab.page.url())
    const attempt = await cookies()
    assert.deepEqual([...attempt.keys()], ['__Host-megrez-sign-in'])
    assert.deepEqual(flagsOf(attempt.get('__Host-megrez-sign-in')), [true, true, 'Lax', '/', '127.0.0.1'])
    await tab.page.goBack()
    await signInAtProvider()
    const session = await cookies()
    assert.deepEqual([...session.keys()], ['__Host-megrez'])
    assert.deepEqual(flagsOf(session.get('__Host-megrez')), [true, true, 'Strict', '/', '127.0.0.1'])
    assert.equal(await tab.page.evaluate('document.cookie'), '')
    assert.match(provider.asked.at(-1)?.form.get('code_verifier') ?? '', /^[\w-]{43}$/)
  })

  test('is asked to sign in again once the token is over, and goes on where they were', async () => {
    clock.advance(301_000)
    await tab.page.locator('.sign-in').waitFor()
    assert.equal(await tab.page.locator('.frame').count(), 0)
    assert.equal(tab.page.url(), server.line.url + place)
    await signInAtProvider()
  })

  test('is told why nobody was signed in where the provider takes no code, and can try again', async () => {
    clock.advance(301_000)
    await tab.page.locator('.sign-in').waitFor()
    provider.behaviour = { tokenAnswer: { status: 400, body: '{"error":"invalid_grant"}' } }
    await tab.page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Continue as alice' }).click()
    await tab.page.getByText('the provider does not take the code: invalid_grant').waitFor()
    provider.behaviour = {}
    await tab.page.getByRole('link', { name: 'Sign in again' }).click()
    await tab.page.getByRole('button', { name: 'Continue as alice' }).click()
    await tab.page.locator('[data-live="live"]').waitFor()
    assert.equal(tab.page.url(), server.line.url + place)
  })

  test('is signed out by one button, and whoever has kept the cookie as well', async () => {
    const kept = (await cookies()).get('__Host-megrez')
    assert.ok(kept)
    await tab.page.getByRole('button', { name: 'Sign out' }).click()
    await tab.page.locator('.sign-in').waitFor()
    assert.deepEqual([...(await cookies()).keys()], [])
    await tab.context.addCookies([kept])
    assert.equal(await tab.page.evaluate(`fetch('/v1/me').then(({ status }) => status)`), 401)
    await tab.page.goto(server.line.url + place)
    await tab.page.locator('.sign-in').waitFor()
  })

  test('and no rule of the policy was broken on the way', () => {
    assert.deepEqual(
      tab.wrong.filter((each) => !each.startsWith(`asked elsewhere: ${provider.issuer}/`)),
      [],
    )
  })
})
