// Malformed requests find the fault of a fragile service, and none in a robust one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckReport, checkService } from '@nomen/conventions'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FragileRequest, type Fragility, fragile } from './fragile.ts'

async function fuzz(fragility: Fragility, count = 300, isWriting = true): Promise<CheckReport> {
  const service = await fragile(fragility)
  onTestFinished(() => service.close())
  return checkService({ base: service.base, isWriting, fuzz: count, seed: 'a', timeoutMs: 20_000 })
}

function failures({ results }: CheckReport) {
  return results.filter(({ code, outcome }) => code.startsWith('fuzz-') && outcome === 'failed')
}

const errorResponse = (status: number, more: object = {}) => ({
  status,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'Refused', status, ...more },
})
const isOdd = ({ target }: FragileRequest) => target.startsWith('/thing?') && target.includes('%')

let isPoisoned = false

const fragilities: readonly (readonly [name: string, fragility: Fragility, caughtBy: readonly string[]])[] = [
  [
    'fails on a percent sign',
    { respond: (request) => (isOdd(request) ? errorResponse(500) : undefined) },
    ['fuzz-document', 'fuzz-server-error'],
  ],
  [
    'fails for a while, and does not say how long',
    { respond: (request) => (isOdd(request) ? errorResponse(503) : undefined) },
    ['fuzz-document', 'fuzz-server-error'],
  ],
  [
    'closes the connection on a percent sign',
    { respond: (request) => (isOdd(request) ? 'nothing' : undefined) },
    ['fuzz-response'],
  ],
  [
    'responds to errors in plain text',
    { respond: (request) => (isOdd(request) ? { status: 400, type: 'text/plain', body: 'no' } : undefined) },
    ['fuzz-problem'],
  ],
  [
    'has another status in the problem than in the response',
    { respond: (request) => (isOdd(request) ? { ...errorResponse(400), status: 422 } : undefined) },
    ['fuzz-problem'],
  ],
  [
    'lacks the title',
    { respond: (request) => (isOdd(request) ? errorResponse(400, { title: undefined }) : undefined) },
    ['fuzz-document', 'fuzz-problem'],
  ],
  [
    'shows its stack',
    {
      respond: (request) =>
        isOdd(request) ? errorResponse(400, { detail: 'at run (/srv/api/index.js:10:5)' }) : undefined,
    },
    ['fuzz-leak'],
  ],
  [
    'shows its database',
    { respond: (request) => (isOdd(request) ? errorResponse(400, { detail: 'SQLITE_ERROR: near "x"' }) : undefined) },
    ['fuzz-leak'],
  ],
  [
    'answers what nobody promised',
    { respond: (request) => (isOdd(request) ? { status: 202, body: {} } : undefined) },
    ['fuzz-document'],
  ],
  [
    'makes a record of what is none',
    {
      respond: ({ method, text }) =>
        method === 'POST' && text.startsWith('{"name"') && !text.startsWith('{"name":"')
          ? { status: 201, body: { id: 3, name: [] } }
          : undefined,
    },
    ['fuzz-document'],
  ],
  [
    'is poisoned by a percent sign',
    {
      respond: (request) => {
        isPoisoned ||= isOdd(request)
        return isPoisoned && request.target.startsWith('/thing') ? errorResponse(404) : undefined
      },
    },
    ['fuzz-side-effect'],
  ],
]

