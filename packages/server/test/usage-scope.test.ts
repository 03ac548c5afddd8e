// Access to usage, and callers of requests, with authentication.
import { readFileSync } from 'node:fs'
import { endpointOf, LineReader, type UsageReport, usageReport } from '@nomen/core/usage'
import { expect, it } from 'vitest'
import { bearer, claims, notes, openNotes, providedOnce, signed } from './issued.ts'
import { temporaryPath } from './temporary-database.ts'

const provider = providedOnce()

async function tokenOf(user: string, scope: string) {
  return bearer(await signed(claims(provider().issuer, { sub: user, scope })))
}

it('shows usage to callers with the scope usage:read', async () => {
  const { get } = await openNotes(provider())
  expect(await get('/usage')).toMatchObject({ status: 401, body: { code: 'token-required' } })
  expect(await get('/usage', await tokenOf('eve', 'note:read'))).toMatchObject({ status: 403 })
  for (const scope of ['usage:read', '*:read'])
    expect(await get('/usage', await tokenOf('eve', scope))).toMatchObject({ status: 200 })
})

it.each([
  ['without a token', () => ({})],
  ['with a wrong token', () => bearer('nonsense')],
  ['without the scope', () => tokenOf('eve', 'user:read')],
] as const)('names in requests %s are counted as others, and do not displace names of callers', async (_, headers) => {
  const { get } = await openNotes(provider())
  const rejected = await headers()
  for (let count = 0; count < 1100; count++)
    expect([401, 403]).toContain((await get('/note', { ...rejected, 'user-agent': `made-up-${count}/1` })).status)
  for (const url of ['/nothing', '/note/1'])
    for (let count = 0; count < 600; count++) await get(url, { 'user-agent': `made-up-${url}-${count}/1` })
  const reader = await tokenOf('payroll', '*:read')
  await get('/note', { ...reader, 'user-agent': 'payroll/2.1' })
  // One whose name is known keeps it, also where the token has expired.
  await get('/note', { 'user-agent': 'payroll/2.2' })
  const report: UsageReport = (await get('/usage', reader)).body
  const endpoint = report.endpoints.find(({ id }) => id === 'notes.note.list')
  expect(endpoint?.callers.map(({ kind, name, requests, errors }) => [kind, name, requests, errors])).toEqual([
    ['others', '', 1100, 1100],
    ['agent', 'payroll', 2, 1],
  ])
})

it('counts requests without a user agent by user, as the access log does, and rejected requests', async () => {
  const accessLog = `${temporaryPath()}.log`
  const { app, get } = await openNotes(provider(), {}, { accessLog })
  const nameless = { 'user-agent': '' }
  for (const user of ['eve', 'eve', 'Adam Moore', 'a\u0000b'])
    expect(await get('/note', { ...nameless, ...(await tokenOf(user, '*:read')) })).toMatchObject({ status: 200 })
  expect(await get('/note', nameless)).toMatchObject({ status: 401 })
  const report: UsageReport = (await get('/usage', await tokenOf('eve', 'usage:read'))).body
  const endpoint = report.endpoints.find(({ id }) => id === 'notes.note.list')
  expect(endpoint?.callers.map(({ kind, name, requests, errors }) => [kind, name, requests, errors])).toEqual([
    ['user', 'eve', 2, 0],
    ['unattributed', '', 1, 1],
    ['user', 'Adam Moore', 1, 0],
    ['user', 'a\ufffdb', 1, 0],
  ])
  await app.close()
  const endpoints = notes.operations.map(endpointOf)
  const reader = new LineReader(endpoints)
  reader.read(readFileSync(accessLog))
  reader.end()
  expect(usageReport(endpoints, reader, 30).endpoints).toEqual(report.endpoints)
})
