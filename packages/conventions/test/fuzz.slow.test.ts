// Bent requests: what they find in a service that is fragile in one place, and that they find nothing in one that is not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckReport, checkService } from '@nomen/conventions'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Asked, type Fragility, fragile } from './fragile.ts'

async function bent(fragility: Fragility, count = 300, isWriting = true): Promise<CheckReport> {
  const service = await fragile(fragility)
  onTestFinished(() => service.close())
  return checkService({ base: service.base, isWriting, fuzz: count, seed: 'a', timeout: 20_000 })
}

function failures({ results }: CheckReport) {
  return results.filter(({ code, outcome }) => code.startsWith('fuzz-') && outcome === 'failed')
}

const refusal = (status: number, more: object = {}) => ({
  status,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'Refused', status, ...more },
})
const isOdd = ({ target }: Asked) => target.startsWith('/thing?') && target.includes('%')

let isPoisoned = false

const fragilities: readonly (readonly [name: string, fragility: Fragility, caughtBy: readonly string[]])[] = [
  [
    'fails on a percent sign',
    { answer: (asked) => (isOdd(asked) ? refusal(500) : undefined) },
    ['fuzz-blame', 'fuzz-promised'],
  ],
  [
    'fails for a while, and does not say how long',
    { answer: (asked) => (isOdd(asked) ? refusal(503) : undefined) },
    ['fuzz-blame', 'fuzz-promised'],
  ],
  [
    'closes the connection on a percent sign',
    { answer: (asked) => (isOdd(asked) ? 'nothing' : undefined) },
    ['fuzz-answered'],
  ],
  [
    'refuses in plain text',
    { answer: (asked) => (isOdd(asked) ? { status: 400, type: 'text/plain', body: 'no' } : undefined) },
    ['fuzz-problem'],
  ],
  [
    'refuses with another status than it says',
    { answer: (asked) => (isOdd(asked) ? { ...refusal(400), status: 422 } : undefined) },
    ['fuzz-problem'],
  ],
  [
    'lacks the title',
    { answer: (asked) => (isOdd(asked) ? refusal(400, { title: undefined }) : undefined) },
    ['fuzz-problem', 'fuzz-promised'],
  ],
  [
    'shows its stack',
    { answer: (asked) => (isOdd(asked) ? refusal(400, { detail: 'at run (/srv/api/index.js:10:5)' }) : undefined) },
    ['fuzz-leak'],
  ],
  [
    'shows its database',
    { answer: (asked) => (isOdd(asked) ? refusal(400, { detail: 'SQLITE_ERROR: near "x"' }) : undefined) },
    ['fuzz-leak'],
  ],
  [
    'answers what nobody promised',
    { answer: (asked) => (isOdd(asked) ? { status: 202, body: {} } : undefined) },
    ['fuzz-promised'],
  ],
  [
    'makes a record of what is none',
    {
      answer: ({ method, text }) =>
        method === 'POST' && text.startsWith('{"name"') && !text.startsWith('{"name":"')
          ? { status: 201, body: { id: 3, name: [] } }
          : undefined,
    },
    ['fuzz-promised'],
  ],
  [
    'is poisoned by a percent sign',
    {
      answer: (asked) => {
        isPoisoned ||= isOdd(asked)
        return isPoisoned && asked.target.startsWith('/thing') ? refusal(404) : undefined
      },
    },
    ['fuzz-unharmed'],
  ],
]

describe('bent requests', () => {
  it('find nothing in a service that takes all of them calmly, whose lists are as they were', async () => {
    const report = await bent({}, 800)
    expect(failures(report)).toEqual([])
    const unharmed = report.results.find(({ code }) => code === 'fuzz-unharmed')
    expect(unharmed?.outcome).toBe('passed')
    expect(unharmed?.note).toMatch(/\d+ of status 200, .*\d+ of status 400/)
    expect(report.requests).toBeGreaterThan(800)
  })

  it('let a server that is no proxy close the connection on CONNECT, and none open a tunnel', async () => {
    const outcomes = async (tunnel: 'closed' | 'opened') =>
      failures(await bent({ tunnel }, 800)).map(({ code, actual }) => [code, actual])
    expect(await outcomes('closed')).toEqual([])
    expect(await outcomes('opened')).toEqual([['fuzz-answered', 'status 200 to a request with CONNECT']])
  })

  it.each(fragilities)('find a service that %s', async (_, fragility, caughtBy) => {
    isPoisoned = false
    const found = failures(await bent(fragility, 300))
    expect([...new Set(found.map(({ code }) => code))].sort()).toEqual(caughtBy)
    for (const { curl } of found) expect(curl).toMatch(/^(curl -i|printf) /)
  })

  it('show a fault by the smallest request that has it', async () => {
    const [found] = failures(await bent({ answer: (asked) => (isOdd(asked) ? refusal(500) : undefined) }))
    expect(found).toMatchObject({
      code: 'fuzz-blame',
      subject: 'GET /thing',
      expected: 'an answer that blames the request',
    })
    expect(found?.actual).toMatch(/^status 500, .* to a request with /)
    // no header, and no other parameter: the percent sign is all there is
    expect(found?.curl).toMatch(/^curl -i --path-as-is 'http:\/\/127\.0\.0\.1:\d+\/thing\?[^&]*%[^&]*'$/)
  })

  it('repeat with the same seed', async () => {
    const targets = async () => {
      const seen: string[] = []
      await bent({ answer: ({ method, target }) => void seen.push(`${method} ${target}`) }, 150)
      return seen.sort()
    }
    expect(await targets()).toEqual(await targets())
  })

  it('change nothing where nothing may be written', async () => {
    const methods = new Set<string>()
    await bent({ answer: ({ method }) => void methods.add(method) }, 500, false)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(methods).not.toContain(method)
  })

  it('stop when nobody answers any more', async () => {
    const { results } = await bent(
      { answer: ({ headers }) => (headers['user-agent'] === 'nomen-check' ? undefined : 'nothing') },
      5000,
    )
    const found = results.find(({ code, outcome }) => code === 'fuzz-answered' && outcome === 'failed')
    expect(found?.actual).toContain('the connection was closed without an answer')
  })

  it('hide a token in what they show', async () => {
    const service = await fragile({ answer: (asked) => (isOdd(asked) ? refusal(500) : undefined) })
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

describe('the log of bent requests', () => {
  async function logged(log: Fragility['log']): Promise<CheckReport> {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accessLog = join(folder, 'access.log')
    writeFileSync(accessLog, '')
    const service = await fragile({
      log: (line, asked) => {
        const written = log?.(line, asked)
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
    ['lacks what is odd', (line: string, asked: Asked) => (isOdd(asked) ? undefined : line)],
    ['lacks what is no HTTP', (line: string) => (line.includes('"- - -"') ? undefined : line)],
    ['has another status', (line: string, asked: Asked) => (isOdd(asked) ? line.replace('" 200 ', '" 404 ') : line)],
    ['has a line twice', (line: string, asked: Asked) => (isOdd(asked) ? `${line}\n${line}` : line)],
  ])('is found wanting where it %s', async (_, log) => {
    expect(outcome(await logged(log))).toBe('failed')
  })

  it('cannot be judged where it has no ports', async () => {
    expect(outcome(await logged((line) => line.replace(/^127\.0\.0\.1:\d+/, '127.0.0.1')))).toBe('skipped')
  })
})
