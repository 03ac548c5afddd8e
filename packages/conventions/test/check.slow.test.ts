/** The check of a running service through its public API: requests, cleanup and report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CheckError, type CheckOptions, type CheckReport, checkService, checks } from '@nomen/conventions'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Library, library } from './library.ts'
import { type Behavior, correctBehavior, type LibraryRequest } from './library-behavior.ts'
import type { Row } from './library-data.ts'
import { libraryDocument } from './library-document.ts'

interface RecordedLibrary extends Library {
  readonly requests: LibraryRequest[]
}

async function openLibrary(behavior: Partial<Behavior> = {}): Promise<RecordedLibrary> {
  const requests: LibraryRequest[] = []
  const onRequest = (request: LibraryRequest) => {
    requests.push(request)
    return (behavior.onRequest ?? ((same: LibraryRequest) => same))(request)
  }
  const server = await library({ ...behavior, onRequest: onRequest })
  onTestFinished(() => server.close())
  return { ...server, requests }
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

describe('a conforming service', () => {
  it('passes every check, including points that the conventions leave open', async () => {
    const report = await check(await openLibrary(), { isWriting: true, isStrict: true })
    expect(failures(report)).toEqual([])
    const tried = new Set(report.results.filter(({ outcome }) => outcome === 'passed').map(({ code }) => code))
    const untried = Object.keys(checks).filter((code) => !(tried as Set<string>).has(code))
    // Tests of the access log are below, those of malformed requests in another file.
    expect(untried.filter((code) => !code.startsWith('fuzz-'))).toEqual(['log-line', 'log-format'])
  })

  it('is only read unless writes are enabled', async () => {
    const server = await openLibrary()
    const { results } = await check(server)
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'PROPFIND']))
    const ofWrites = results.filter(({ subject }) => /^(POST|PUT|PATCH|DELETE) /.test(subject))
    expect(new Set(ofWrites.map(({ note }) => note))).toEqual(new Set(['no writes were sent; use --write']))
  })

  it('has the same records afterwards', async () => {
    const server = await openLibrary()
    const before = structuredClone(server.store)
    await check(server, { isWriting: true })
    expect(server.store).toEqual(before)
  })
})

describe('a run', () => {
  it('is repeated exactly with the same seed', async () => {
    const [firstServer, secondServer] = [await openLibrary(), await openLibrary()]
    const first = await check(firstServer, { isWriting: true })
    const second = await check(secondServer, { isWriting: true })
    expect(secondServer.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
      firstServer.requests.map(({ method, target }) => `${method} ${target}`),
    )
    expect(second.results).toEqual(first.results)
  })

  it('makes other choices with another seed', async () => {
    const [firstServer, secondServer] = [await openLibrary(), await openLibrary()]
    await check(firstServer)
    await check(secondServer, { seed: 'b' })
    expect(secondServer.requests.map(({ target }) => target)).not.toEqual(
      firstServer.requests.map(({ target }) => target),
    )
  })

  it('stops at the request limit, reports it, and still deletes the records that it created', async () => {
    const server = await openLibrary()
    const before = structuredClone(server.store)
    // During the reads, and during the writes.
    for (const maxRequests of [50, 700]) {
      server.requests.length = 0
      const report = await check(server, { isWriting: true, maxRequests })
      expect(failures(report)).toEqual([])
      expect(report.requests).toBeLessThanOrEqual(maxRequests + 5)
      expect(report.results.map(({ note }) => note)).toContain(`the limit of ${maxRequests} requests was reached`)
      expect(server.store).toEqual(before)
    }
  })

  it('deletes the records that it created when it is aborted', async () => {
    const server = await openLibrary()
    const before = structuredClone(server.store)
    const controller = new AbortController()
    const isBookCreated = () => (server.store.book ?? []).length > (before.book ?? []).length
    const report = await check(server, {
      isWriting: true,
      signal: controller.signal,
      onProgress: () => isBookCreated() && controller.abort(),
    })
    expect(controller.signal.aborted).toBe(true)
    expect(report.results.at(-1)).toMatchObject({ code: 'cleanup', outcome: 'passed' })
    expect(server.store).toEqual(before)
  })

  it('sends a token with every request, including the one for the document', async () => {
    const server = await openLibrary()
    await check(server, { token: 'secret' })
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']))
  })

  it('does not start if it is not authorized', async () => {
    const server = await openLibrary({
      onResponse: (response, { parts, authorization }) =>
        authorization || parts[0] === 'openapi.json' ? response : { ...response, status: 401 },
    })
    await expect(check(server)).rejects.toThrow(`${server.base}/book returned status 401`)
    expect(failures(await check(server, { token: 'secret' }))).toEqual([])
  })

  it('samples the pages of a long list, and reports it', async () => {
    const server = await openLibrary()
    const [author] = server.store.author ?? []
    server.store.author = Array.from({ length: 9000 }, (_, at) => ({ ...author, id: at + 1, country: `${at % 5}` }))
    const report = await check(server)
    expect(failures(report)).toEqual([])
    const walk = report.results.find(({ code, subject }) => code === 'page-walk' && subject === '/author')
    expect(walk).toMatchObject({ outcome: 'passed', note: '30 of 90 pages with 100 records were checked' })
  })

  it('finds a fault in a long list from a sample', async () => {
    const server = await openLibrary({
      order: (rows, sort, page) =>
        page.size % 20 === 0
          ? correctBehavior.order(rows, sort, page)
          : correctBehavior.order(rows, sort, page).toReversed(),
    })
    const [book] = server.store.book ?? []
    server.store.book = Array.from({ length: 9000 }, (_, at) => ({ ...book, id: at + 1, isbn: `${at}` }) as Row)
    expect(failures(await check(server)).map(({ code, subject }) => `${code} ${subject}`)).toContain('page-order /book')
  })

  it('waits if the service sends Retry-After', async () => {
    let count = 0
    const server = await openLibrary({
      onResponse: (response) =>
        ++count % 100 === 0 ? { status: 429, headers: { 'retry-after': '0' }, body: {} } : response,
    })
    const report = await check(server)
    expect(failures(report)).toEqual([])
    expect(report.results.map(({ note }) => note).join()).not.toContain('failed once')
    expect(count).toBeGreaterThan(200)
  })

  it('ends if the service stops', async () => {
    let count = 0
    const server = await openLibrary({
      onResponse: (response) => {
        if (++count === 50) void server.close()
        return response
      },
    })
    const report = await check(server)
    expect(failures(report)[0]?.actual).toMatch(/^no response: /)
    expect(report.results.map(({ note }) => note)).toContain('the service did not respond to the last 5 requests')
    expect(report.requests).toBeLessThan(60)
  })

  it('does not report a failure after which the records have changed', async () => {
    let count = 0
    const server = await openLibrary({
      slice: (rows, { number, size }) => {
        count++
        return rows.slice((number - 1) * size, number * size - (count === 4 ? 1 : 0))
      },
    })
    const report = await check(server)
    expect(failures(report)).toEqual([])
    expect(report.results.map(({ note }) => note).join()).toContain(
      'failed once, then passed after other clients had changed records',
    )
  })

  it('reports each failure with the expected and the actual behavior, and a command that repeats it', async () => {
    const server = await openLibrary({
      onResponse: (response, { method }) =>
        method === 'PATCH' && response.status === 200 ? { ...response, status: 202 } : response,
    })
    const [first] = failures(await check(server, { isWriting: true, token: 'secret', tokenVariable: 'MINE' }))
    expect(first).toMatchObject({ code: 'patch-subset', subject: '/book', expected: 'status 200' })
    expect(first?.actual).toMatch(/^status 202, \{"id":48,/)
    expect(first?.curl).toMatch(
      /^curl -i -X PATCH 'http:\/\/127\.0\.0\.1:\d+\/book\/48' -H 'content-type: application\/json' -H "authorization: Bearer \$MINE" --data-raw '\{"title":"nomen-check-\w+"\}'$/,
    )
  })

  it('reports points that the conventions leave open as not specified, or as failures in strict mode', async () => {
    const server = await openLibrary({ defaultSize: 20 })
    const report = await check(server)
    expect(failures(report)).toEqual([])
    expect(report.results.find(({ code }) => code === 'page-size')).toMatchObject({
      outcome: 'not specified',
      actual: 'it is 20',
    })
    expect(new Set(failures(await check(server, { isStrict: true })).map(({ code }) => code))).toEqual(
      new Set(['page-size']),
    )
  })
})

describe('the document', () => {
  it('may be in a file and have another server: only the requested server is called', async () => {
    const server = await openLibrary()
    const path = join(folder(), 'library.json')
    writeFileSync(path, JSON.stringify({ ...libraryDocument(), servers: [{ url: 'https://library.invalid/api' }] }))
    const report = await check(server, { document: path })
    expect(report.counts.failed).toBe(0)
    expect(report.base).toBe(server.base)
  })

  it('may be OpenAPI 3.0, with its form of null and exclusive bounds', async () => {
    const server = await openLibrary({
      document: (whole) => {
        const text = JSON.stringify(whole).replaceAll('"type":["string","null"]', '"type":"string","nullable":true')
        const old = { ...JSON.parse(text), openapi: '3.0.3' }
        old.components.schemas.book.properties.numberOfLeaves = { type: 'integer', minimum: 99, exclusiveMinimum: true }
        return old
      },
    })
    const report = await check(server)
    expect(failures(report)).toEqual([])
    const agrees = report.results.find(
      ({ code, subject }) => code === 'document-agrees' && subject === 'GET /book/{id}',
    )
    expect(agrees?.outcome).toBe('passed')
  })

  it('may have a base URL with a path that is not in the document', async () => {
    const server = await openLibrary({
      onRequest: (request) => ({
        ...request,
        parts: request.parts[0] === 'api' ? request.parts.slice(1) : ['nowhere'],
      }),
    })
    const report = await checkService({ base: `${server.base}/api/`, seed: 'a' })
    expect(failures(report)).toEqual([])
    expect(report.base).toBe(`${server.base}/api`)
  })

  it('without a list is reported', async () => {
    const server = await openLibrary({ document: (whole) => ({ ...whole, paths: {} }) })
    await expect(check(server)).rejects.toThrow(CheckError)
  })

  it('that does not exist is reported with its URL', async () => {
    const server = await openLibrary({ onResponse: (response) => ({ ...response, status: 404 }) })
    await expect(check(server)).rejects.toThrow(`${server.base}/openapi.json returned status 404`)
  })

  it('cannot be read without a response', async () => {
    await expect(checkService({ base: 'http://127.0.0.1:9' })).rejects.toThrow('No response from http://127.0.0.1:9/')
  })
})

describe('the access log', () => {
  /** Writes the log of the service to a file. `changeLine` may change or drop a line. */
  async function openLogged(changeLine: (line: string) => string | undefined): Promise<[Library, string]> {
    const path = join(folder(), 'access.log')
    writeFileSync(path, 'a line that was there before\n')
    const server = await openLibrary({
      log: (line) => {
        const changed = changeLine(line)
        if (changed !== undefined) writeFileSync(path, `${changed}\n`, { flag: 'a' })
        return changed
      },
    })
    return [server, path]
  }

  it.each([
    ['has a line for each request', (line: string) => line, []],
    ['may have a named month', (line: string) => line.replace('/11/', '/Nov/'), []],
    ['lacks rejected requests', (line: string) => (/" 4\d\d /.test(line) ? undefined : line), ['log-line']],
    ['lacks the query', (line: string) => line.replace(/\?\S*/, ''), ['log-line']],
    ['has another format', (line: string) => `{"line": ${JSON.stringify(line)}}`, ['log-line', 'log-format']],
  ] as const)('%s', async (_, changeLine, codes) => {
    const [server, accessLog] = await openLogged(changeLine)
    const report = await check(server, { accessLog })
    expect(failures(report).map(({ code }) => code)).toEqual(codes)
  })
})
