/** The check of a running service, by its own door: what it asks, what it leaves behind, and what it says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CheckError, type CheckOptions, type CheckReport, checkService, checks } from '@nomen/conventions'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Asked, type Behaviour, type Library, library, type Row, upright } from './library.ts'
import { libraryDocument } from './library-document.ts'

interface Watched extends Library {
  readonly asked: Asked[]
}

async function watched(bent: Partial<Behaviour> = {}): Promise<Watched> {
  const asked: Asked[] = []
  const ask = (one: Asked) => {
    asked.push(one)
    return (bent.ask ?? ((same: Asked) => same))(one)
  }
  const served = await library({ ...bent, ask })
  onTestFinished(() => served.close())
  return { ...served, asked }
}

function check({ base }: Library, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  return checkService({ base, seed: 'a', ...options })
}

function failures({ results }: CheckReport) {
  return results.filter(({ outcome }) => outcome === 'failed')
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

describe('an upright service', () => {
  it('passes every check, also where the conventions are open', async () => {
    const report = await check(await watched(), { isWriting: true, isStrict: true })
    expect(failures(report)).toEqual([])
    const tried = new Set(report.results.filter(({ outcome }) => outcome === 'passed').map(({ code }) => code))
    const untried = Object.keys(checks).filter((code) => !(tried as Set<string>).has(code))
    // the access log has tests below, bent requests elsewhere
    expect(untried.filter((code) => !code.startsWith('fuzz-'))).toEqual(['log-line', 'log-format'])
  })

  it('is only read unless writing is wanted', async () => {
    const served = await watched()
    await check(served)
    expect(new Set(served.asked.map(({ method }) => method))).toEqual(new Set(['GET', 'PROPFIND']))
  })

  it('has the records that it had before', async () => {
    const served = await watched()
    const before = structuredClone(served.store)
    await check(served, { isWriting: true })
    expect(served.store).toEqual(before)
  })
})

describe('a run', () => {
  it('is repeated exactly by its seed', async () => {
    const [one, other] = [await watched(), await watched()]
    const first = await check(one, { isWriting: true })
    const second = await check(other, { isWriting: true })
    expect(other.asked.map(({ method, target }) => `${method} ${target}`)).toEqual(
      one.asked.map(({ method, target }) => `${method} ${target}`),
    )
    expect(second.results).toEqual(first.results)
  })

  it('makes another choice with another seed', async () => {
    const [one, other] = [await watched(), await watched()]
    await check(one)
    await check(other, { seed: 'b' })
    expect(other.asked.map(({ target }) => target)).not.toEqual(one.asked.map(({ target }) => target))
  })

  it('asks no more than it may, says so, and still takes away what it made', async () => {
    const served = await watched()
    const whole = await check(served, { isWriting: true })
    const before = structuredClone(served.store)
    for (const maxRequests of [50, Math.round(whole.requests * 0.9)]) {
      served.asked.length = 0
      const report = await check(served, { isWriting: true, maxRequests })
      expect(failures(report)).toEqual([])
      expect(report.requests).toBeLessThanOrEqual(maxRequests + 5)
      expect(report.results.map(({ note }) => note)).toContain(`the limit of ${maxRequests} requests was reached`)
      expect(served.store).toEqual(before)
    }
  })

  it('takes away what it made also when it is stopped', async () => {
    const served = await watched()
    const before = structuredClone(served.store)
    const controller = new AbortController()
    const isMade = () => (served.store.book ?? []).length > (before.book ?? []).length
    const report = await check(served, {
      isWriting: true,
      signal: controller.signal,
      onProgress: () => isMade() && controller.abort(),
    })
    expect(controller.signal.aborted).toBe(true)
    expect(report.results.at(-1)).toMatchObject({ code: 'cleanup', outcome: 'passed' })
    expect(served.store).toEqual(before)
  })

  it('sends a token with every request, that for the document too', async () => {
    const served = await watched()
    await check(served, { token: 'secret' })
    expect(new Set(served.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']))
  })

  it('does not begin where it is not let in', async () => {
    const served = await watched({
      answer: (given, { parts, authorization }) =>
        authorization || parts[0] === 'openapi.json' ? given : { ...given, status: 401 },
    })
    await expect(check(served)).rejects.toThrow(`${served.base}/book answers with status 401`)
    expect(failures(await check(served, { token: 'secret' }))).toEqual([])
  })

  it('samples the pages of a list that is long, and says so', async () => {
    const served = await watched()
    const [author] = served.store.author ?? []
    served.store.author = Array.from({ length: 9000 }, (_, at) => ({ ...author, id: at + 1, country: `${at % 5}` }))
    const report = await check(served)
    expect(failures(report)).toEqual([])
    const walk = report.results.find(({ code, subject }) => code === 'page-walk' && subject === '/author')
    expect(walk).toMatchObject({ outcome: 'passed', note: '30 of 90 pages of 100 records were seen' })
  })

  it('sees a fault in a long list, though it sees only parts of it', async () => {
    const served = await watched({
      order: (rows, sort, page) =>
        page.size % 20 === 0 ? upright.order(rows, sort, page) : upright.order(rows, sort, page).toReversed(),
    })
    const [book] = served.store.book ?? []
    served.store.book = Array.from({ length: 9000 }, (_, at) => ({ ...book, id: at + 1, isbn: `${at}` }) as Row)
    expect(failures(await check(served)).map(({ code, subject }) => `${code} ${subject}`)).toContain('page-order /book')
  })

  it('waits where the service asks for time', async () => {
    let count = 0
    const served = await watched({
      answer: (given) => (++count % 100 === 0 ? { status: 429, headers: { 'retry-after': '0' }, body: {} } : given),
    })
    const report = await check(served)
    expect(failures(report)).toEqual([])
    expect(report.results.map(({ note }) => note).join()).not.toContain('failed once')
    expect(count).toBeGreaterThan(200)
  })

  it('comes to an end where the service goes away', async () => {
    let count = 0
    const served = await watched({
      answer: (given) => {
        if (++count === 50) void served.close()
        return given
      },
    })
    const report = await check(served)
    expect(failures(report)[0]?.actual).toMatch(/^none came: /)
    expect(report.results.map(({ note }) => note)).toContain('the service has not answered the last 5 requests')
    expect(report.requests).toBeLessThan(60)
  })

  it('calls nothing a failure that only happened once', async () => {
    let count = 0
    const served = await watched({
      slice: (rows, { number, size }) => {
        count++
        return rows.slice((number - 1) * size, number * size - (count === 4 ? 1 : 0))
      },
    })
    const report = await check(served)
    expect(failures(report)).toEqual([])
    expect(report.results.map(({ note }) => note).join()).toContain('failed once and not again')
  })

  it('shows each failure with what was expected, what came, and a line that repeats it', async () => {
    const served = await watched({
      answer: (given, { method }) => (method === 'PATCH' && given.status === 200 ? { ...given, status: 202 } : given),
    })
    const [first] = failures(await check(served, { isWriting: true, token: 'secret', tokenVariable: 'MINE' }))
    expect(first).toMatchObject({ code: 'patch-subset', subject: '/book', expected: 'status 200' })
    expect(first?.actual).toMatch(/^status 202, \{"id":48,/)
    expect(first?.curl).toMatch(
      /^curl -i -X PATCH 'http:\/\/127\.0\.0\.1:\d+\/book\/48' -H 'content-type: application\/json' -H "authorization: Bearer \$MINE" --data-raw '\{"title":"nomen-check-\w+"\}'$/,
    )
  })

  it('leaves open what the conventions leave open, and holds the service to it on demand', async () => {
    const served = await watched({ defaultSize: 20 })
    const report = await check(served)
    expect(failures(report)).toEqual([])
    expect(report.results.find(({ code }) => code === 'page-size')).toMatchObject({
      outcome: 'not specified',
      actual: 'it is 20',
    })
    expect(new Set(failures(await check(served, { isStrict: true })).map(({ code }) => code))).toEqual(
      new Set(['page-size']),
    )
  })
})

describe('the document', () => {
  it('may lie in a file, and name another server: only the one that is asked for is called', async () => {
    const served = await watched()
    const path = join(folder(), 'library.json')
    writeFileSync(path, JSON.stringify({ ...libraryDocument(), servers: [{ url: 'https://library.invalid/api' }] }))
    const report = await check(served, { document: path })
    expect(report.counts.failed).toBe(0)
    expect(report.base).toBe(served.base)
  })

  it('may be of OpenAPI 3.0, which says null and exclusive bounds in its own way', async () => {
    const served = await watched({
      document: (whole) => {
        const text = JSON.stringify(whole).replaceAll('"type":["string","null"]', '"type":"string","nullable":true')
        const old = { ...JSON.parse(text), openapi: '3.0.3' }
        old.components.schemas.book.properties.numberOfLeaves = { type: 'integer', minimum: 99, exclusiveMinimum: true }
        return old
      },
    })
    const report = await check(served)
    expect(failures(report)).toEqual([])
    const agrees = report.results.find(
      ({ code, subject }) => code === 'document-agrees' && subject === 'GET /book/{id}',
    )
    expect(agrees?.outcome).toBe('passed')
  })

  it('may stand below a prefix that its paths do not repeat', async () => {
    const served = await watched({
      ask: (asked) => ({ ...asked, parts: asked.parts[0] === 'api' ? asked.parts.slice(1) : ['nowhere'] }),
    })
    const report = await checkService({ base: `${served.base}/api/`, seed: 'a' })
    expect(failures(report)).toEqual([])
    expect(report.base).toBe(`${served.base}/api`)
  })

  it('that offers no list is told of', async () => {
    const served = await watched({ document: (whole) => ({ ...whole, paths: {} }) })
    await expect(check(served)).rejects.toThrow(CheckError)
  })

  it('that is not there is told of, with where it was looked for', async () => {
    const served = await watched({ answer: (given) => ({ ...given, status: 404 }) })
    await expect(check(served)).rejects.toThrow(`${served.base}/openapi.json answers with status 404`)
  })

  it('cannot be read where nothing answers', async () => {
    await expect(checkService({ base: 'http://127.0.0.1:9' })).rejects.toThrow('Nothing answers at http://127.0.0.1:9/')
  })
})

describe('the access log', () => {
  /** Writes what the service logs into a file; `bend` may change or drop a line, or hold it back. */
  async function logged(bend: (line: string) => string | undefined): Promise<[Library, string]> {
    const path = join(folder(), 'access.log')
    writeFileSync(path, 'a line that was there before\n')
    const served = await watched({
      log: (line) => {
        const bent = bend(line)
        if (bent !== undefined) writeFileSync(path, `${bent}\n`, { flag: 'a' })
        return bent
      },
    })
    return [served, path]
  }

  it.each([
    ['has a line for each request', (line: string) => line, []],
    ['may have a named month', (line: string) => line.replace('/11/', '/Nov/'), []],
    ['lacks refused requests', (line: string) => (/" 4\d\d /.test(line) ? undefined : line), ['log-line']],
    ['lacks the query', (line: string) => line.replace(/\?\S*/, ''), ['log-line']],
    ['has another format', (line: string) => `{"line": ${JSON.stringify(line)}}`, ['log-line', 'log-format']],
  ] as const)('%s', async (_, bend, codes) => {
    const [served, accessLog] = await logged(bend)
    const report = await check(served, { accessLog })
    expect(failures(report).map(({ code }) => code)).toEqual(codes)
  })
})
