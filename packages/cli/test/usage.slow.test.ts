// `nomen usage`: logs in every form, all output formats, and the check before a removal.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type AccessEntry, writeLine } from '@nomen/core'
import { startChromium } from '@nomen/testing/chromium'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen } from './nomen.ts'

const api = ['--api', 'apps/directory/service.ts']

function line(target: string, overrides: Partial<AccessEntry> = {}): string {
  const time = Date.parse('2026-11-10T08:00:00Z')
  const base = { address: '10.0.0.1', port: 1, user: undefined, time, method: 'GET', target, protocol: 'HTTP/1.1' }
  return `${writeLine({ ...base, status: 200, size: 7, referrer: undefined, userAgent: 'shop/1.2', ...overrides })}\n`
}

/** Logs of two days with a missing day between them, as rotated files. */
function logs(): string {
  const folder = temporaryFolder()
  const later = { time: Date.parse('2026-11-12T09:00:00Z') }
  const evil = { userAgent: '=cmd|x/1', time: later.time }
  writeFileSync(join(folder, 'access.log.1.gz'), gzipSync(line('/user') + line('/user/7', { status: 404 })))
  writeFileSync(join(folder, 'access.log'), line('/user', later) + line('/nothing', later) + line('/v1/role', evil))
  writeFileSync(join(folder, 'notes.txt'), line('/department', later))
  return folder
}