describe('malformed requests', () => {
  it('do not count the URL of a problem type as a file path', async () => {
    const type = 'https://example.com/app/problem/not-found'
    const report = await fuzz({
      respond: (request) => (isOdd(request) ? errorResponse(400, { type }) : undefined),
    })
    expect(failures(report)).toEqual([])
  })

  it('find no faults in a robust service, whose lists do not change', async () => {
    const report = await fuzz({}, 800)
    expect(failures(report)).toEqual([])
    const unharmed = report.results.find(({ code }) => code === 'fuzz-side-effect')
    expect(unharmed?.outcome).toBe('passed')
    expect(unharmed?.note).toMatch(/\d+ with status 200, .*\d+ with status 400/)
    expect(report.requests).toBeGreaterThan(800)
  })

  it('allow a server to close the connection after CONNECT, but not to open a tunnel', async () => {
    const outcomes = async (tunnel: 'closed' | 'opened') =>
      failures(await fuzz({ tunnel }, 800)).map(({ code, actual }) => [code, actual])
    expect(await outcomes('closed')).toEqual([])
    expect(await outcomes('opened')).toEqual([['fuzz-response', 'status 200 to a request with CONNECT']])
  })

  it.each(fragilities)('find a service that %s', async (_, fragility, caughtBy) => {
    isPoisoned = false
    const failed = failures(await fuzz(fragility, 300))
    expect([...new Set(failed.map(({ code }) => code))].sort()).toEqual(caughtBy)
    for (const { curl } of failed) expect(curl).toMatch(/^(curl -i|printf) /)
  })

  it('report a fault with the smallest request that reproduces it', async () => {
    const [failure] = failures(await fuzz({ respond: (request) => (isOdd(request) ? errorResponse(500) : undefined) }))
    expect(failure).toMatchObject({
      code: 'fuzz-server-error',
      subject: 'GET /thing',
      expected: 'a 4xx status',
    })
    expect(failure?.actual).toMatch(/^status 500, .* to a request with /)
    // Without headers and other parameters: only the percent sign is left.
    expect(failure?.curl).toMatch(/^curl -i --path-as-is 'http:\/\/127\.0\.0\.1:\d+\/thing\?[^&]*%[^&]*'$/)
  })

  it('repeat with the same seed', async () => {
    const targets = async () => {
      const requests: string[] = []
      await fuzz({ respond: ({ method, target }) => void requests.push(`${method} ${target}`) }, 150)
      return requests.sort()
    }
    expect(await targets()).toEqual(await targets())
  })

  it('change nothing without permission to write', async () => {
    const methods = new Set<string>()
    await fuzz({ respond: ({ method }) => void methods.add(method) }, 500, false)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(methods).not.toContain(method)
  })

  it('stop when the service no longer responds', async () => {
    const { results } = await fuzz(
      { respond: ({ headers }) => (headers['user-agent'] === 'nomen-check' ? undefined : 'nothing') },
      5000,
    )
    const failure = results.find(({ code, outcome }) => code === 'fuzz-response' && outcome === 'failed')
    expect(failure?.actual).toContain('the connection was closed without a response')
  })

  it('hide the token in reports', async () => {
    const service = await fragile({ respond: (request) => (isOdd(request) ? errorResponse(500) : undefined) })
    onTestFinished(() => service.close())
    const report = await checkService({
      base: service.base,
      fuzz: 800,
      seed: 'a',
      token: 'secret-token',
      tokenVariable: 'T',
    })
    expect(failures(report)).not.toEqual([])
    expect(JSON.stringify(report)).not.toContain('secret-token')
  })
})

describe('the log of malformed requests', () => {
  async function logged(log: Fragility['log']): Promise<CheckReport> {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accessLog = join(folder, 'access.log')
    writeFileSync(accessLog, '')
    const service = await fragile({
      log: (line, request) => {
        const written = log?.(line, request)
        if (written !== undefined) writeFileSync(accessLog, `${written}\n`, { flag: 'a' })
        return undefined
      },
    })
    onTestFinished(() => service.close())
    return checkService({ base: service.base, isWriting: true, fuzz: 300, seed: 'a', accessLog })
  }
  const outcome = ({ results }: CheckReport) => results.find(({ code }) => code === 'fuzz-log')?.outcome

  it('has one line for each', async () => {
    expect(outcome(await logged((line) => line))).toBe('passed')
  })

  it.each([
    ['lacks what is odd', (line: string, request: FragileRequest) => (isOdd(request) ? undefined : line)],
    ['lacks invalid HTTP', (line: string) => (line.includes('"- - -"') ? undefined : line)],
    [
      'has another status',
      (line: string, request: FragileRequest) => (isOdd(request) ? line.replace('" 200 ', '" 404 ') : line),
    ],
    ['has a line twice', (line: string, request: FragileRequest) => (isOdd(request) ? `${line}\n${line}` : line)],
  ])('is reported if it %s', async (_, log) => {
    expect(outcome(await logged(log))).toBe('failed')
  })

  it('cannot be checked without ports', async () => {
    expect(outcome(await logged((line) => line.replace(/^127\.0\.0\.1:\d+/, '127.0.0.1')))).toBe('skipped')
  })
})