describe('nomen usage', () => {
  it('lists the callers of every endpoint from all logs of a folder', async () => {
    const { code, output, errors } = await nomen(['usage', logs(), ...api])
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(/^GET {4}\/user +2 {2}in use by shop \(2\)$/m)
    expect(output).toMatch(/^GET {4}\/department +0 {2}never called$/m)
    expect(output).toContain(
      '5 requests from 2026-11-10T08:00:00Z to 2026-11-12T09:00:00Z, 1 of which did not match an endpoint of the service',
    )
  })

  it('counts only the requested period, and reports the requested and the covered period', async () => {
    const folder = logs()
    const [some, none, gate] = await Promise.all([
      nomen(['usage', folder, ...api, '--from', '2026-11-11', '--to', '2026-11-12T09:00:01Z']),
      nomen(['usage', folder, ...api, '--to', '2026-11-01', '--format', 'html']),
      nomen(['usage', folder, ...api, '--from', '2026-11-11', '--retire', 'GET /user/{id}']),
    ])
    expect(some.output).toMatch(/^GET {4}\/user +1 {2}in use by shop \(1\)$/m)
    expect(some.output).toContain(
      'Requested period: from 2026-11-11 until 2026-11-12T09:00:01Z.\n3 requests from 2026-11-12T09:00:00Z to 2026-11-12T09:00:00Z',
    )
    expect(none.output).toContain('<p>Requested period: until 2026-11-01.</p>')
    expect(none.output).toContain(
      'no requests in that period: they have 5 requests from 2026-11-10T08:00:00Z to 2026-11-12T09:00:00Z.',
    )
    expect([gate.code, gate.output]).toEqual([2, expect.stringContaining('Requested period: from 2026-11-11.')])
    expect(gate.errors).toContain(
      'There is not enough data to say whether the endpoint can be removed.\n  The logs cover 1 day, less than 30 days.',
    )
  })

  it('reads standard input, and writes JSON and CSV', async () => {
    const input =
      line('/user') +
      line('/user', { userAgent: '=1+1/2', user: 'eve' }) +
      line('/user', { userAgent: 'a\u001b[31mb/1' })
    const [json, csv] = await Promise.all([
      nomen(['usage', '-', ...api, '--format', 'json'], { input }),
      nomen(['usage', '-', ...api, '--format', 'csv'], { input }),
    ])
    const report = JSON.parse(json.output)
    expect(report.endpoints[0]).toMatchObject({ method: 'GET', path: '/user', requests: 3, verdict: 'in use' })
    expect(csv.output).toContain("GET,/user,directory.user.list,in use,agent,'=1+1,1,0,7,2026-11-10T08:00:00Z,")
    expect(csv.output).toContain('agent,a\ufffd[31mb,1,')
    expect(csv.output).not.toContain('\u001b')
    expect(csv.output).toMatch(/^GET,\/department,directory.department.list,never called,,,0,0,0,,\r$/m)
  })

  it('uses the endpoints of any OpenAPI document', async () => {
    const folder = temporaryFolder()
    const document = join(folder, 'api.yaml')
    const server = "openapi: 3.1.0\ninfo: { title: t, version: '1' }\nservers: [{ url: https://x.example/base }]\n"
    writeFileSync(document, `${server}paths:\n  /thing/{id}:\n    get: { responses: { '200': { description: d } } }\n`)
    const { output } = await nomen(['usage', '-', '--api', document], { input: line('/base/thing/7') })
    expect(output).toMatch(/^GET {4}\/base\/thing\/\{id\} +1 {2}in use by shop \(1\)$/m)
  })

  it.each([
    ['GET /user', 1],
    ['directory.user.list', 1],
    ['v1', 1],
    ['/department', 0],
  ])('checks whether an endpoint can be removed: %s exits with %i', async (endpoint, exitCode) => {
    const { code, output } = await nomen(['usage', logs(), ...api, '--retire', endpoint, '--quiet-after', '2'])
    expect(code).toBe(exitCode)
    expect(output).toContain(
      exitCode === 0
        ? 'Safe to remove: the 2 endpoints were not called for 2 days or longer.'
        : 'called in the last 2 days.',
    )
  })

  it('cannot say whether a removal is safe if the logs do not cover the period', async () => {
    const { code, output, errors } = await nomen(['usage', logs(), ...api, '--retire', '/department'])
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining(
        'There is not enough data to say whether the endpoint can be removed.\n  The logs cover 2 days, less than 30 days.',
      ),
    ])
    expect(errors).toContain('Try again after 2026-12-10T08:00:00Z')
    expect(output).not.toContain('Safe')
  })

  it('cannot say whether a removal is safe if too many lines are unreadable', async () => {
    const gate = (unreadable: number) => {
      const input = `${line('/user').repeat(98)}${line('/user', { time: Date.parse('2026-11-11T08:00:00Z') })}${'?\n'.repeat(unreadable)}`
      return nomen(['usage', '-', ...api, '--retire', '/department', '--quiet-after', '1'], { input })
    }
    expect(await gate(1)).toMatchObject({ code: 0, output: expect.stringContaining('1 line could not be read.') })
    const { code, output, errors } = await gate(2)
    expect([code, output]).toEqual([2, expect.not.stringContaining('Safe')])
    expect(errors).toContain('2 of 101 lines could not be read, more than 1 %.')
  })

  it('reads the common format: calls of an unknown application', async () => {
    const input =
      line('/v1/role')
        .replace(/ "[^"]*" "[^"]*"\n$/, '\n')
        .repeat(5) + line('/user')
    const { code, output } = await nomen(['usage', '-', ...api, '--retire', 'v1'], { input })
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^Not safe to remove: [\s\S]*GET \/v1\/role is still called by\n {2}unknown caller: 5, last/,
      ),
    ])
  })

  it('does not count calls of the console', async () => {
    const own = { userAgent: 'Mozilla/5.0', referrer: 'https://a.example/console/?nomen-console' }
    const time = Date.parse('2026-11-11T08:00:00Z')
    const input = line('/v1/role', own) + line('/user') + line('/user', { time })
    const gate = (...flags: string[]) => nomen(['usage', '-', ...api, ...flags], { input })
    const [retired, table] = await Promise.all([gate('--retire', '/v1/role', '--quiet-after', '1'), gate()])
    expect(retired).toMatchObject({ code: 0, output: expect.stringContaining('Safe to remove') })
    expect(table.output).toMatch(/GET +\/v1\/role +0 {2}never called, except by the console/)
  })

  it('cannot say whether a removal is safe if the logs have gaps, unless they are allowed', async () => {
    const times = [10, 11, 12, 14, 15].map((day) => Date.parse(`2026-11-${day}T08:00:00Z`))
    const input = times.map((time) => line('/user', { time }).repeat(10)).join('')
    const gate = (...flags: string[]) =>
      nomen(['usage', '-', ...api, '--retire', '/department', '--quiet-after', '5', ...flags], { input })
    const [doubt, allowed] = await Promise.all([gate(), gate('--allow-gaps')])
    expect([doubt.code, doubt.output]).toEqual([2, expect.stringContaining('The logs have no lines of 2026-11-13')])
    expect(doubt.errors).toContain(
      'Calls may be missing on 2026-11-13. Add the logs of these days, or add --allow-gaps',
    )
    expect(allowed).toMatchObject({ code: 0, output: expect.stringContaining('Safe to remove') })
  })

  it('reports a removal as safe after a long enough period without requests', async () => {
    const days = Array.from({ length: 20 }, (_, day) =>
      line('/user', { time: Date.parse('2026-11-11T08:00:00Z') + day * 86_400_000 }),
    )
    const input = line('/department') + days.join('')
    const gate = (days: string) =>
      nomen(['usage', '-', ...api, '--retire', '/department', '--quiet-after', days], { input })
    expect(await gate('20')).toMatchObject({ code: 0 })
    expect(await gate('21')).toMatchObject({ code: 1 })
  })

  it.each([
    [[], 'usage needs access logs or the URL of a service.', 2],
    [['nowhere.log'], 'File not found: nowhere.log.', 2],
    [['-', '--api', 'nowhere.yaml'], 'nowhere.yaml cannot be read as an OpenAPI document', 2],
    [['-', '--format', 'xml'], '--format must be table, json, csv or html, but is "xml".', 2],
    [['-', '--output', 'nowhere/usage.txt'], '--output is nowhere/usage.txt, which cannot be written: ENOENT', 1],
    [['-', '--from', 'yesterday'], ', or an age such as 30d or 12h, but is "yesterday".', 2],
    [['-', '--quiet-after', 'x'], '--quiet-after must be a whole number from 1 to 99999, but is "x".', 2],
    [['-', '--retire', '/user', '--format', 'json'], '--retire cannot be combined with --format.', 2],
    [['-', '--retire', '/user', '--output', 'usage.txt'], '--retire cannot be combined with --output.', 2],
    [['-', '--retire', 'GET /usr'], 'Did you mean "GET /user"?', 2],
  ])('reports the error of %j', async (args, message, exitCode) => {
    const { code, errors } = await nomen(['usage', ...args, ...(args.includes('--api') ? [] : api)])
    expect(code).toBe(exitCode)
    expect(errors).toContain(message)
    expect(errors).not.toContain('    at ')
  })

  it('reports which log cannot be read', async () => {
    const broken = join(temporaryFolder(), 'broken.log.gz')
    writeFileSync(broken, gzipSync(line('/user').repeat(100)).subarray(0, 60))
    const { code, errors } = await nomen(['usage', broken, ...api])
    expect(code).toBe(1)
    expect(errors).toContain(`${broken} cannot be read`)
  })

  it('writes a standalone HTML page, and escapes the names of callers', async () => {
    const folder = temporaryFolder()
    const page = join(folder, 'usage.html')
    const input = line('/user') + line('/user/1', { userAgent: '<img-src=x-onerror=document.title=1>/1' })
    expect(await nomen(['usage', '-', ...api, '--format', 'html', '--output', page], { input })).toMatchObject({
      code: 0,
    })
    expect(readFileSync(page, 'utf8')).not.toMatch(/https?:\/\/|<script|<img/)
    const browser = await startChromium()
    onTestFinished(() => browser.close())
    const offlinePage = await browser.newPage()
    await offlinePage.goto(`file://${page}`)
    expect(await offlinePage.title()).toBe('Usage')
    expect(await offlinePage.locator('tr.in-use').count()).toBe(2)
    expect(await offlinePage.locator('td.heat').first().getAttribute('title')).toContain('shop: 1 requests, 0 errors')
    expect(await offlinePage.locator('th.caller').allTextContents()).toContain('<img-src=x-onerror=document.title=1>')
  })
})
